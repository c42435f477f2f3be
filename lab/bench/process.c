/*
 * process.c - posix_spawn(), wait4() and a clock.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <assert.h>
#include <fcntl.h>
#include <spawn.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "lab/bench/clock.h"
#include "lab/bench/process.h"

extern char **environ;

/* Lets this process's peak of memory begin anew, because Linux counts it as the
 * child's: they share their memory until the child calls exec(). */
static void forget_peak(void)
{
    FILE *file = fopen("/proc/self/clear_refs", "w");

    if (file == NULL)
        return;
    fputs("5", file);
    fclose(file);
}

static bool start(pid_t *pid, const char *const *arguments, const char *input)
{
    posix_spawn_file_actions_t files;
    int failed;

    posix_spawn_file_actions_init(&files);
    posix_spawn_file_actions_addopen(&files, STDIN_FILENO, input, O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&files, STDOUT_FILENO, "/dev/null",
                                     O_WRONLY, 0);
    posix_spawn_file_actions_addopen(&files, STDERR_FILENO, "/dev/null",
                                     O_WRONLY, 0);
    failed = posix_spawnp(pid, arguments[0], &files, NULL,
                          (char *const *)arguments, environ);
    posix_spawn_file_actions_destroy(&files);
    return failed == 0;
}

/* Waits for the process and adds its CPU time. False if it failed. */
static bool await(pid_t pid, struct spent *spent)
{
    struct rusage usage;
    double peak;
    int status;

    if (wait4(pid, &status, 0, &usage) != pid)
        return false;
    peak = (double)usage.ru_maxrss / 1024;
    spent->cpu += busy_of(&usage);
    spent->peak = peak > spent->peak ? peak : spent->peak;
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

bool process_run_many(const char *const *arguments, const char *input,
                      unsigned count, struct spent *spent)
{
    pid_t pid[MAX_PROCESSES];
    unsigned started = 0;
    double from;
    bool ok;

    assert(count >= 1 && count <= MAX_PROCESSES);
    *spent = (struct spent){.wall = 0};
    forget_peak();
    from = now();
    while (started < count && start(&pid[started], arguments, input))
        started++;
    ok = started == count;
    for (unsigned i = 0; i < started; i++)
        ok = await(pid[i], spent) && ok;
    spent->wall = now() - from;
    return ok;
}

double process_run(const char *const *arguments, const char *input)
{
    struct spent spent;

    return process_run_many(arguments, input, 1, &spent) ? spent.wall : -1;
}
