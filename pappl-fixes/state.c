/*
 * state.c - saves the server's state.
 *
 * PAPPL 1.3 writes the state into the file that it truncates (system-
 * loadsave.c:410), looks at no error, and does so when its main loop next
 * wakes: who is killed then, or has a full disk, has lost printers and jobs.
 * Here it writes into memory, and the file is replaced, in room that the disk
 * keeps for it: without that nothing is changed. What PAPPL reads of
 * printers when its server starts, but does not write, is added: their default
 * speed, and a darkness of 0; that they are paused (pauses.c), and messages of
 * jobs (messages.c).
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#define _GNU_SOURCE /* memfd_create() */

#include "config.h"

#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cups/cups.h>

#include "pappl-fixes/deletion.h"
#include "pappl-fixes/durable.h"
#include "pappl-fixes/job_files.h"
#include "pappl-fixes/lists.h"
#include "pappl-fixes/marks.h"
#include "pappl-fixes/messages.h"
#include "pappl-fixes/pauses.h"
#include "pappl-fixes/replaced.h"
#include "pappl-fixes/seconds.h"
#include "pappl-fixes/state.h"

#define MAX_PATH 1024
#define MOST_REST 1     /* s between two savings */
#define LOOK 1          /* s between two savings that nobody waits for */
#define MORE (64 << 10) /* bytes by which changes at a time may add to it */
#define LAST_SUCCESS ((ipp_status_t)0xff)

static const char start[] = "<Printer ";

static bool is_start(const char *line)
{
    return strncmp(line, start, strlen(start)) == 0;
}

/* The printer whose lines begin with this one, "<Printer id="1" ...>"; NULL =
 * it is another line. */
static pappl_printer_t *printer_of(pappl_system_t *system, const char *line)
{
    cups_option_t *options = NULL;

    if (!is_start(line))
        return NULL;
    const int count = cupsParseOptions(line + strlen(start), 0, &options);
    const char *id = cupsGetOption("id", count, options);
    pappl_printer_t *printer =
        id != NULL && !deletion_is_done(atoi(id))
            ? REAL(papplSystemFindPrinter)(system, NULL, atoi(id), NULL)
            : NULL;

    cupsFreeOptions(count, options);
    return printer;
}

static void add_lines(FILE *to, pappl_printer_t *printer)
{
    pappl_pr_driver_data_t data;

    papplPrinterGetDriverData(printer, &data);
    if (data.speed_default > 0)
        fprintf(to, "print-speed-default %d\n", data.speed_default);
    if (data.darkness_configured == 0 && data.darkness_supported > 0)
        fputs("printer-darkness-configured 0\n", to);
    if (pauses_is(papplPrinterGetID(printer)))
        fputs(PAUSES_LINE "\n", to);
}

/* Copies the state, with what is missing behind the first line of each printer,
 * for the same readers, and without the printers that are deleted. */
static bool complete(pappl_system_t *system, FILE *from, FILE *to)
{
    struct message *messages = NULL; /* of the printer that is copied */
    char *line = NULL;
    size_t room = 0;
    bool deleted = false;

    while (getline(&line, &room, from) > 0) {
        pappl_printer_t *printer = printer_of(system, line);

        if (is_start(line))
            deleted = printer == NULL;
        if (!deleted)
            messages_put(messages, line, to);
        if (printer != NULL) {
            add_lines(to, printer);
            messages_free(messages);
            messages = messages_of(printer);
        }
        if (strcmp(line, "</Printer>\n") == 0)
            deleted = false;
    }
    messages_free(messages);
    free(line);
    return !ferror(from) && fflush(to) == 0 && !ferror(to);
}

/* ---- Where it goes ------------------------------------------------------- */

static _Thread_local int memory = -1; /* for the state that PAPPL saves */

int state_memory(void)
{
    return memory;
}

/* Makes PAPPL save into memory. False with errno. */
static bool save_to_memory(pappl_system_t *system, const char *path,
                           FILE **from)
{
    const int made = memfd_create("state", MFD_CLOEXEC);

    if (made < 0)
        return false;
    memory = made;
    job_files_begin();
    const bool saved = REAL(papplSystemSaveState)(system, path),
               whole = job_files_end();

    /* PAPPL looks at no error: where a limit has cut the state off, no line
     * more fits. */
    const off_t size = lseek(made, 0, SEEK_END);
    const bool fits =
        size > 0 && durable_put(made, "\n", 1) && ftruncate(made, size) == 0;

    memory = -1;
    *from = saved && whole && fits && lseek(made, 0, SEEK_SET) == 0
                ? fdopen(made, "r")
                : NULL;
    if (*from == NULL)
        close(made);
    return *from != NULL;
}

