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

#include <sys/stat.h>

#include "pappl-fixes/application.h"
#include "pappl-fixes/replaced.h"

int cupsSetServerCredentials(const char *path, const char *name, int makes_it)
{
    if (path == NULL && application()->certificates != NULL) {
        path = application()->certificates();
        (void)mkdir(path, 0700); /* the key's own mode is the umask's */
    }
    return REAL(cupsSetServerCredentials)(path, name, makes_it);
}
