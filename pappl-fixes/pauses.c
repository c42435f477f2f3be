/*
 * pauses.c - a printer that is paused stays so until it is resumed.
 *
 * PAPPL 1.3 forgets it when the server ends (system-loadsave.c:452-483); and
 * where a job has its turn, but has not begun, it calls the printer stopped
 * (printer-accessors.c:932), and idle when that job ends. Here it is a line of
 * the state.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <pthread.h>
#include <stdlib.h>

#include "pappl-fixes/pauses.h"
#include "pappl-fixes/replaced.h"

struct pause {
    struct pause *next;
    int id; /* of a printer; none is used again */
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct pause *all; /* with the lock */

/* Needs the lock. */
static struct pause **find(int id)
{
    struct pause **at = &all;

    while (*at != NULL && (*at)->id != id)
        at = &(*at)->next;
    return at;
}

/* Needs the lock. */
static void add(int id)
{
    struct pause **at = find(id);

    if (*at == NULL && (*at = calloc(1, sizeof **at)) != NULL)
        (*at)->id = id;
}

/* Needs the lock. */
static void drop(int id)
{
    struct pause **at = find(id), *gone = *at;

    if (gone != NULL)
        *at = gone->next;
    free(gone);
}

bool pauses_is(int id)
{
    pthread_mutex_lock(&lock);
    const bool is = *find(id) != NULL;

    pthread_mutex_unlock(&lock);
    return is;
}

void pauses_add(int id)
{
    pthread_mutex_lock(&lock);
    add(id);
    pthread_mutex_unlock(&lock);
}

/* With the lock: who resumes the printer does so before this, or behind it. */
void pauses_begin(pappl_printer_t *printer, void *unused)
{
    (void)unused;
    pthread_mutex_lock(&lock);
    if (*find(papplPrinterGetID(printer)) != NULL)
        REAL(papplPrinterPause)(printer);
    pthread_mutex_unlock(&lock);
}

/* ---- Replaced functions -------------------------------------------------- */

/* PAPPL pauses NULL for Pause-All-Printers, and resumes it. */
void papplPrinterPause(pappl_printer_t *printer)
{
    if (printer == NULL)
        return;
    pthread_mutex_lock(&lock);
    add(papplPrinterGetID(printer));
    REAL(papplPrinterPause)(printer);
    pthread_mutex_unlock(&lock);
    _papplSystemConfigChanged(papplPrinterGetSystem(printer));
}

/* PAPPL looks for jobs to print, who ask whether it is paused. */
void papplPrinterResume(pappl_printer_t *printer)
{
    if (printer == NULL)
        return;
    pthread_mutex_lock(&lock);
    drop(papplPrinterGetID(printer));
    pthread_mutex_unlock(&lock);
    REAL(papplPrinterResume)(printer);
    _papplSystemConfigChanged(papplPrinterGetSystem(printer));
}
