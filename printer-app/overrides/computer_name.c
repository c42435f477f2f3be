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
#include <string.h>
#include <unistd.h>

#include <cups/file.h>

#include "printer-app/overrides/pappl.h"

typedef cups_file_t *open_file(const char *name, const char *mode);

/* Of libavahi-client, which is PAPPL's alone. */
int avahi_client_set_host_name(void *client, const char *name);

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

cups_file_t *cupsFileOpen(const char *name, const char *mode)
{
    open_file *cups;

    if (name != NULL && strcmp(name, "/etc/hostname") == 0) {
        errno = EPERM;
        return NULL;
    }
    override_find(&cups, "cupsFileOpen");
    return cups != NULL ? cups(name, mode) : NULL;
}
