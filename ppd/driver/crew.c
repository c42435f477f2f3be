/*
 * crew.c - each process leads a group, in which is what it starts, and writes
 * to a pipe, which it closes by its end.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#define _GNU_SOURCE /* pipe2() */

#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "ppd/driver/crew.h"

#define SECONDS 60 /* in which a driver lists its PPDs, or makes one */
#define SECONDS_BY "HALFTONE_DRIVER_SECONDS"

struct crew_worker {
    pid_t process; /* 0 = has ended */
    int output;
    time_t last; /* when it was last heard of, in s */
};

struct crew_run {
    struct crew_worker workers[CREW_MOST];
    size_t count;
    enum crew_end *ends;
};

static time_t now(void)
{
    struct timespec time;

    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec;
}

bool crew_open(struct crew *crew, unsigned total)
{
    const char *seconds = getenv(SECONDS_BY);
    sigset_t signals;

    *crew = (struct crew){.seconds = seconds == NULL ? 0 : atoi(seconds)};
    if (crew->seconds <= 0)
        crew->seconds = SECONDS;
    sigemptyset(&signals);
    sigaddset(&signals, SIGTERM);
    sigaddset(&signals, SIGINT);
    sigaddset(&signals, SIGHUP);
    sigaddset(&signals, SIGALRM);
    sigprocmask(SIG_BLOCK, &signals, &crew->before);
    alarm(total);
    crew->signals = signalfd(-1, &signals, SFD_CLOEXEC);
    return crew->signals >= 0;
}

void crew_close(struct crew *crew)
{
    if (crew->signals >= 0)
        close(crew->signals);
}

/* ---- Starting and ending ------------------------------------------------- */

static bool start(const struct crew *crew, struct crew_worker *worker,
                  size_t number, crew_work_fn *work, void *context)
{
    int ends[2];

    if (pipe2(ends, O_CLOEXEC) < 0)
        return false;
    fflush(NULL);
    pid_t process = fork();
    if (process == 0) {
        setpgid(0, 0);
        prctl(PR_SET_PDEATHSIG, SIGKILL); /* nobody would be left to do it */
        sigprocmask(SIG_SETMASK, &crew->before, NULL);
        close(ends[0]);
        _exit(work(context, number, ends[1]) ? 0 : 1);
    }
    close(ends[1]);
    if (process < 0) {
        close(ends[0]);
        return false;
    }
    setpgid(process, process);
    *worker = (struct crew_worker){process, ends[0], now()};
    return true;
}

static bool is_crash(int signal)
{
    return signal == SIGSEGV || signal == SIGABRT || signal == SIGBUS ||
           signal == SIGFPE || signal == SIGILL || signal == SIGSYS ||
           signal == SIGTRAP;
}

/* Waits for the worker, which is ending, and ends what it has started. The
 * group is ours as long as its leader has not been waited for. */
static enum crew_end end(struct crew_worker *worker)
{
    siginfo_t info;
    int status = -1;

    close(worker->output);
    while (waitid(P_PID, (id_t)worker->process, &info, WEXITED | WNOWAIT) < 0 &&
           errno == EINTR)
        ;
    kill(-worker->process, SIGKILL);
    while (waitpid(worker->process, &status, 0) < 0 && errno == EINTR)
        ;
    worker->process = 0;
    if (WIFEXITED(status))
        return WEXITSTATUS(status) == 0 ? CREW_DONE : CREW_FAILED;
    return is_crash(WTERMSIG(status)) ? CREW_CRASHED : CREW_KILLED;
}

static enum crew_end kill_worker(struct crew_worker *worker, enum crew_end how)
{
    kill(-worker->process, SIGKILL);
    end(worker);
    return how;
}

/* ---- Running ------------------------------------------------------------- */

