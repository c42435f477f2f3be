/*
 * rip_child.c - a shell that sets the limits, and two pipes.
 *
 * The calling program has many threads, one of which may hold a lock of malloc
 * when it is forked: so nothing of ours runs in the child. program_spawn()
 * sets files, signals, group and folder; the shell's ulimit what it cannot.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#define _GNU_SOURCE /* pipe2(), F_SETPIPE_SZ, prlimit() */

#include "config.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "page/message.h"
#include "page/owner.h"
#include "page/program.h"
#include "printer-app/rip/rip_child.h"

/* Not that of the environment: whoever sets it chooses the program. */
#define RIP_PATH "/usr/local/bin:/usr/bin:/bin"

#define MOST_LINES 100u /* of a RIP's messages that the log gets */
#define MOST_ARGUMENTS 64
#define MESSAGE_BYTES 1024   /* that are read at a time */
#define PIPE_BYTES (1 << 20) /* of images that wait for who reads */
#define LOOK_MS 200          /* between looks whether the work is canceled */

/* $1 .. $5, then the program with its arguments. Only processor time has a soft
 * limit, which rip_child_page() raises. */
static const char set_limits[] =
    "ulimit -c 0 && ulimit -n \"$1\" && ulimit -v \"$2\" && "
    "ulimit -S -t \"$3\" && ulimit -f \"$4\" && nice=$5 && shift 5 && "
    "unset PWD && "
    "exec nice -n \"$nice\" \"$@\"";

void rip_child_init(struct rip_child *child, const char *folder,
                    const struct rip_limits *limits)
{
    *child = (struct rip_child){
        .limits = *limits, .folder = folder, .output = -1, .messages = -1};
}

bool rip_child_installed(const char *program)
{
    for (const char *path = RIP_PATH; *path != '\0';) {
        const size_t length = strcspn(path, ":");
        char file[128];

        snprintf(file, sizeof file, "%.*s/%s", (int)length, path, program);
        if (access(file, X_OK) == 0)
            return true;
        path += length + (path[length] == ':');
    }
    return false;
}

/* ---- Its start ----------------------------------------------------------- */

/* Says where a child's libraries keep what they need for any job: fontconfig,
 * what it has found out of the fonts, if the system has no place for that. As
 * for all programs of this user; for one without a home, the job's folder. */
static void name_cache(const struct rip_child *child, char text[PATH_MAX])
{
    const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");

    if (cache != NULL && cache[0] == '/' && strlen(cache) < PATH_MAX / 2)
        snprintf(text, PATH_MAX, "XDG_CACHE_HOME=%s", cache);
    else if (home != NULL && home[0] == '/' && strlen(home) < PATH_MAX / 2)
        snprintf(text, PATH_MAX, "XDG_CACHE_HOME=%s/.cache", home);
    else
        snprintf(text, PATH_MAX, "XDG_CACHE_HOME=%s", child->folder);
}

/* Spawns the shell. Returns an errno, or 0. */
static int spawn(struct rip_child *child, char *const argv[], int output,
                 int messages)
{
    char folder[256], home[256], cache[PATH_MAX];
    char *const environment[] = {(char *)"PATH=" RIP_PATH,
                                 (char *)"LC_ALL=C",
                                 folder,
                                 home,
                                 cache,
                                 NULL};
    const int nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);
    const int files[PROGRAM_FILES] = {nothing, output, messages, -1, -1};
    int error = nothing < 0 ? errno : 0;

    snprintf(folder, sizeof folder, "TMPDIR=%s", child->folder);
    snprintf(home, sizeof home, "HOME=%s", child->folder);
    name_cache(child, cache);
    if (error == 0)
        error = program_spawn(&child->process, "/bin/sh", argv, environment,
                              files, PROGRAM_CLOSED, child->folder);
    if (nothing >= 0)
        close(nothing);
    return error;
}

/* Opens the pipes, whose ends other children do not inherit, and spawns.
 * Returns an errno, or 0. */
static int open_and_spawn(struct rip_child *child, char *const argv[])
{
    int output[2], messages[2];

    if (pipe2(output, O_CLOEXEC) < 0)
        return errno;
    if (pipe2(messages, O_CLOEXEC) < 0) {
        int error = errno;

        close(output[0]);
        close(output[1]);
        return error;
    }
    fcntl(messages[0], F_SETFL, O_NONBLOCK);
    fcntl(output[0], F_SETPIPE_SZ, PIPE_BYTES);
    int error = spawn(child, argv, output[1], messages[1]);

    close(output[1]);
    close(messages[1]);
    if (error == 0) {
        child->output = output[0];
        child->messages = messages[0];
    } else {
        close(output[0]);
        close(messages[0]);
    }
    return error;
}

