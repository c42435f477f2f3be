/*
 * outlet.c - a pipe for our dots, and a program that reads them.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#define _GNU_SOURCE /* pipe2(), F_SETPIPE_SZ */

#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "page/message.h"
#include "page/owner.h"
#include "filter/outlet.h"

#define DOTS_PIPE (1 << 20) /* bytes that wait for the packer */

extern char **environ;

/* Starts it behind a pipe that takes the place of standard output. The pipe is
 * larger than usual, if the system lets it. Returns an errno, or 0. */
static int start(struct packer *packer, const char *name,
                 char *const arguments[5])
{
    int dots[2];

    if (pipe2(dots, O_CLOEXEC) < 0)
        return errno;
    fcntl(dots[1], F_SETPIPE_SZ, DOTS_PIPE);

    int error = packer_start(packer, name, arguments, environ, dots[0],
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

bool outlet_open(struct packer *packer, const char *name, char *const argv[],
                 const char *copies)
{
    char *const arguments[5] = {argv[1], argv[2], argv[3], (char *)copies,
                                argv[5]};
    char path[CHOICE_MAX_PATH];

    packer->name = NULL; /* there is none */
    if (name[0] == '\0')
        return true;
    packer_path(name, path);
    const int error = start(packer, name, arguments);
    if (error != 0) {
        message("ERROR", "Cannot start the packer \"%s\": %s", path,
                strerror(error));
        packer->name = NULL;
        return false;
    }
    message("DEBUG", "rastertohalftone: the packer is %s", path);
    return true;
}

bool outlet_close(struct packer *packer, bool all)
{
    if (packer->name == NULL)
        return all;
    if (canceled())
        kill(packer->program.process, SIGTERM);
    close(STDOUT_FILENO);
    const bool well = packer_end(packer);

    if (canceled())
        return true;
    if (well && !all)
        message("ERROR", "The packer \"%s\" ended before the raster did",
                packer->name);
    return well && all;
}