/* Takes what the worker has written, or its end. */
static void hear(struct crew_run *run, size_t number, crew_take_fn *take,
                 void *context)
{
    struct crew_worker *worker = &run->workers[number];
    char bytes[1 << 16];
    ssize_t count = read(worker->output, bytes, sizeof bytes);

    worker->last = now();
    if (count > 0)
        take(context, number, bytes, (size_t)count);
    else if (count == 0)
        run->ends[number] = end(worker);
    else if (errno != EINTR)
        run->ends[number] = kill_worker(worker, CREW_KILLED);
}

/* Waits until some worker writes or is late. False with errno, or when we are
 * to end. */
static bool wait_for(struct crew *crew, struct crew_run *run,
                     crew_take_fn *take, void *context)
{
    struct pollfd files[CREW_MOST + 1];
    time_t next = now() + crew->seconds;

    for (size_t i = 0; i < run->count; i++) {
        const struct crew_worker *worker = &run->workers[i];
        bool runs = worker->process != 0;
        files[i] = (struct pollfd){runs ? worker->output : -1, POLLIN, 0};
        if (runs && worker->last + crew->seconds < next)
            next = worker->last + crew->seconds;
    }
    files[run->count] = (struct pollfd){crew->signals, POLLIN, 0};
    time_t left = next - now() + 1; /* clocks are cut to seconds */
    if (poll(files, run->count + 1, left < 0 ? 0 : (int)left * 1000) < 0)
        return errno == EINTR;
    crew->canceled = files[run->count].revents != 0;
    for (size_t i = 0; i < run->count && !crew->canceled; i++) {
        struct crew_worker *worker = &run->workers[i];
        if (files[i].revents != 0)
            hear(run, i, take, context);
        else if (worker->process != 0 && now() - worker->last > crew->seconds)
            run->ends[i] = kill_worker(worker, CREW_LATE);
    }
    return !crew->canceled;
}

/* Whether some worker is at work, and none has ended for all. */
static bool goes_on(const struct crew_run *run)
{
    bool some = false;

    for (size_t i = 0; i < run->count; i++) {
        some = some || run->workers[i].process != 0;
        if (run->workers[i].process == 0 && run->ends[i] != CREW_DONE &&
            run->ends[i] != CREW_CRASHED)
            return false;
    }
    return some;
}

bool crew_run(struct crew *crew, size_t count, crew_work_fn *work,
              crew_take_fn *take, void *context, enum crew_end *ends)
{
    struct crew_run run = {.ends = ends};
    bool ok = true;

    for (size_t i = 0; i < count; i++)
        ends[i] = CREW_KILLED;
    while (ok && run.count < count) {
        ok = start(crew, &run.workers[run.count], run.count, work, context);
        run.count += ok;
    }
    while (ok && goes_on(&run))
        ok = wait_for(crew, &run, take, context);
    int error = errno;
    for (size_t i = 0; i < run.count; i++)
        if (run.workers[i].process != 0)
            ends[i] = kill_worker(&run.workers[i], CREW_KILLED);
    errno = error;
    return ok;
}

/* ---- One ----------------------------------------------------------------- */

struct one {
    crew_work_fn *work;
    void *context;
    FILE *text;
};

static bool work_one(void *context, size_t worker, int output)
{
    const struct one *one = context;

    return one->work(one->context, worker, output);
}

static void take_one(void *context, size_t worker, const char *bytes,
                     size_t size)
{
    struct one *one = context;

    (void)worker;
    fwrite(bytes, 1, size, one->text);
}

enum crew_end crew_run_one(struct crew *crew, crew_work_fn *work, void *context,
                           char **text, size_t *size)
{
    struct one one = {work, context, open_memstream(text, size)};
    enum crew_end end = CREW_KILLED;

    if (one.text == NULL) {
        *text = NULL;
        return end;
    }
    if (!crew_run(crew, 1, work_one, take_one, &one, &end))
        end = CREW_KILLED;
    bool ok = !ferror(one.text);
    if (fclose(one.text) != 0 || !ok)
        end = CREW_KILLED;
    if (end == CREW_DONE)
        return end;
    free(*text);
    *text = NULL;
    return end;
}
