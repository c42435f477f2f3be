/*
 * packer.c - a pipe for our dots, and a program that reads them.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#define _GNU_SOURCE /* pipe2(), F_SETPIPE_SZ */

#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "page/choice.h"
#include "page/message.h"
#include "filter/packer.h"
#include "page/owner.h"

#define DOTS_PIPE (1 << 20) /* bytes that wait for the packer */

extern char **environ;

/* Starts it behind a pipe that takes the place of standard output. The pipe is
 * larger than usual, if the system lets it. Returns an errno, or 0. */
static int start(struct packer *packer, const char *path, char *const argv[])
{
    int dots[2];

    if (pipe2(dots, O_CLOEXEC) < 0)
        return errno;
    fcntl(dots[1], F_SETPIPE_SZ, DOTS_PIPE);

    int error = program_start(&packer->program, path, argv, environ, dots[0],
                              STDOUT_FILENO, PROGRAM_CLOSED_FILTER);
    close(dots[0]);
    if (error == 0 && dup2(dots[1], STDOUT_FILENO) < 0) {
        error = errno;
        kill(packer->program.process, SIGKILL);
        (void)program_end(&packer->program, &(int){0});
    }
    close(dots[1]);
    return error;
}

bool packer_start(struct packer *packer, const char *name, char *const argv[],
                  const char *copies)
{
    char path[CHOICE_MAX_PATH];
    char *const its[] = {(char *)name,   argv[1], argv[2], argv[3],
                         (char *)copies, argv[5], NULL};

    *packer = (struct packer){.name = NULL};
    if (name[0] == '\0')
        return true;
    snprintf(path, sizeof path, "%s/filter/%s", choice_program_directory(),
             name);
    int error = start(packer, path, its);
    if (error != 0) {
        message("ERROR", "Cannot start the packer \"%s\": %s", path,
                strerror(error));
        return false;
    }
    packer->name = name;
    message("DEBUG", "rastertohalftone: the packer is %s", path);
    return true;
}

/* Writes how it failed, if it did; when `all` that was to leave has not left,
 * that it has not read it, unless there was another error before. */
static bool report(const struct packer *packer, int status, bool all)
{
    bool well = WIFEXITED(status) && WEXITSTATUS(status) == 0;

    if (canceled() || (well && all))
        return true;
    if (well)
        message("ERROR", "The packer \"%s\" ended before the raster did",
                packer->name);
    else if (WIFEXITED(status))
        message("ERROR", "The packer \"%s\" failed with exit status %d",
                packer->name, WEXITSTATUS(status));
    else
        message("ERROR", "The packer \"%s\" was ended by signal %d",
                packer->name, WTERMSIG(status));
    return false;
}

bool packer_end(struct packer *packer, bool all)
{
    int status;

    if (packer->name == NULL)
        return all;
    if (canceled())
        kill(packer->program.process, SIGTERM);
    close(STDOUT_FILENO);
    int error = program_end(&packer->program, &status);

    if (error != 0) {
        message("ERROR", "Cannot wait for the packer \"%s\": %s", packer->name,
                strerror(error));
        return false;
    }
    return report(packer, status, all);
}
