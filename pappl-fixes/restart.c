/*
 * restart.c - prints what waits when the server starts.
 *
 * PAPPL 1.3 loads a job that was being printed as one that is (system-
 * loadsave.c:315), which nobody prints, and looks for jobs that wait when the
 * next one comes, or never. One without its document is aborted without a word
 * (:348), one without its attributes is there for ever (:337-342). Here PAPPL
 * loads a copy of the state in which that is corrected, by what was marked
 * after it was saved, and whose lines PAPPL can read (lines.c). What waits is
 * printed once the server runs (queue.c).
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#define _GNU_SOURCE /* memfd_create() */

#include "config.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cups/cups.h>

#include "pappl-fixes/again.h"
#include "pappl-fixes/job_files.h"
#include "pappl-fixes/lines.h"
#include "pappl-fixes/marks.h"
#include "pappl-fixes/messages.h"
#include "pappl-fixes/pauses.h"
#include "pappl-fixes/replaced.h"
#include "pappl-fixes/restart.h"
#include "pappl-fixes/server.h"
#include "pappl-fixes/spool.h"
#include "pappl-fixes/state.h"

#define MAX_PATH 1024
#define END_OF_PRINTER "</Printer>"
#define START_OF_NEXT "NextJobId "

static const char again[] =
    "Printed again from its start, after the server ended while it was printed";
static const char lost[] = "The server ended before it had the whole document";

bool restart_is_note(const char *message)
{
    return strcmp(message, again) == 0;
}

/* ---- The jobs of the state ----------------------------------------------- */

static bool is_there(const char *path)
{
    struct stat info;

    return stat(path, &info) == 0 && S_ISREG(info.st_mode);
}

/* Whether PAPPL finds the attributes of a job. They are beside its document, by
 * the same name, if it came from a client. */
static bool has_attributes(int printer, int job, const char *document)
{
    char path[MAX_PATH], name[32];
    const char *slash = strrchr(document, '/');
    char *dot;

    snprintf(name, sizeof name, "p%05dj%09d-", printer, job);
    snprintf(path, sizeof path, "%s", document);
    dot = strrchr(path, '.');
    if (slash == NULL || strncmp(slash + 1, name, strlen(name)) != 0 ||
        dot == NULL)
        return true;
    snprintf(dot, sizeof path - (size_t)(dot - path), ".ipp");
    return is_there(path);
}

/* Returns the state that the job has now. */
static ipp_jstate_t state_now(int printer, int job, ipp_jstate_t saved,
                              const char *document)
{
    const struct marked *marked = marks_find(printer, job);
    ipp_jstate_t state = saved;

    if (saved >= IPP_JSTATE_CANCELED)
        return saved;
    if (marked != NULL && marked->state != MARKS_NEW)
        state = marked->state;
    if (state >= IPP_JSTATE_CANCELED)
        return state;
    if (document == NULL || !is_there(document) ||
        !has_attributes(printer, job, document)) {
        messages_keep(printer, job, lost, true);
        return IPP_JSTATE_ABORTED;
    }
    if (marked != NULL && marked->begun)
        messages_keep(printer, job, again, true);
    return state == IPP_JSTATE_HELD ? IPP_JSTATE_HELD : IPP_JSTATE_PENDING;
}

static int add_number(const char *name, long value, int count,
                      cups_option_t **options)
{
    char text[32];

    snprintf(text, sizeof text, "%ld", value);
    return cupsAddOption(name, text, count, options);
}

/* Writes the line of a job, in the state that it has now. Frees the options. */
static void put_job(pappl_system_t *system, int printer, int count,
                    cups_option_t *options, FILE *to)
{
    const int id = lines_number("id", count, options);
    const ipp_jstate_t saved =
        (ipp_jstate_t)lines_number("state", count, options);
    const ipp_jstate_t state = state_now(
        printer, id, saved, cupsGetOption("filename", count, options));
    const struct marked *marked = marks_find(printer, id);
    const char *message = marked != NULL && marked->why != NULL
                              ? marked->why
                              : cupsGetOption(MESSAGES_OPTION, count, options);

    if (message != NULL)
        messages_keep(printer, id, message, false);
    count = cupsRemoveOption(MESSAGES_OPTION, count, &options);
    if (state < IPP_JSTATE_CANCELED)
        count = add_number("state_reasons",
                           lines_number("state_reasons", count, options) &
                               PAPPL_JREASON_JOB_HOLD_UNTIL_SPECIFIED,
                           count, &options);
    if (state != saved) {
        count = add_number("state", state, count, &options);
        if (state >= IPP_JSTATE_CANCELED) {
            count = add_number("completed", time(NULL), count, &options);
            count = cupsRemoveOption("filename", count, &options);
        }
    }
    if (lines_mend_job(system, printer, &count, &options))
        lines_put(to, LINES_JOB, count, options);
    cupsFreeOptions(count, options);
}

/* A printer's lines, as they are copied. */
struct copied {
    pappl_system_t *system;
    FILE *to;
    int printer;
    int next; /* number of the first job that the state does not have */
};

/* Adds a job that was made behind the last saving, and whose document, if it
 * had one, was not answered as kept. */
static void put_marked(const struct marked *of, void *data)
{
    const struct copied *at = data;
    cups_option_t *options = NULL;
    int count = of->made != NULL ? cupsParseOptions(of->made, 0, &options) : 0;

    count = cupsRemoveOption(MARKS_START, count, &options);
    count = add_number("id", of->job, count, &options);
    put_job(at->system, of->printer, count, options, at->to);
}