bool rip_child_start(struct rip_child *child, const char *const argv[])
{
    const struct rip_limits *limits = &child->limits;
    const char *shell[MOST_ARGUMENTS] = {"sh", "-c", set_limits, "rip"};
    size_t count = 4;
    char numbers[5][24];

    snprintf(numbers[0], sizeof *numbers, "%u", RIP_OPEN_FILES);
    snprintf(numbers[1], sizeof *numbers, "%llu", limits->memory_mib * 1024ull);
    snprintf(numbers[2], sizeof *numbers, "%u", limits->page_seconds);
    snprintf(numbers[3], sizeof *numbers, "%llu", /* blocks of 512 bytes */
             limits->file_mib * 2048ull);
    snprintf(numbers[4], sizeof *numbers, "%d", RIP_NICE);
    for (size_t i = 0; i < 5; i++)
        shell[count++] = numbers[i];
    while (*argv != NULL && count < MOST_ARGUMENTS - 1)
        shell[count++] = *argv++;
    assert(*argv == NULL); /* no program is told as much */

    if (child->stopped || canceled())
        return false;
    child->name = shell[9];
    child->silent = false;
    child->at = child->have = child->length = 0;
    child->said[0] = '\0';
    int error = open_and_spawn(child, (char *const *)shell);

    if (error != 0)
        rip_child_fail(child, "%s does not start: %s", child->name,
                       strerror(error));
    return error == 0;
}

void rip_child_page(struct rip_child *child)
{
    struct rlimit limit;
    struct timespec used;
    clockid_t clock;

    child->page++;
    if (clock_getcpuclockid(child->process, &clock) == 0 &&
        clock_gettime(clock, &used) == 0 &&
        prlimit(child->process, RLIMIT_CPU, NULL, &limit) == 0) {
        /* The second that has begun is not taken from the page. */
        limit.rlim_cur = (rlim_t)used.tv_sec + 1 + child->limits.page_seconds;
        if (limit.rlim_cur > limit.rlim_max)
            limit.rlim_cur = limit.rlim_max;
        prlimit(child->process, RLIMIT_CPU, &limit, NULL);
    }
}

void rip_child_stop(struct rip_child *child)
{
    child->stopped = true;
    if (child->process > 0)
        kill(-child->process, SIGKILL);
}

/* ---- Messages ------------------------------------------------------------ */

/* Ranks a line by how well it explains a failure. A line that ends with a colon
 * explains nothing. */
static int worth(const char *line)
{
    const size_t length = strlen(line);

    if (length == 0 || line[length - 1] == ':')
        return 0;
    return strcasestr(line, "password") != NULL ? 3
           : strcasestr(line, "error") != NULL  ? 2
                                                : 1;
}

void rip_child_heard(struct rip_child *child, const char *line)
{
    line += strspn(line, " *\t"); /* Ghostscript's decoration */
    if (*line != '\0' && child->lines++ < MOST_LINES)
        message("DEBUG", "%s: %s", child->name, line);
    /* Keeps the first of several errors, the last of other lines. */
    if (worth(line) > worth(child->said) ||
        (worth(line) == 1 && worth(child->said) == 1))
        snprintf(child->said, sizeof child->said, "%s", line);
}

bool rip_child_complained(const struct rip_child *child)
{
    return worth(child->said) > 1;
}

static void hear(struct rip_child *child, const char *text, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        if (text[i] != '\n') {
            if (child->length < RIP_MAX_LINE - 1)
                child->line[child->length++] = text[i];
            continue;
        }
        child->line[child->length] = '\0';
        child->length = 0;
        rip_child_heard(child, child->line);
    }
}

static void close_end(int *fd)
{
    close(*fd);
    *fd = -1;
}

/* Reads what there is of its messages. */
static void read_messages(struct rip_child *child)
{
    char text[MESSAGE_BYTES];
    const ssize_t got = read(child->messages, text, sizeof text);

    if (got > 0) {
        hear(child, text, (size_t)got);
    } else if (got == 0 || (errno != EINTR && errno != EAGAIN)) {
        hear(child, "\n", 1);
        close_end(&child->messages);
    }
}

