/*
 * ipp_job.c - a job at an IPP printer: one document of PWG raster, sent as it
 * comes. Create-Job comes first where the printer has it: the job's number,
 * which Cancel-Job needs, is then known before the first page is sent, and a
 * printer that is busy or refuses the job says so before, too.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "page/owner.h"
#include "printer-app/ipp/ipp_job.h"
#include "printer-app/ipp/ipp_ticket.h"

#define BUSY_PATIENCES 20     /* how long a busy printer is asked again */
#define STALLED_PATIENCES 240 /* how long one that takes no data may live */
#define MOST_DELAY 10         /* seconds between questions to a busy printer */
#define CANCEL_PATIENCE 5     /* seconds, while the document is under way */
#define FORMAT "image/pwg-raster"

struct ipp_job {
    const struct ipp_printer *printer;
    struct ipp_line line;
    int number;       /* at the printer; 0: not known */
    unsigned stalled; /* seconds in which nothing came or went */
    bool is_broken;   /* the document's connection */
};

static bool has_operation(ipp_t *about, ipp_op_t operation)
{
    ipp_attribute_t *known =
        ippFindAttribute(about, "operations-supported", IPP_TAG_ENUM);

    return known != NULL && ippContainsInteger(known, operation);
}

/* Sleeps, and sees every second whether the work is canceled; false if so. */
static bool rest(unsigned seconds)
{
    while (seconds-- > 0 && !canceled()) {
        const struct timespec second = {.tv_sec = 1};
        nanosleep(&second, NULL);
    }
    return !canceled();
}

static bool is_busy(ipp_t *answer)
{
    const ipp_status_t status = ippGetStatusCode(answer);

    return status == IPP_STATUS_ERROR_BUSY ||
           status == IPP_STATUS_ERROR_SERVICE_UNAVAILABLE ||
           status == IPP_STATUS_ERROR_TOO_MANY_JOBS ||
           status == IPP_STATUS_ERROR_NOT_ACCEPTING_JOBS ||
           status == IPP_STATUS_ERROR_TEMPORARY;
}

static ipp_t *request_for(const struct ipp_job *job, ipp_op_t operation,
                          const char *name)
{
    ipp_t *request = ipp_request(job->printer, operation);

    if (request == NULL)
        return NULL;
    if (job->number != 0)
        ippAddInteger(request, IPP_TAG_OPERATION, IPP_TAG_INTEGER, "job-id",
                      job->number);
    if (name != NULL)
        ippAddString(request, IPP_TAG_OPERATION, IPP_TAG_NAME, "job-name", NULL,
                     name);
    if (operation != IPP_OP_CREATE_JOB && operation != IPP_OP_CANCEL_JOB)
        ippAddString(request, IPP_TAG_OPERATION, IPP_TAG_MIMETYPE,
                     "document-format", NULL, FORMAT);
    if (operation == IPP_OP_SEND_DOCUMENT)
        ippAddBoolean(request, IPP_TAG_OPERATION, "last-document", 1);
    return request;
}

/* Asks for the job, or whether it would be taken, until the printer is not
 * busy. */
static bool agree(struct ipp_job *job, ipp_op_t operation, ipp_t *about,
                  const char *name, const struct pwg_pages *pages,
                  struct ipp_trouble *trouble)
{
    const unsigned most = BUSY_PATIENCES * job->printer->patience;
    unsigned waited = 0, delay = 1;

    for (;;) {
        ipp_t *request = request_for(job, operation, name);
        if (request != NULL)
            ipp_ticket(request, about, pages);
        ipp_t *answer = ipp_ask(job->printer, request, false, trouble);
        if (answer == NULL)
            return false;
        const bool agrees = ipp_agrees(answer, "the job", trouble);
        const bool again = is_busy(answer);
        job->number = ippGetInteger(
            ippFindAttribute(answer, "job-id", IPP_TAG_INTEGER), 0);
        ippDelete(answer);
        if (agrees && operation == IPP_OP_CREATE_JOB && job->number <= 0) {
            ipp_say(trouble, "The printer made a job without a number.");
            return false;
        }
        if (agrees || !again || waited >= most)
            return agrees;
        if (!rest(delay)) {
            ipp_say(trouble, "The job was canceled.");
            return false;
        }
        waited += delay;
        delay = delay * 2 < MOST_DELAY ? delay * 2 : MOST_DELAY;
    }
}

