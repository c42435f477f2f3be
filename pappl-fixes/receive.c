/*
 * receive.c - a document comes from its client: it waits in a file, or, if it
 * is raster and the printer has nothing else to do, it is printed as it comes.
 *
 * PAPPL 1.3 (_papplJobCopyDocumentData, job-ipp.c:107-273)
 * - answers "busy" to raster while another job is printed, though it could wait
 *   like all others, and prints raster on a printer that is stopped or whose
 *   job is to be held;
 * - takes whatever comes, until the disk is full: 2 MB that are packed by gzip
 *   become 2 GB. What does not fit is then refused with "Success": a write of a
 *   part sets no errno;
 * - takes a document whose client stalls or leaves in its middle for whole;
 * - takes a second document for a job while the first one still comes;
 * - aborts a job by a Send-Document without one, whatever state it is in, and
 *   keeps it among those that have not ended (job-ipp.c:839);
 * - gives a reason to the client alone;
 * - refuses with the locks of the printer and the job, and wants the system's,
 *   while others have that and wait for the printer.
 * All of this is that one function, so here is another one.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "pappl-fixes/application.h"
#include "pappl-fixes/clients.h"
#include "pappl-fixes/deletion.h"
#include "pappl-fixes/durable.h"
#include "pappl-fixes/life.h"
#include "pappl-fixes/locks.h"
#include "pappl-fixes/marks.h"
#include "pappl-fixes/shares.h"
#include "pappl-fixes/replaced.h"
#include "pappl-fixes/receive.h"
#include "pappl-fixes/resubmit.h"
#include "pappl-fixes/state.h"
#include "pappl-fixes/turns.h"
#include "pappl-fixes/spool.h"

#define MAX_PATH 1024
#define PIECE_BYTES 65536
#define STEP (1 << 20) /* bytes between two looks at the share */

static const char canceled[] = "The job was canceled";

/* A document that comes. */
struct incoming {
    struct incoming *next;
    pappl_client_t *client;
    struct client *connection; /* the client's */
    char host[CLIENTS_NETWORK];
    uint64_t bytes;   /* that have come, with the lock */
    uint64_t allowed; /* before its client's share is looked at again */
    pappl_job_t *job;
    bool is_canceled;         /* with the lock */
    ipp_status_t status;      /* of the answer */
    char why[PAPPLFIXES_WHY]; /* it is refused; "" = it is not */
};

static struct incoming *all; /* with the lock of jobs, life.h */

/* ---- Documents that come ------------------------------------------------- */

/* Needs the lock. */
static struct incoming *find(const pappl_job_t *job)
{
    struct incoming *in = all;

    while (in != NULL && in->job != job)
        in = in->next;
    return in;
}

/* Adds a document; false if its job has one already, or its printer has been
 * deleted since the request found it, and cancels no further job. */
static bool begin(struct incoming *in)
{
    const int printer = papplPrinterGetID(papplJobGetPrinter(in->job));

    life_lock();
    const bool begins = life_may(in->job, LIFE_DOCUMENT) &&
                        papplSystemFindPrinter(papplClientGetSystem(in->client),
                                               NULL, printer, NULL) != NULL;

    if (begins) {
        papplJobSetReasons(in->job, PAPPL_JREASON_JOB_INCOMING,
                           PAPPL_JREASON_NONE);
        in->next = all;
        all = in;
    }
    life_unlock();
    return begins;
}

/* Needs the lock. */
static void end(struct incoming *in)
{
    struct incoming **at = &all;

    while (*at != in)
        at = &(*at)->next;
    *at = in->next;
}

/* Needs the lock. */
static void stop(struct incoming *in)
{
    in->is_canceled = true;
    if (in->connection != NULL)
        client_stop(in->connection, canceled);
}

/* A job whose document still comes ends when that has been noticed: PAPPL would
 * put it among those that have ended, whose memory it gives back. */
void receive_cancel(pappl_job_t *job, enum life_event event, const char *why)
{
    life_lock();
    /* PAPPL cancels a job that has ended, too, and lists it twice, so that one
     * is left behind when it is freed (job.c:41). */
    locks_own(papplJobGetPrinter(job));
    struct incoming *in = find(job);
    const bool may = life_may(job, event),
               waits = may && life_of(job) == LIFE_RECEIVING;

    if (may && why != NULL) {
        papplLogJob(job, PAPPL_LOGLEVEL_WARN, "Canceled: %s.", why);
        papplJobSetMessage(job, "%s.", why);
    }
    if (may && in != NULL)
        stop(in);
    if (may && !waits) {
        REAL(papplJobCancel)(job);
        marks_state(job);
    }
    locks_own_end();
    life_unlock();
    marks_sync();
}

void papplJobCancel(pappl_job_t *job)
{
    receive_cancel(job, LIFE_CANCEL, NULL);
}

static bool is_canceled(const struct incoming *in)
{
    life_lock();
    const bool is = in->is_canceled;

    life_unlock();
    return is;
}

/* ---- Into a file --------------------------------------------------------- */

static bool refuse(struct incoming *in, ipp_status_t status, const char *format,
                   ...) __attribute__((format(printf, 3, 4)));
