/*
 * opened_files.c - which files PAPPL opens: the name of the computer never
 * (computer_name.c), the state not while it is saved (state.c).
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>

#include <cups/file.h>

#include "pappl-fixes/pappl.h"
#include "pappl-fixes/state.h"

typedef cups_file_t *open_file(const char *name, const char *mode);

cups_file_t *cupsFileOpen(const char *name, const char *mode)
{
    const int memory = state_memory();
    open_file *cups;

    if (name != NULL && strcmp(name, "/etc/hostname") == 0) {
        errno = EPERM;
        return NULL;
    }
    if (memory >= 0 && strcmp(mode, "w") == 0)
        return cupsFileOpenFd(fcntl(memory, F_DUPFD_CLOEXEC, 0), mode);
    override_find(&cups, "cupsFileOpen");
    return cups != NULL ? cups(name, mode) : NULL;
}
