/*
 * log.c - the log begins anew without a stop.
 *
 * PAPPL 1.3 (log.c:280-321, 383-413, 441-447) renames a log of 1 MiB, with the
 * log's lock, and then opens a new one and says so in it. If that one is large,
 * too, since no file can be renamed there, or standard error is a file, then
 * saying so takes the lock again, and the server stands still for ever. It also
 * closes the file under threads that write to it without the lock: what they
 * say may land in a file or a connection that got the number meanwhile. So the
 * log's number stays, and stands for the new file at once. What cannot be
 * renamed, grows.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#define _GNU_SOURCE /* dup3() */

#include "config.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "pappl-fixes/log.h"
#include "pappl-fixes/replaced.h"

#define MAX_PATH 1024

/* Path and number of the log's file, set before there are threads; "" and -1:
 * there is none. */
static char path[MAX_PATH];
static int number = -1;
static bool is_syslog;

const char *log_path(const char *name)
{
    is_syslog = name != NULL && strcmp(name, "syslog") == 0;
    if (name == NULL)
        snprintf(path, sizeof path, "%s/pappl%d.log", papplGetTempDir(),
                 (int)getpid());
    else if (strcmp(name, "-") != 0 && !is_syslog)
        snprintf(path, sizeof path, "%s", name);
    else
        return name;
    return path;
}

bool log_is_apart(void)
{
    return number >= 0 || is_syslog;
}

/* The number that the next file gets. */
static int next_number(void)
{
    const int next = open("/", O_RDONLY | O_CLOEXEC);

    close(next);
    return next;
}

static void open_first(pappl_system_t *system)
{
    if (path[0] != '\0')
        number = next_number();
    REAL(_papplLogOpen)(system);
    /* PAPPL takes standard error where it can open none. */
    if (fcntl(number, F_GETFD) < 0)
        number = -1;
}

/* Opens the log when the server begins, and again when PAPPL has renamed it,
 * which may be at once, or somebody else has (SIGHUP). */
void _papplLogOpen(pappl_system_t *system)
{
    static bool opened;

    if (!opened) {
        opened = true;
        open_first(system);
        return;
    }
    if (number < 0)
        return;
    const int file = open(
        path, O_CREAT | O_WRONLY | O_APPEND | O_NOFOLLOW | O_CLOEXEC, 0600);

    if (file < 0)
        return;
    (void)dup3(file, number, O_CLOEXEC);
    close(file);
}