static bool refuse(struct incoming *in, ipp_status_t status, const char *format,
                   ...)
{
    va_list arguments;

    in->status = status;
    va_start(arguments, format);
    vsnprintf(in->why, sizeof in->why, format, arguments);
    va_end(arguments);
    client_blame("A document was refused");
    return false;
}

/* Whether the client of this thread has sent all that it had to. */
static bool is_whole(struct incoming *in)
{
    const char *fault = papplfixes_client_fault();

    if (fault == NULL)
        return true;
    return refuse(in,
                  fault == canceled   ? IPP_STATUS_ERROR_JOB_CANCELED
                  : client_was_slow() ? IPP_STATUS_ERROR_TIMEOUT
                                      : IPP_STATUS_ERROR_DOCUMENT_ACCESS,
                  "%s", fault);
}

/* Whether the client's share has room for that many bytes more. */
static bool is_within_share(struct incoming *in, uint64_t more)
{
    uint64_t coming = 0;

    life_lock();
    in->bytes += more;
    for (const struct incoming *at = all; at != NULL; at = at->next)
        if (strcmp(at->host, in->host) == 0)
            coming += at->bytes;
    life_unlock();
    if (in->bytes <= in->allowed)
        return true;
    in->allowed = in->bytes + STEP;
    const char *why = shares_no_room(in->client, coming);

    return why == NULL || refuse(in, IPP_STATUS_ERROR_BUSY, "%s", why);
}

static bool copy(struct incoming *in, struct papplfixes_file *file)
{
    http_t *http = papplClientGetHTTP(in->client);
    const int again = resubmit_document();
    char data[PIECE_BYTES], why[PAPPLFIXES_WHY];
    ssize_t got;

    while ((got = again >= 0 ? read(again, data, sizeof data)
                             : httpRead2(http, data, sizeof data)) > 0)
        if (!is_within_share(in, (uint64_t)got))
            return false;
        else if (!papplfixes_file_write(file, data, (size_t)got, why))
            return refuse(in,
                          file->is_too_large ? IPP_STATUS_ERROR_REQUEST_ENTITY
                                             : IPP_STATUS_ERROR_BUSY,
                          "%s", why);
    return again >= 0 && got < 0
               ? refuse(in, IPP_STATUS_ERROR_BUSY,
                        "The document cannot be read: %s", strerror(errno))
               : is_whole(in);
}

/* Gives the job its document, and writes both to the disk: the job is still
 * "incoming", so that nobody prints what could be lost. */
static bool save(const struct incoming *in, const char *path, int file)
{
    const bool kept = durable_close(file, path);

    life_lock();
    _papplJobSubmitFile(in->job, path);
    life_unlock();
    return state_save(papplClientGetSystem(in->client)) && kept;
}

/* Makes it a job's that waits, unless that is canceled. */
static bool submit(struct incoming *in, const struct papplfixes_file *file,
                   int same)
{
    const bool kept = save(in, file->path, same);

    life_lock();
    const bool wanted = !in->is_canceled, well = wanted && kept;

    if (well) {
        papplLogJob(in->job, PAPPL_LOGLEVEL_INFO,
                    "Received %llu bytes of document data.",
                    (unsigned long long)file->bytes);
        papplJobSetReasons(in->job, PAPPL_JREASON_NONE,
                           PAPPL_JREASON_JOB_INCOMING);
        end(in);
    } else {
        locks_write(in->job);
        REAL(_papplJobRemoveFile)(in->job);
        locks_end(in->job);
        _papplJobSetState(in->job, IPP_JSTATE_HELD);
    }
    life_unlock();
    if (well)
        _papplPrinterCheckJobs(papplJobGetPrinter(in->job));
    else if (wanted)
        return refuse(in, IPP_STATUS_ERROR_BUSY,
                      "The job cannot be kept on the disk");
    return well || refuse(in, IPP_STATUS_ERROR_JOB_CANCELED, "%s", canceled);
}

static bool is_raster(const pappl_job_t *job)
{
    const char *format = papplJobGetFormat((pappl_job_t *)job);

    return format != NULL && (strcmp(format, "image/pwg-raster") == 0 ||
                              strcmp(format, "image/urf") == 0);
}

static bool keep(struct incoming *in)
{
    char path[MAX_PATH];
    struct papplfixes_file file = {.path = path};

    if (is_raster(in->job) && !application()->keeps_raster)
        return refuse(in, IPP_STATUS_ERROR_BUSY,
                      "Currently printing another job");
    life_lock(); /* whose printer is deleted gets no file any more */
    const bool wanted = !in->is_canceled;

    file.fd =
        wanted ? papplJobOpenFile(in->job, path, sizeof path, NULL, NULL, "w")
               : -1;
    life_unlock();
    if (!wanted)
        return refuse(in, IPP_STATUS_ERROR_JOB_CANCELED, "%s", canceled);
    if (file.fd < 0)
        return refuse(in, IPP_STATUS_ERROR_BUSY,
                      "The document cannot be kept: %s", strerror(errno));
    bool well = copy(in, &file);
    const int same = fcntl(file.fd, F_DUPFD_CLOEXEC, 0);

    if (close(file.fd) < 0 && well)
        well = refuse(in, IPP_STATUS_ERROR_BUSY,
                      "The document cannot be kept: %s", strerror(errno));
    if (well)
        return submit(in, &file, same);
    unlink(path);
    if (same >= 0)
        close(same);
    return false;
}