/* Whether the printer still answers, on another connection. */
static bool is_alive(const struct ipp_job *job)
{
    struct ipp_trouble none;
    ipp_t *request = ipp_request(job->printer, IPP_OP_GET_PRINTER_ATTRIBUTES);

    if (request != NULL)
        ippAddString(request, IPP_TAG_OPERATION, IPP_TAG_KEYWORD,
                     "requested-attributes", NULL, "printer-state");
    ipp_t *answer = ipp_ask(job->printer, request, false, &none);
    ippDelete(answer);
    return answer != NULL;
}

/* Whether to wait on after one more second in which nothing came or went. */
static bool waits_on(struct ipp_job *job)
{
    const unsigned patience = job->printer->patience;

    job->stalled++;
    return !canceled() && job->stalled < STALLED_PATIENCES * patience &&
           (job->stalled % patience != 0 || is_alive(job));
}

/* libcups asks so every second while it sends or reads. */
static int goes_on(http_t *http, void *context)
{
    struct ipp_job *job = context;

    (void)http;
    return !deadline_over(job->line.deadline) && waits_on(job);
}

/* Reads an answer that came before the document's end: it is no good one. */
static void early_answer(struct ipp_job *job, http_status_t status,
                         struct ipp_trouble *trouble)
{
    deadline_set(job->line.deadline, job->printer->patience);
    ipp_t *answer = ipp_answer(&job->line, status, trouble);

    if (answer != NULL && ipp_agrees(answer, "the document", trouble))
        ipp_say(trouble, "The printer ended the job before its last page.");
    ippDelete(answer);
}

/* Says why nothing went, perhaps in the printer's words. */
static void say_broken(struct ipp_job *job, struct ipp_trouble *trouble)
{
    const int error = httpError(job->line.http);

    job->is_broken = !canceled();
    if (canceled())
        ipp_say(trouble, "The job was canceled.");
    else if (job->stalled >= job->printer->patience)
        ipp_say(trouble, "The printer takes no more data and does not answer.");
    else if (httpWait(job->line.http, 0))
        early_answer(job, HTTP_STATUS_CONTINUE, trouble);
    else
        ipp_say(trouble, "The printer ended the connection: %s.",
                error != 0 ? strerror(error) : "no reason is known");
}

/* Sees whether the printer has said something: to go on, or else. */
static bool hears_no(struct ipp_job *job, struct ipp_trouble *trouble)
{
    if (!httpWait(job->line.http, 0))
        return false;
    deadline_set(job->line.deadline, job->printer->patience);
    const http_status_t status = httpUpdate(job->line.http);
    deadline_set(job->line.deadline, 0);
    if (status == HTTP_STATUS_CONTINUE)
        return false;
    job->is_broken = true;
    if (status == HTTP_STATUS_ERROR)
        ipp_say(trouble, "The printer ended the connection.");
    else
        early_answer(job, status, trouble);
    return true;
}

/* Begins the document's request; the raster comes behind it. */
static bool begin(struct ipp_job *job, ipp_op_t operation, ipp_t *about,
                  const char *name, const struct pwg_pages *pages,
                  struct ipp_trouble *trouble)
{
    ipp_t *request = request_for(job, operation,
                                 operation == IPP_OP_PRINT_JOB ? name : NULL);
    if (request == NULL) {
        ipp_say(trouble, "No memory for a request.");
        return false;
    }
    if (operation == IPP_OP_PRINT_JOB)
        ipp_ticket(request, about, pages);
    if (!ipp_connect(&job->line, job->printer, trouble)) {
        ippDelete(request);
        return false;
    }

