/*
 * child.c - each child leads a process group, to which what it starts belongs,
 * and writes to a pipe.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#define _GNU_SOURCE /* memfd_create(), setgroups() */

#include "config.h"

#include <errno.h>
#include <grp.h>
#include <pwd.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "ppd/driver/child.h"

#define SECONDS 60 /* for a driver to list its PPDs, or to make one */

static volatile sig_atomic_t stopped; /* a signal has come */
static volatile pid_t group;          /* of the child that runs; 0 = none */
static uid_t user;                    /* of children; 0 = ours */
static gid_t user_group;

static void stop(int signal)
{
    stopped = signal;
    if (group > 0)
        kill(-group, SIGKILL);
}

static void handle_signals(void (*handler)(int))
{
    struct sigaction action = {.sa_handler = handler};

    sigaction(SIGTERM, &action, NULL);
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGHUP, &action, NULL);
}

bool child_prepare(void)
{
    handle_signals(stop);
    if (geteuid() != 0)
        return true;
    const struct passwd *lp = getpwnam("lp");
    if (lp == NULL)
        lp = getpwnam("nobody");
    if (lp == NULL)
        return false;
    user = lp->pw_uid;
    user_group = lp->pw_gid;
    return true;
}

/* ---- The child ----------------------------------------------------------- */

static bool drop_privileges(void)
{
    return user == 0 || (setgroups(0, NULL) == 0 && setgid(user_group) == 0 &&
                         setuid(user) == 0);
}

static _Noreturn void be_child(const sigset_t *mask, int file,
                               child_work_fn *work, void *context)
{
    const char *seconds = getenv("HALFTONE_DRIVER_SECONDS");
    int time = seconds == NULL ? 0 : atoi(seconds);
    enum child_end end = CHILD_LACKS;

    setpgid(0, 0);
    handle_signals(SIG_DFL);
    signal(SIGALRM, SIG_DFL);
    sigprocmask(SIG_SETMASK, mask, NULL);
    FILE *out = fdopen(file, "w");
    if (out != NULL && drop_privileges()) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        alarm(time > 0 ? (unsigned)time : SECONDS);
        end = work(context, out);
        if (end == CHILD_DONE && fclose(out) != 0)
            end = CHILD_LACKS;
    }
    _exit((int)end);
}

/* ---- Its parent ---------------------------------------------------------- */

/* Waits for the child, and kills what it has left in its group, whose number
 * nobody else gets before the last wait. */
static enum child_end reap(pid_t child)
{
    siginfo_t end = {.si_code = 0};

    while (waitid(P_PID, (id_t)child, &end, WEXITED | WNOWAIT) < 0 &&
           errno == EINTR)
        ;
    kill(-child, SIGKILL);
    group = 0;
    while (waitpid(child, NULL, 0) < 0 && errno == EINTR)
        ;
    return stopped                     ? CHILD_STOPPED
           : end.si_code == CLD_EXITED ? (enum child_end)end.si_status
           : end.si_status == SIGALRM  ? CHILD_LATE
           : end.si_status == SIGKILL  ? CHILD_LACKS /* memory is short */
                                       : CHILD_CRASHED;
}

/* Starts the child, which writes to the file. No signal comes before `group` is
 * known. */
static pid_t start(int file, child_work_fn *work, void *context)
{
    sigset_t all, before;

    fflush(NULL);
    sigfillset(&all);
    sigprocmask(SIG_SETMASK, &all, &before);
    pid_t child = fork();
    if (child == 0)
        be_child(&before, file, work, context);
    if (child > 0)
        setpgid(group = child, child);
    sigprocmask(SIG_SETMASK, &before, NULL);
    return child;
}

enum child_end child_run(child_work_fn *work, void *context, char **text)
{
    int file = memfd_create("child", MFD_CLOEXEC);
    pid_t child = file < 0 ? -1 : start(file, work, context);
    enum child_end end = child < 0 ? CHILD_LACKS : reap(child);

    *text = NULL;
    if (end == CHILD_DONE) {
        off_t size = lseek(file, 0, SEEK_END);
        *text = calloc((size_t)size + 1, 1);
        if (*text == NULL || pread(file, *text, (size_t)size, 0) != size)
            end = CHILD_LACKS;
    }
    if (file >= 0)
        close(file);
    return end;
}