/* ---- Output -------------------------------------------------------------- */

static int64_t milliseconds(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* Waits for raster, at least a byte of which goes into the buffer, and hears
 * messages meanwhile. False when none comes any more; then the messages have
 * ended, too. */
static bool fill(struct rip_child *child)
{
    const int64_t end =
        milliseconds() + (int64_t)child->limits.silent_seconds * 1000;

    child->at = child->have = 0;
    while (!child->silent && (child->output >= 0 || child->messages >= 0)) {
        struct pollfd files[2] = {{.fd = child->output, .events = POLLIN},
                                  {.fd = child->messages, .events = POLLIN}};
        const int ready = poll(files, 2, LOOK_MS);

        child->silent = ready == 0 && milliseconds() >= end;
        if (child->silent || canceled())
            rip_child_stop(child);
        if (ready <= 0)
            continue;
        if (files[1].revents != 0)
            read_messages(child);
        if (files[0].revents != 0) {
            const ssize_t got =
                read(child->output, child->buffer, sizeof child->buffer);

            if (got > 0) {
                child->have = (size_t)got;
                return true;
            }
            if (got == 0 || (errno != EINTR && errno != EAGAIN))
                close_end(&child->output);
        }
    }
    return false;
}

bool rip_child_read(struct rip_child *child, void *data, size_t bytes)
{
    unsigned char *to = data;

    while (bytes > 0) {
        if (child->at == child->have && !fill(child))
            return false;

        const size_t left = child->have - child->at;
        const size_t some = bytes < left ? bytes : left;

        memcpy(to, child->buffer + child->at, some);
        child->at += some;
        to += some;
        bytes -= some;
    }
    return true;
}

bool rip_child_line(struct rip_child *child, char line[RIP_MAX_LINE])
{
    size_t length = 0;
    char next;

    while (rip_child_read(child, &next, 1)) {
        if (next == '\n') {
            line[length] = '\0';
            return true;
        }
        if (length < RIP_MAX_LINE - 1)
            line[length++] = next;
    }
    line[length] = '\0';
    return length > 0;
}

/* ---- Its end ------------------------------------------------------------- */

bool rip_child_fail(struct rip_child *child, const char *format, ...)
{
    char why[RIP_MAX_LINE];
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(why, sizeof why, format, arguments);
    va_end(arguments);
    message("ERROR", "The PDF cannot be read: %s", why);
    child->failed = true;
    rip_child_stop(child);
    return false;
}

/* Writes why it failed. */
static void report(struct rip_child *child, int status)
{
    const char *what = child->said[0] != '\0' ? child->said : "it says no more";
    const int signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
    char which[64] = ""; /* a page is to blame */

    if (child->page > 0)
        snprintf(which, sizeof which, "page %u is too complex: ", child->page);
    if (child->silent)
        rip_child_fail(child, "%snothing came from %s for %u seconds", which,
                       child->name, child->limits.silent_seconds);
    else if (signal == SIGXCPU)
        rip_child_fail(child, "%sit took %s more than %u seconds", which,
                       child->name, child->limits.page_seconds);
    else if (signal != 0)
        rip_child_fail(child, "%s was ended by signal %d (%s)", child->name,
                       signal, what);
    else
        rip_child_fail(child, "%s: %s", child->name, what);
}

bool rip_child_end(struct rip_child *child, bool well)
{
    const pid_t process = child->process;
    siginfo_t how;
    int status = 0, got;

    while (fill(child))
        ;
    if (child->output >= 0)
        close_end(&child->output);
    if (child->messages >= 0)
        close_end(&child->messages);
    /* Until it is waited for, its number is no other process's. */
    while (waitid(P_PID, (id_t)process, &how, WEXITED | WNOWAIT) < 0 &&
           errno == EINTR)
        ;
    kill(-process, SIGKILL); /* what it may have left in its group */
    while ((got = waitpid(process, &status, 0)) < 0 && errno == EINTR)
        ;
    child->process = 0;

    if (well && got == process && WIFEXITED(status) &&
        WEXITSTATUS(status) == 0) {
        if (rip_child_complained(child) && !child->warned) {
            message("WARNING",
                    "The PDF is damaged and may lack something: %s: %s",
                    child->name, child->said);
            child->warned = true;
        }
        return true;
    }
    if ((child->silent || !child->stopped) && !canceled())
        report(child, status);
    return false;
}