    httpSetTimeout(job->line.http, 1.0, goes_on, job);
    deadline_set(job->line.deadline, job->printer->patience);
    const bool sent = ipp_send(&job->line, job->printer, request, 0);
    ippDelete(request);
    if (!sent) {
        say_broken(job, trouble);
        return false;
    }
    /* "Go on" is not due: some printers never say it. */
    httpWait(job->line.http, 1000);
    deadline_set(job->line.deadline, 0);
    return !hears_no(job, trouble);
}

struct ipp_job *ipp_job_start(const struct ipp_printer *printer, ipp_t *about,
                              const char *name, const struct pwg_pages *pages,
                              struct ipp_trouble *trouble)
{
    struct ipp_job *job = calloc(1, sizeof *job);
    if (job == NULL) {
        ipp_say(trouble, "No memory for a job.");
        return NULL;
    }
    job->printer = printer;

    const bool creates = has_operation(about, IPP_OP_CREATE_JOB) &&
                         has_operation(about, IPP_OP_SEND_DOCUMENT);
    if (agree(job, creates ? IPP_OP_CREATE_JOB : IPP_OP_VALIDATE_JOB, about,
              name, pages, trouble) &&
        begin(job, creates ? IPP_OP_SEND_DOCUMENT : IPP_OP_PRINT_JOB, about,
              name, pages, trouble))
        return job;
    ipp_job_cancel(job);
    return NULL;
}

bool ipp_job_write(struct ipp_job *job, const void *bytes, size_t size,
                   struct ipp_trouble *trouble)
{
    job->stalled = 0;
    if (hears_no(job, trouble))
        return false;
    if (size > 0 && httpWrite2(job->line.http, bytes, size) < 0) {
        say_broken(job, trouble);
        return false;
    }
    return true;
}

/* Sends the end of the document, and waits until an answer begins. */
static bool finish(struct ipp_job *job, struct ipp_trouble *trouble)
{
    job->stalled = 0;
    if (hears_no(job, trouble))
        return false;
    if (httpWrite2(job->line.http, "", 0) < 0 ||
        httpFlushWrite(job->line.http) < 0) {
        say_broken(job, trouble);
        return false;
    }
    while (!httpWait(job->line.http, 1000))
        if (!waits_on(job)) {
            say_broken(job, trouble);
            return false;
        }
    return true;
}

bool ipp_job_end(struct ipp_job *job, struct ipp_trouble *trouble)
{
    ipp_t *answer = NULL;

    if (finish(job, trouble)) {
        deadline_set(job->line.deadline, job->printer->patience);
        answer = ipp_answer(&job->line, HTTP_STATUS_CONTINUE, trouble);
    }
    const bool agrees =
        answer != NULL && ipp_agrees(answer, "the document", trouble);
    ippDelete(answer);
    if (answer == NULL) { /* whatever became of it */
        job->is_broken = true;
        ipp_job_cancel(job);
        return false;
    }
    ipp_disconnect(&job->line);
    free(job);
    return agrees;
}

/* Asks the printer to cancel the job; false if it does not answer. */
static bool ask_to_cancel(const struct ipp_job *job, unsigned patience)
{
    struct ipp_printer printer = *job->printer;
    struct ipp_trouble none;

    if (printer.patience > patience)
        printer.patience = patience;
    ipp_t *answer = ipp_ask(&printer, request_for(job, IPP_OP_CANCEL_JOB, NULL),
                            true, &none);
    ippDelete(answer);
    return answer != NULL;
}

/* Before the document is broken off, as some printers take what they have then
 * for all of it, and print that; but there are printers, too, that hear no
 * other connection before. */
void ipp_job_cancel(struct ipp_job *job)
{
    const bool has_number = job->number > 0;
    const bool is_canceled = has_number && job->line.http != NULL &&
                             !job->is_broken &&
                             ask_to_cancel(job, CANCEL_PATIENCE);

    ipp_disconnect(&job->line);
    if (has_number && !is_canceled)
        ask_to_cancel(job, job->printer->patience);
    free(job);
}