/* Copies the line of a printer. Returns its number; 0 = it cannot be read. */
static int correct_printer(pappl_system_t *system, char *line, FILE *to)
{
    cups_option_t *options = NULL;

    line[strcspn(line, "\n")] = '\0';
    if (*line != '\0' && line[strlen(line) - 1] == '>')
        line[strlen(line) - 1] = '\0';
    int count = cupsParseOptions(line + strlen(LINES_PRINTER), 0, &options);
    const int id = lines_mend_printer(system, &count, &options)
                       ? lines_number("id", count, options)
                       : 0;

    if (id > 0)
        lines_put(to, LINES_PRINTER, count, options);
    cupsFreeOptions(count, options);
    return id;
}

static bool begins(const char *line, const char *with)
{
    return strncmp(line, with, strlen(with)) == 0;
}

static void see_next(const struct marked *of, void *data)
{
    int *next = data;

    if (of->job >= *next)
        *next = of->job + 1;
}

static void correct_next(struct copied *at, const char *line)
{
    int next = spool_highest(at->printer) + 1;

    at->next = atoi(line + strlen(START_OF_NEXT));
    if (next < at->next)
        next = at->next;
    marks_each(at->printer, next, see_next, &next);
    fprintf(at->to, START_OF_NEXT "%d\n", next);
}

/* Copies the state, as it is now, but for printers that cannot be read. */
static bool correct(pappl_system_t *system, FILE *from, FILE *to)
{
    struct copied at = {.system = system, .to = to};
    char *line = NULL;
    size_t room = 0;
    bool skips = false;

    while (getline(&line, &room, from) > 0)
        if (begins(line, LINES_PRINTER)) {
            at.printer = correct_printer(system, line, to);
            skips = at.printer == 0;
        } else if (skips)
            skips = !begins(line, END_OF_PRINTER);
        else if (begins(line, LINES_JOB)) {
            cups_option_t *options = NULL;
            const int count =
                cupsParseOptions(line + strlen(LINES_JOB), 0, &options);

            put_job(system, at.printer, count, options, to);
        } else if (begins(line, START_OF_NEXT))
            correct_next(&at, line);
        else if (begins(line, PAUSES_LINE))
            pauses_add(at.printer);
        else {
            if (begins(line, END_OF_PRINTER))
                marks_each(at.printer, at.next, put_marked, &at);
            lines_copy(system, line, to);
        }
    free(line);
    return !ferror(from) && fflush(to) == 0 && !ferror(to);
}

/* ---- Documents that nobody prints ---------------------------------------- */

/* Files whose jobs this server does not know. */
struct unknown {
    pappl_system_t *system;
    unsigned count;
    char first[MAX_PATH];
};

/* Copies how the names of the files of a job begin whose printer is gone. */
static void copy_start(const struct marked *of, char start[MAX_PATH])
{
    cups_option_t *options = NULL;
    const int count = cupsParseOptions(of->made, 0, &options);
    const char *marked = cupsGetOption(MARKS_START, count, options);

    snprintf(start, MAX_PATH, "%s", marked != NULL ? marked : "");
    cupsFreeOptions(count, options);
}

/* Removes a file that a server that was killed had begun to take, or was about
 * to remove. Its name, beside its numbers, has to be that which the job's files
 * got: another application's in the folder may have the same numbers. */
static void clean(const struct spool_name *of, void *data)
{
    struct unknown *unknown = data;
    pappl_printer_t *printer =
        papplSystemFindPrinter(unknown->system, NULL, of->printer, NULL);
    pappl_job_t *job =
        printer != NULL ? papplPrinterFindJob(printer, of->job) : NULL;
    const struct marked *marked = marks_find(of->printer, of->job);
    char start[MAX_PATH] = "";

    if (job != NULL)
        job_files_start(job, start);
    else if (marked != NULL && marked->made != NULL)
        copy_start(marked, start);
    if (start[0] == '\0' || strncmp(of->name, start, strlen(start)) != 0) {
        if (unknown->count++ == 0)
            snprintf(unknown->first, MAX_PATH, "%s", of->name);
    } else if ((job == NULL || papplJobGetState(job) >= IPP_JSTATE_CANCELED) &&
               unlinkat(of->folder, of->name, 0) < 0)
        papplLog(unknown->system, PAPPL_LOGLEVEL_WARN, "Cannot remove %s: %s",
                 of->name, strerror(errno));
}

static void clean_all(pappl_system_t *system)
{
    struct unknown unknown = {.system = system};

    spool_each(clean, &unknown);
    if (unknown.count > 0)
        papplLog(system, PAPPL_LOGLEVEL_WARN,
                 "The folder of documents has %u of no job of this server, "
                 "which stay, such as %s.",
                 unknown.count, unknown.first);
}

/* ---- Loading
 * ----------------------------------------------------------------- */

bool papplSystemLoadState(pappl_system_t *system, const char *path)
{
    char copy[MAX_PATH];
    FILE *from, *to = NULL;

    snprintf(copy, sizeof copy, "%s.lock", path);
    server_lock(system, "state", path, copy);
    state_open(path);
    marks_open(path);
    from = fopen(path, "re");
    if (from == NULL && errno == ENOENT) {
        again_begin(system);
        return false; /* it is the first time */
    }
    const int file = memfd_create("state", MFD_CLOEXEC);

    snprintf(copy, sizeof copy, "/proc/self/fd/%d", file);
    if (from != NULL && file >= 0)
        to = fdopen(file, "w");
    if (to == NULL || !correct(system, from, to))
        server_fail(system, "Cannot read the state in %s: %s", path,
                    strerror(errno));
    fclose(from);

    const bool loaded = REAL(papplSystemLoadState)(system, copy);

    fclose(to);
    messages_tell(system);
    papplSystemIteratePrinters(system, pauses_begin, NULL);
    clean_all(system);
    again_begin(system);
    return loaded;
}
