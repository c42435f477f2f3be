/*
 * restart.c - prints what waits when the server starts.
 *
 * PAPPL 1.3 loads a job that was being printed as one that is (system-
 * loadsave.c:315), which nobody prints, and looks for jobs that wait when the
 * next one comes, or never. One without its document is aborted without a word
 * (:348), one without its attributes is there for ever (:337-342). Here PAPPL
 * loads a copy of the state in which that is corrected, by what was marked
 * after it was saved, its lines are such that PAPPL can read them (lines.c),
 * and each printer is looked at once the server runs.
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

/* ---- Messages of jobs ------------------------------------------------ */

/* Reports a job that was lost with the state: its client was not told, either.
 */
static void tell_begun(const struct marked *of, void *data)
{
    pappl_system_t *system = data;
    pappl_printer_t *printer =
        papplSystemFindPrinter(system, NULL, of->printer, NULL);

    if (printer != NULL && papplPrinterFindJob(printer, of->job) == NULL)
        papplLogPrinter(printer, PAPPL_LOGLEVEL_WARN,
                        "Job %d is not printed to its end: %s", of->job, lost);
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

/* Copies the line of a job, in the state that it has now. */
static void correct_job(pappl_system_t *system, int printer, const char *line,
                        FILE *to)
{
    cups_option_t *options = NULL;
    int count = cupsParseOptions(line + strlen(LINES_JOB), 0, &options);
    const int id = lines_number("id", count, options);
    const ipp_jstate_t saved =
        (ipp_jstate_t)lines_number("state", count, options);
    const ipp_jstate_t state = state_now(
        printer, id, saved, cupsGetOption("filename", count, options));
    const struct marked *marked = marks_find(printer, id);
    const char *message = marked != NULL && marked->why != NULL
                              ? marked->why
                              : cupsGetOption(MESSAGES_OPTION, count, options);
    char text[32];

    if (message != NULL)
        messages_keep(printer, id, message, false);
    count = cupsRemoveOption(MESSAGES_OPTION, count, &options);
    if (state != saved) {
        snprintf(text, sizeof text, "%d", (int)state);
        count = cupsAddOption("state", text, count, &options);
        if (state >= IPP_JSTATE_CANCELED) {
            snprintf(text, sizeof text, "%ld", (long)time(NULL));
            count = cupsAddOption("completed", text, count, &options);
            count = cupsRemoveOption("filename", count, &options);
        }
    }
    if (lines_mend_job(system, printer, &count, &options))
        lines_put(to, LINES_JOB, count, options);
    cupsFreeOptions(count, options);
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

static void correct_next(int printer, const char *line, FILE *to)
{
    const int next = atoi(line + strlen(START_OF_NEXT)),
              marked = marks_highest(printer), there = spool_highest(printer),
              highest = marked > there ? marked : there;

    fprintf(to, START_OF_NEXT "%d\n", next > highest ? next : highest + 1);
}

/* Copies the state, as it is now, but for printers that cannot be read. */
static bool correct(pappl_system_t *system, FILE *from, FILE *to)
{
    char *line = NULL;
    size_t room = 0;
    int printer = 0;
    bool skips = false;

    while (getline(&line, &room, from) > 0)
        if (begins(line, LINES_PRINTER)) {
            printer = correct_printer(system, line, to);
            skips = printer == 0;
        } else if (skips)
            skips = !begins(line, END_OF_PRINTER);
        else if (begins(line, LINES_JOB))
            correct_job(system, printer, line, to);
        else if (begins(line, START_OF_NEXT))
            correct_next(printer, line, to);
        else
            lines_copy(system, line, to);
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
    else if (marked != NULL && marked->start != NULL)
        snprintf(start, sizeof start, "%s", marked->start);
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

static void check(pappl_printer_t *printer, void *data)
{
    (void)data;
    _papplPrinterCheckJobs(printer);
}

/* When the server runs. */
static bool check_all(pappl_system_t *system, void *data)
{
    (void)data;
    papplSystemIteratePrinters(system, check, NULL);
    _papplSystemConfigChanged(system);
    return false;
}

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
    marks_each_begun(tell_begun, system);
    clean_all(system);
    again_begin(system);
    (void)papplSystemAddTimerCallback(system, 1, 0, check_all, NULL);
    return loaded;
}
