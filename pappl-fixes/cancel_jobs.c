/*
 * cancel_jobs.c - a request to cancel some jobs cancels no others.
 *
 * PAPPL 1.3 cancels all jobs of a printer for Cancel-My-Jobs, too, and for
 * Cancel-Jobs that has "job-ids" or "my-jobs" (ipp_cancel_jobs,
 * printer-ipp.c:1319-1336), and refuses both from other computers, whose users
 * may cancel their jobs one by one.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <strings.h>

#include "pappl-fixes/cancel_jobs.h"
#include "pappl-fixes/deletion.h"
#include "pappl-fixes/receive.h"
#include "pappl-fixes/replaced.h"

#define MAX_PATH 1024

/* Chooses jobs. */
struct choice {
    const char *user;         /* NULL = any */
    ipp_attribute_t *numbers; /* NULL = any */
    const char *why;          /* NULL = a user wants it */
    int after, next;          /* the lowest number after that; 0 = none */
};

static bool has_number(ipp_attribute_t *numbers, int number)
{
    for (int i = 0; i < ippGetCount(numbers); i++)
        if (ippGetInteger(numbers, i) == number)
            return true;
    return false;
}

static bool is_chosen(const struct choice *choice, pappl_job_t *job)
{
    return (choice->user == NULL ||
            strcasecmp(papplJobGetUsername(job), choice->user) == 0) &&
           (choice->numbers == NULL ||
            has_number(choice->numbers, papplJobGetID(job)));
}

static void find_next(pappl_job_t *job, void *data)
{
    struct choice *choice = data;
    const int number = papplJobGetID(job);

    if (number > choice->after &&
        (choice->next == 0 || number < choice->next) && is_chosen(choice, job))
        choice->next = number;
}

/* Returns the first number that is no chosen job's; 0 = all are. */
static int find_wrong(pappl_printer_t *printer, const struct choice *choice)
{
    for (int i = 0; i < ippGetCount(choice->numbers); i++) {
        const int number = ippGetInteger(choice->numbers, i);
        pappl_job_t *job = papplPrinterFindJob(printer, number);

        if (job == NULL || !is_chosen(choice, job))
            return number;
    }
    return 0;
}

/* None has the printer's lock meanwhile: that is what canceling waits for. */
static void cancel(pappl_printer_t *printer, struct choice *choice)
{
    do {
        choice->next = 0;
        papplPrinterIterateActiveJobs(printer, find_next, choice, 1, 0);
        pappl_job_t *job = papplPrinterFindJob(printer, choice->next);

        if (job != NULL)
            receive_cancel(job, LIFE_CANCEL, choice->why);
        choice->after = choice->next;
    } while (choice->next != 0);
}

/* PAPPL's tells no subscriber. */
void papplPrinterCancelAllJobs(pappl_printer_t *printer)
{
    cancel(printer, &(struct choice){.why = NULL});
}

/* Removes those of a job that is on its way out, which the next server would
 * not know to be its own. */
static void remove_files(pappl_job_t *job, void *data)
{
    char path[MAX_PATH];

    (void)data;
    (void)papplJobOpenFile(job, path, sizeof path, NULL, NULL, "x");
    (void)papplJobOpenFile(job, path, sizeof path, NULL, "ipp", "x");
}

/* Accepted jobs end, each with a reason. */
void papplPrinterDelete(pappl_printer_t *printer)
{
    if (!deletion_begin(printer))
        return;
    cancel(printer, &(struct choice){.why = "The printer was deleted"});
    papplPrinterIterateActiveJobs(printer, remove_files, NULL, 1, 0);
    deletion_end(printer);
}

/* PAPPL only marks a printer that has a job, goes on to take others, counts the
 * job as completed, and leaves the device open. */
bool delete_printer(pappl_client_t *client)
{
    pappl_printer_t *printer = papplClientGetPrinter(client);

    if (ippGetOperation(papplClientGetRequest(client)) !=
            IPP_OP_DELETE_PRINTER ||
        printer == NULL ||
        papplClientIsAuthorized(client) != HTTP_STATUS_CONTINUE)
        return false;
    papplPrinterDelete(printer);
    papplClientRespondIPP(client, IPP_STATUS_OK, NULL);
    return true;
}

/* Returns the user whose jobs the client calls its own. */
static const char *user_of(pappl_client_t *client)
{
    const char *proved = papplClientGetUsername(client);

    return proved != NULL && proved[0] != '\0'
               ? proved
               : ippGetString(ippFindAttribute(papplClientGetRequest(client),
                                               "requesting-user-name",
                                               IPP_TAG_NAME),
                              0, NULL);
}

bool cancel_jobs(pappl_client_t *client)
{
    ipp_t *request = papplClientGetRequest(client);
    pappl_printer_t *printer = papplClientGetPrinter(client);
    const ipp_op_t operation = ippGetOperation(request);
    struct choice choice = {
        .numbers = ippFindAttribute(request, "job-ids", IPP_TAG_INTEGER)};
    const bool mine =
        operation == IPP_OP_CANCEL_MY_JOBS ||
        ippGetBoolean(ippFindAttribute(request, "my-jobs", IPP_TAG_BOOLEAN), 0);

    if (operation != IPP_OP_CANCEL_MY_JOBS &&
        (operation != IPP_OP_CANCEL_JOBS || (choice.numbers == NULL && !mine)))
        return false;
    if (!_papplPrinterIsAuthorized(client))
        return true;
    choice.user = mine ? user_of(client) : NULL;
    const int wrong = find_wrong(printer, &choice);

    if (mine && choice.user == NULL)
        papplClientRespondIPP(client, IPP_STATUS_ERROR_BAD_REQUEST,
                              "There is no requesting-user-name.");
    else if (wrong != 0)
        papplClientRespondIPP(client, IPP_STATUS_ERROR_NOT_FOUND,
                              "%s has no job %d.",
                              mine ? choice.user : "The printer", wrong);
    else
        cancel(printer, &choice);
    return true;
}
