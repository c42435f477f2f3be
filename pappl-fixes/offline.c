/*
 * offline.c - printers whose device cannot be opened while a job waits for it.
 *
 * PAPPL 1.3 tries again every 5 s, and says meanwhile that the printer is
 * stopped, for the reason "paused" (start_job, job-process.c:1095-1109;
 * printer- ipp.c:700-760), as if somebody had paused it: clients tell their
 * users to resume it. IPP has a state for that (RFC 8011, 5.4.12):
 * "processing", for the reason "connecting-to-device"; "offline" is PAPPL's
 * own. Why the device cannot be opened is in the log alone, every 5 s. Here it
 * is kept, and told (answers.c).
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "halftone/base/utf8.h"
#include "pappl-fixes/offline.h"
#include "pappl-fixes/replaced.h"

struct offline {
    struct offline *next;
    int id; /* of the printer */
    char why[OFFLINE_WHY];
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct offline *all; /* with the lock, as all that it has */

/* Returns where the printer of that number is, or would be. Needs the lock. */
static struct offline **find(int id)
{
    struct offline **at = &all;

    while (*at != NULL && (*at)->id != id)
        at = &(*at)->next;
    return at;
}

/* Notes why; false if that was known. */
static bool note(int id, const char *why)
{
    bool is_new = false;

    pthread_mutex_lock(&lock);
    struct offline **at = find(id);

    if (*at == NULL && (*at = calloc(1, sizeof **at)) != NULL)
        (*at)->id = id;
    if (*at != NULL) {
        is_new = strcmp((*at)->why, why) != 0;
        utf8_copy((*at)->why, sizeof(*at)->why, why, '?');
    }
    pthread_mutex_unlock(&lock);
    return is_new;
}

void offline_begin(pappl_printer_t *printer, const char *why)
{
    if (note(papplPrinterGetID(printer), why))
        papplLogPrinter(printer, PAPPL_LOGLEVEL_ERROR,
                        "Waiting for the printer: %s", why);
    papplPrinterSetReasons(printer, PAPPL_PREASON_OFFLINE, PAPPL_PREASON_NONE);
}

void offline_end(pappl_system_t *system, int id)
{
    pthread_mutex_lock(&lock);
    struct offline **at = find(id), *gone = *at;

    if (gone != NULL)
        *at = gone->next;
    pthread_mutex_unlock(&lock);
    if (gone == NULL)
        return;
    free(gone);
    pappl_printer_t *printer = papplSystemFindPrinter(system, NULL, id, NULL);

    if (printer == NULL)
        return;
    papplPrinterSetReasons(printer, PAPPL_PREASON_NONE, PAPPL_PREASON_OFFLINE);
    papplLogPrinter(printer, PAPPL_LOGLEVEL_INFO,
                    "Waits for the printer no longer.");
}

bool offline_is(pappl_printer_t *printer, char why[OFFLINE_WHY])
{
    pthread_mutex_lock(&lock);
    const struct offline *at = *find(papplPrinterGetID(printer));

    if (at != NULL)
        utf8_copy(why, OFFLINE_WHY, at->why, '?');
    pthread_mutex_unlock(&lock);
    return at != NULL;
}

/* ---- Opening ---------------------------------------------------------------
 */

static _Thread_local char *hears; /* while this thread opens a device */

/* Keeps the last line of a device that cannot be opened, which says why. */
static void say(const char *line, void *system)
{
    if (hears != NULL)
        utf8_copy(hears, OFFLINE_WHY, line, '?');
    else
        papplLogDevice(line, system);
}

pappl_device_t *papplfixes_open(pappl_printer_t *printer, const char *name)
{
    pappl_system_t *system = papplPrinterGetSystem(printer);
    const char *uri = papplPrinterGetDeviceURI(printer);
    char why[OFFLINE_WHY];

    utf8_copy(why, sizeof why, uri, '?');
    hears = why;
    pappl_device_t *device = REAL(papplDeviceOpen)(uri, name, say, system);

    hears = NULL;
    if (device != NULL)
        offline_end(system, papplPrinterGetID(printer));
    else
        offline_begin(printer, why);
    return device;
}

/* ---- State of the printer -------------------------------------------
 */

/* For web pages, and for those who look for the next job. */
ipp_pstate_t papplPrinterGetState(pappl_printer_t *printer)
{
    char why[OFFLINE_WHY];

    if (printer != NULL && offline_is(printer, why))
        return IPP_PSTATE_PROCESSING;
    return REAL(papplPrinterGetState)(printer);
}
