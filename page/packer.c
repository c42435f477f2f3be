/*
 * packer.c - starts a packer, and says how it has ended.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <stdio.h>
#include <string.h>
#include <sys/wait.h>

#include "page/message.h"
#include "page/owner.h"
#include "page/packer.h"

void packer_path(const char *name, char path[CHOICE_MAX_PATH])
{
    snprintf(path, CHOICE_MAX_PATH, "%s/filter/%s", choice_program_directory(),
             name);
}

int packer_start(struct packer *packer, const char *name,
                 char *const arguments[5], char *const environment[], int input,
                 int output, int closed)
{
    char path[CHOICE_MAX_PATH];
    char *argv[7] = {(char *)name};

    memcpy(argv + 1, arguments, 5 * sizeof *arguments);
    *packer = (struct packer){.name = name};
    packer_path(name, path);
    return program_start(&packer->program, path, argv, environment, input,
                         output, closed, -1);
}

bool packer_end(struct packer *packer)
{
    int status = 0;
    const int error = program_end(&packer->program, &status);

    if (error == 0 && WIFEXITED(status) && WEXITSTATUS(status) == 0)
        return true;
    if (canceled()) /* perhaps before there was a page */
        return false;
    if (error != 0)
        message("ERROR", "Cannot wait for the packer \"%s\": %s", packer->name,
                strerror(error));
    else if (WIFEXITED(status))
        message("ERROR", "The packer \"%s\" failed with exit status %d",
                packer->name, WEXITSTATUS(status));
    else
        message("ERROR", "The packer \"%s\" was ended by signal %d",
                packer->name, WTERMSIG(status));
    return false;
}
