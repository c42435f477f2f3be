/*
 * computer_name.c - the name of the server is not that of the computer.
 *
 * PAPPL 1.3 gives the computer the name that the server is to have: it writes
 * /etc/hostname, calls sethostname(), and has Avahi announce it
 * (_papplSystemSetHostNameNoLock, system-accessors.c:1752-1775), for an option
 * of the server and for a web page. Here nothing of it is done.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>

#include "pappl-fixes/replaced.h"
#include "pappl-fixes/state.h"

int avahi_client_set_host_name(void *client, const char *name)
{
    (void)client;
    (void)name;
    return 0;
}

int sethostname(const char *name, size_t length)
{
    (void)name;
    (void)length;
    return 0;
}

/* Opens no file for the name, and memory for the state (state.c). */
cups_file_t *cupsFileOpen(const char *name, const char *mode)
{
    const int memory = state_memory();

    if (name != NULL && strcmp(name, "/etc/hostname") == 0) {
        errno = EPERM;
        return NULL;
    }
    if (memory >= 0 && strcmp(mode, "w") == 0)
        return cupsFileOpenFd(fcntl(memory, F_DUPFD_CLOEXEC, 0), mode);
    return REAL(cupsFileOpen)(name, mode);
}
