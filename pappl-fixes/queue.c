/*
 * queue.c - jobs that nobody completes do not fill the server's memory.
 *
 * PAPPL 1.3 makes as many jobs as are asked for (printer.c:370), and keeps one
 * whose document does not come for ever, though it tells clients that after 60
 * s it is aborted ("multiple-operation-time-out", printer.c:556-560). It takes
 * jobs while the disk has no room for their documents. CUPS would then say of
 * each that it is completed; so here the printer accepts none meanwhile, and
 * CUPS prints at another one of a class.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <stdio.h>
#include <time.h>

#include "pappl-fixes/clients.h"
#include "pappl-fixes/replaced.h"
#include "pappl-fixes/queue.h"
#include "pappl-fixes/receive.h"
#include "pappl-fixes/spool.h"

#define LOOKS 4       /* in the time that a job may be without a document */
#define MOST_FOUND 64 /* jobs of a printer that are aborted in one look */

/* Set before there are jobs. */
static int most_jobs = QUEUE_JOBS;
static int most_seconds = QUEUE_SECONDS;

void queue_limit(int jobs, int seconds)
{
    most_jobs = jobs;
    most_seconds = seconds;
}

bool queue_has_room(pappl_client_t *client)
{
    const ipp_op_t operation = ippGetOperation(papplClientGetRequest(client));
    pappl_printer_t *printer = papplClientGetPrinter(client);
    const char *why = spool_is_full();

    if (operation != IPP_OP_PRINT_JOB && operation != IPP_OP_CREATE_JOB)
        return true;
    if (papplPrinterGetNumberOfActiveJobs(printer) >= most_jobs) {
        papplClientRespondIPP(client, IPP_STATUS_ERROR_TOO_MANY_JOBS,
                              "The printer has %d jobs that have not ended",
                              most_jobs);
        client_blame("There are too many jobs"); /* its document is not read */
        return false;
    }
    if (why == NULL)
        return true;
    papplClientRespondIPP(client, IPP_STATUS_ERROR_NOT_ACCEPTING_JOBS, "%s",
                          why);
    client_blame(why);
    return false;
}

void queue_tell_room(pappl_client_t *client)
{
    ipp_t *answer = papplClientGetResponse(client);
    ipp_attribute_t *accepts = ippFindAttribute(
                        answer, "printer-is-accepting-jobs", IPP_TAG_BOOLEAN),
                    *reasons = ippFindAttribute(answer, "printer-state-reasons",
                                                IPP_TAG_KEYWORD);

    if (spool_is_full() == NULL)
        return;
    if (accepts != NULL)
        ippSetBoolean(answer, &accepts, 0, 0);
    if (reasons != NULL)
        ippSetString(answer, &reasons,
                     ippContainsString(reasons, "none") ? 0
                                                        : ippGetCount(reasons),
                     "spool-area-full");
}

/* ---- Jobs without documents ------------------------------------------------
 */

/* Jobs by their numbers: they are ended when the printer is not locked. */
struct held_jobs {
    int numbers[MOST_FOUND];
    int count;
};

static void find(pappl_job_t *job, void *data)
{
    struct held_jobs *found = data;

    if (found->count < MOST_FOUND && papplJobGetState(job) == IPP_JSTATE_HELD &&
        papplJobGetFilename(job) == NULL &&
        papplJobGetTimeCreated(job) + most_seconds <= time(NULL))
        found->numbers[found->count++] = papplJobGetID(job);
}

static void look_at(pappl_printer_t *printer, void *data)
{
    struct held_jobs found = {.count = 0};
    char why[64];

    (void)data;
    papplPrinterIterateActiveJobs(printer, find, &found, 1, 0);
    snprintf(why, sizeof why, "No document has come for %d seconds",
             most_seconds);
    for (int i = 0; i < found.count; i++) {
        pappl_job_t *job = papplPrinterFindJob(printer, found.numbers[i]);

        if (job != NULL)
            receive_abandon(job, why);
    }
}

static bool look(pappl_system_t *system, void *data)
{
    papplSystemIteratePrinters(system, look_at, data);
    return true;
}

void queue_watch(pappl_system_t *system)
{
    const int interval = most_seconds / LOOKS;

    papplSystemAddTimerCallback(system, time(NULL), interval > 0 ? interval : 1,
                                look, NULL);
}
