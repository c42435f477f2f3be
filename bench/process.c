/*
 * process.c - posix_spawn() and a clock.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <fcntl.h>
#include <spawn.h>
#include <stddef.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bench/clock.h"
#include "bench/process.h"

extern char **environ;

double process_run(const char *const *arguments, const char *input)
{
    posix_spawn_file_actions_t files;
    double start = now();
    pid_t pid = 0;
    int failed, status = 0;

    posix_spawn_file_actions_init(&files);
    posix_spawn_file_actions_addopen(&files, STDIN_FILENO, input, O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&files, STDOUT_FILENO, "/dev/null",
                                     O_WRONLY, 0);
    posix_spawn_file_actions_addopen(&files, STDERR_FILENO, "/dev/null",
                                     O_WRONLY, 0);
    failed = posix_spawnp(&pid, arguments[0], &files, NULL,
                          (char *const *)arguments, environ);
    posix_spawn_file_actions_destroy(&files);
    if (failed != 0 || waitpid(pid, &status, 0) != pid || !WIFEXITED(status) ||
        WEXITSTATUS(status) != 0)
        return -1;
    return now() - start;
}
