/*
 * certificate.c - the server's certificate and key are in a folder of its own.
 *
 * PAPPL 1.3 leaves it to libcups where they are, and libcups makes them when
 * the first client wants TLS (_papplSystemSetHostNameNoLock,
 * system-accessors.c:1815): of root in cupsd's folder, where a key that all
 * users may read is the next one of cupsd, and of others in ~/.cups/ssl, among
 * the certificates of servers that the user trusts.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <stdio.h>
#include <sys/stat.h>

#include "printer-app/app.h"
#include "pappl-fixes/pappl.h"

#define MAX_PATH 1024

typedef int set(const char *path, const char *name, int makes_it);

int cupsSetServerCredentials(const char *path, const char *name, int makes_it)
{
    char own[MAX_PATH];
    set *cups;

    override_find(&cups, "cupsSetServerCredentials");
    if (cups == NULL)
        return 0;
    if (path == NULL) {
        snprintf(own, sizeof own, "%s/ssl", app_state_directory());
        (void)mkdir(app_state_directory(), 0700);
        (void)mkdir(own, 0700); /* the key's own mode is the umask's */
        path = own;
    }
    return cups(path, name, makes_it);
}