/* Ends a job whose document has not come. PAPPL calls it canceled:
 * _papplJobRemoveFile(). */
static void end_job(pappl_job_t *job, bool is_wanted, const char *why)
{
    if (is_wanted)
        papplLogJob(job, PAPPL_LOGLEVEL_ERROR, "%s.", why);
    papplJobSetReasons(job,
                       is_wanted ? PAPPL_JREASON_ABORTED_BY_SYSTEM
                                 : PAPPL_JREASON_JOB_CANCELED_BY_USER,
                       PAPPL_JREASON_JOB_INCOMING);
    if (papplJobGetState(job) < IPP_JSTATE_CANCELED)
        REAL(papplJobCancel)(job); /* takes it from those that wait */
}

/* Ends a job whose document was refused, or leaves it for another try if there
 * was no room: CUPS cancels it then and prints elsewhere, but takes a job that
 * is aborted for one that is completed. */
static void refuse_job(const struct incoming *in)
{
    if (is_canceled(in) || in->status != IPP_STATUS_ERROR_BUSY ||
        ippGetOperation(papplClientGetRequest(in->client)) !=
            IPP_OP_SEND_DOCUMENT) {
        end_job(in->job, !is_canceled(in), in->why);
        return;
    }
    papplLogJob(in->job, PAPPL_LOGLEVEL_ERROR, "%s.", in->why);
    papplJobSetMessage(in->job, "%s.", in->why);
    papplJobSetReasons(in->job, PAPPL_JREASON_NONE, PAPPL_JREASON_JOB_INCOMING);
}

void receive_abandon(pappl_job_t *job, const char *why)
{
    life_lock();
    if (life_may(job, LIFE_ABANDON))
        end_job(job, true, why);
    life_unlock();
}

/* ---- The answer ---------------------------------------------------------- */

static int compare(void *a, void *b, void *context)
{
    (void)context;
    return strcmp(a, b);
}

static void answer(const struct incoming *in)
{
    static const char *const names[] = {"job-id", "job-state",
                                        "job-state-message",
                                        "job-state-reasons", "job-uri"};
    cups_array_t *wanted = cupsArrayNew(compare, NULL);

    papplClientRespondIPP(in->client, in->status,
                          in->why[0] != '\0' ? "%s" : NULL, in->why);
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        cupsArrayAdd(wanted, (void *)names[i]);
    _papplJobCopyAttributesNoLock(in->job, in->client, wanted);
    cupsArrayDelete(wanted);
}

/* Prints a document as it comes, keeps or refuses it. */
static void take(struct incoming *in)
{
    if (is_raster(in->job) && resubmit_document() < 0 &&
        turns_stream(in->job, in->client))
        (void)is_whole(in);
    else if (keep(in))
        return;
    else
        refuse_job(in);
    life_lock();
    end(in);
    life_unlock();
}

void _papplJobCopyDocumentData(pappl_client_t *client, pappl_job_t *job)
{
    struct incoming in = {.client = client,
                          .connection = client_of(papplClientGetHTTP(client)),
                          .job = job};

    client_network(in.host);
    deletion_enter(papplJobGetPrinter(job), job);
    if (!begin(&in)) {
        if (life_may(job, LIFE_DOCUMENT)) /* but its printer is deleted */
            papplClientRespondIPP(client, IPP_STATUS_ERROR_NOT_FOUND,
                                  "The printer was deleted.");
        else
            papplClientRespondIPP(client,
                                  IPP_STATUS_ERROR_MULTIPLE_JOBS_NOT_SUPPORTED,
                                  "Multiple document jobs are not supported.");
        _papplClientFlushDocumentData(client);
    } else {
        take(&in);
        answer(&in);
    }
    deletion_leave();
}

/* A request without a document ends a job that has none, and is nothing to one
 * that has. PAPPL refuses it if "last-document" is wrong. */
void _papplJobProcessIPP(pappl_client_t *client)
{
    struct incoming in = {.client = client, .job = papplClientGetJob(client)};
    ipp_attribute_t *last = ippFindAttribute(papplClientGetRequest(client),
                                             "last-document", IPP_TAG_BOOLEAN);

    if (resubmit(client))
        return;
    if (in.job == NULL || last == NULL ||
        ippGetGroupTag(last) != IPP_TAG_OPERATION || ippGetCount(last) != 1 ||
        ippGetOperation(papplClientGetRequest(client)) !=
            IPP_OP_SEND_DOCUMENT ||
        _papplClientHaveDocumentData(client)) {
        REAL(_papplJobProcessIPP)(client);
        state_save_change(client);
        return;
    }
    if (!_papplPrinterIsAuthorized(client))
        return;
    if (ippGetBoolean(last, 0))
        receive_abandon(in.job, "The document is empty");
    answer(&in);
}
