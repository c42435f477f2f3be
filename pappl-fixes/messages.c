/*
 * messages.c - keeps messages of jobs in the state.
 *
 * PAPPL 1.3 does not save a job's message (papplSystemSaveState, system-
 * loadsave.c:549-605): after the server has started anew, a job that was
 * aborted says "Job aborted." alone. Here it is one more option of the job's
 * line, which restart.c takes out before PAPPL reads it.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "halftone/base/utf8.h"
#include "pappl-fixes/lines.h"
#include "pappl-fixes/locks.h"
#include "pappl-fixes/messages.h"

/* Adds a message; without memory there is none. */
static void add(struct message **all, int printer, int job, const char *text,
                bool is_new)
{
    struct message *message = malloc(sizeof *message + strlen(text) + 1);

    if (message == NULL)
        return;
    message->next = *all;
    message->printer = printer;
    message->job = job;
    message->is_new = is_new;
    utf8_copy(message->text, strlen(text) + 1, text, '?');
    *all = message;
}

/* ---- Saving ----------------------------------------------------------------
 */

static void read_job(pappl_job_t *job, void *data)
{
    const bool reads = locks_read(job);
    const char *text = papplJobGetMessage(job);

    if (text != NULL)
        add(data, 0, papplJobGetID(job), text, false);
    if (reads)
        locks_end(job);
}

struct message *messages_of(pappl_printer_t *printer)
{
    struct message *messages = NULL;

    papplPrinterIterateActiveJobs(printer, read_job, &messages, 1, 0);
    papplPrinterIterateCompletedJobs(printer, read_job, &messages, 1, 0);
    return messages;
}

void messages_free(struct message *messages)
{
    while (messages != NULL) {
        struct message *next = messages->next;

        free(messages);
        messages = next;
    }
}

static const char *find(const struct message *messages, const char *line)
{
    static const char id[] = " id=\""; /* not in a value, whose \" are \\\" */
    const char *at = strstr(line, id);
    const int job = at != NULL ? atoi(at + strlen(id)) : 0;

    while (messages != NULL && messages->job != job)
        messages = messages->next;
    return messages != NULL ? messages->text : NULL;
}

void messages_put(const struct message *messages, const char *line, FILE *to)
{
    const char *text =
        messages != NULL && strncmp(line, LINES_JOB, strlen(LINES_JOB)) == 0
            ? find(messages, line)
            : NULL;

    if (text == NULL) {
        fputs(line, to);
        return;
    }
    fprintf(to, "%.*s", (int)strcspn(line, "\n"), line);
    lines_put_option(to, MESSAGES_OPTION, text);
    fputc('\n', to);
}

/* ---- Loading ---------------------------------------------------------------
 */

static struct message *kept; /* before there are other threads */

void messages_keep(int printer, int job, const char *text, bool is_new)
{
    add(&kept, printer, job, text, is_new);
}

void messages_tell(pappl_system_t *system)
{
    for (const struct message *at = kept; at != NULL; at = at->next) {
        pappl_printer_t *printer =
            papplSystemFindPrinter(system, NULL, at->printer, NULL);
        pappl_job_t *job =
            printer != NULL ? papplPrinterFindJob(printer, at->job) : NULL;

        if (job == NULL)
            continue;
        if (at->is_new)
            papplLogJob(job, PAPPL_LOGLEVEL_WARN, "%s", at->text);
        papplJobSetMessage(job, "%s", at->text);
    }
    messages_free(kept);
    kept = NULL;
}