/* False with errno. */
static bool save_to_disk(pappl_system_t *system, const char *path)
{
    char *data = NULL;
    size_t bytes = 0;
    FILE *from = NULL, *to;

    errno = ENOMEM;
    if (!save_to_memory(system, path, &from))
        return false;
    to = open_memstream(&data, &bytes);
    bool ok = to != NULL && complete(system, from, to);

    fclose(from);
    if (to != NULL)
        ok = fclose(to) == 0 && ok;
    ok = ok && papplfixes_save(path, data, bytes, 0600);
    free(data);
    return ok;
}

/* ---- When it is saved ---------------------------------------------------- */

static char state_path[MAX_PATH]; /* "" = there is none */
static pthread_mutex_t saving = PTHREAD_MUTEX_INITIALIZER;
static atomic_ulong wanted;
static atomic_bool is_due;
static unsigned long done;  /* of those wanted, with the lock */
static bool well;           /* whether the last one was saved, likewise */
static double began, ended; /* s; when that was, likewise */

void state_open(const char *path)
{
    snprintf(state_path, sizeof state_path, "%s", path);
    (void)durable_reserve(path, MORE);
}

/* Rests for as long as the last saving took, which has had the system's lock
 * all that time: whoever writes the system, as for each client, waits for a
 * moment without any reader. Needs the lock. */
static void rest(void)
{
    const double left = 2 * ended - began - seconds_now();
    const long ms = left < MOST_REST ? (long)(1000 * left) : 1000 * MOST_REST;

    if (left > 0)
        nanosleep(&(struct timespec){.tv_sec = ms / 1000,
                                     .tv_nsec = ms % 1000 * 1000000L},
                  NULL);
}

static bool save_now(pappl_system_t *system, const char *path)
{
    const unsigned long mine = ++wanted;

    deletion_enter(NULL, NULL);
    pthread_mutex_lock(&saving);
    if (done < mine) {
        rest();
        const unsigned long all = wanted;

        began = seconds_now();
        marks_turn();
        well = save_to_disk(system, path);
        if (well)
            marks_drop();
        else
            papplLog(system, PAPPL_LOGLEVEL_ERROR, "Cannot save %s: %s", path,
                     strerror(errno));
        done = all;
        (void)durable_reserve(path, MORE);
        ended = seconds_now();
    }
    const bool ok = well;

    pthread_mutex_unlock(&saving);
    marks_saved(ok);
    deletion_leave();
    return ok;
}

bool state_save(pappl_system_t *system)
{
    return state_path[0] == '\0' || save_now(system, state_path);
}

/* PAPPL's main loop calls this whenever it wakes, and takes no client
 * meanwhile: state_look() does it instead. */
bool papplSystemSaveState(pappl_system_t *system, const char *path)
{
    if (strcmp(path, state_path) != 0)
        return save_now(system, path);
    is_due = true;
    return true;
}

void state_look(pappl_system_t *system)
{
    static double last;

    if (seconds_now() - last < LOOK || !atomic_exchange(&is_due, false))
        return;
    (void)state_save(system); /* says what fails */
    last = seconds_now();
}

/* Tells whether a request changes the state. Others save their changes
 * themselves: receive.c, accepted.c, holds.c. */
static bool is_change(ipp_op_t operation)
{
    static const ipp_op_t changes[] = {
        IPP_OP_SET_PRINTER_ATTRIBUTES, IPP_OP_SET_SYSTEM_ATTRIBUTES,
        IPP_OP_CREATE_PRINTER,         IPP_OP_DELETE_PRINTER,
        IPP_OP_HOLD_NEW_JOBS,          IPP_OP_RELEASE_HELD_NEW_JOBS,
        IPP_OP_PAUSE_PRINTER,          IPP_OP_PAUSE_PRINTER_AFTER_CURRENT_JOB,
        IPP_OP_RESUME_PRINTER};

    for (size_t i = 0; i < sizeof changes / sizeof changes[0]; i++)
        if (operation == changes[i])
            return true;
    return false;
}

bool state_has_room(pappl_client_t *client)
{
    if (state_path[0] == '\0' ||
        !is_change(ippGetOperation(papplClientGetRequest(client))) ||
        durable_reserve(state_path, MORE))
        return true;
    papplClientRespondIPP(client, IPP_STATUS_ERROR_TEMPORARY,
                          "Nothing is changed: it cannot be kept on the disk, "
                          "which is full.");
    return false;
}

void state_save_change(pappl_client_t *client)
{
    const ipp_op_t operation = ippGetOperation(papplClientGetRequest(client));

    if (ippGetStatusCode(papplClientGetResponse(client)) > LAST_SUCCESS)
        return;
    if (is_change(operation))
        (void)state_save(papplClientGetSystem(client)); /* says what fails */
    /* With a document the answer is for what becomes of that: receive.c. */
    if (!marks_lost() || operation == IPP_OP_PRINT_JOB ||
        operation == IPP_OP_SEND_DOCUMENT)
        return;
    lists_clear(papplClientGetResponse(client));
    papplClientRespondIPP(client, IPP_STATUS_ERROR_TEMPORARY,
                          "It is done, but cannot be kept on the disk: it is "
                          "undone if the server ends.");
}
