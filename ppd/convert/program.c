/*
 * program.c - programs whose standard output is read.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#define _GNU_SOURCE /* pipe2() */

#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include "ppd/convert/program.h"

extern char **environ;

bool program_start(struct other_program *program, const char *const argv[])
{
    posix_spawn_file_actions_t files;
    int ends[2];

    if (pipe2(ends, O_CLOEXEC) < 0)
        return false;
    posix_spawn_file_actions_init(&files);
    posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null",
                                     O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&files, ends[1], STDOUT_FILENO);
    posix_spawn_file_actions_addopen(&files, STDERR_FILENO, "/dev/null",
                                     O_WRONLY, 0);
    int error = posix_spawnp(&program->process, argv[0], &files, NULL,
                             (char *const *)argv, environ);
    posix_spawn_file_actions_destroy(&files);
    close(ends[1]);
    program->output = ends[0];
    if (error == 0)
        return true;
    close(ends[0]);
    errno = error;
    return false;
}

bool program_end(const struct other_program *program)
{
    int status;

    while (waitpid(program->process, &status, 0) < 0)
        if (errno != EINTR)
            return false;
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}
