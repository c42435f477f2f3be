/*
 * computer_name.c - the name of the server is not that of the computer.
 *
 * PAPPL 1.3 gives the computer the name that the server is to have: it writes
 * /etc/hostname, calls sethostname(), and has Avahi announce it
 * (_papplSystemSetHostNameNoLock, system-accessors.c:1752-1775), for an option
 * of the server and for a web page. Here nothing of it is done;
 * opened_files.c keeps the file shut.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <unistd.h>

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
