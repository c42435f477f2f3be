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
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "pappl-fixes/application.h"
#include "pappl-fixes/clients.h"
#include "pappl-fixes/durable.h"
#include "pappl-fixes/marks.h"
#include "pappl-fixes/replaced.h"
#include "pappl-fixes/receive.h"
#include "pappl-fixes/state.h"
#include "pappl-fixes/turns.h"
#include "pappl-fixes/spool.h"

#define MAX_PATH 1024
#define PIECE_BYTES 65536

static const char canceled[] = "The job was canceled";

/* A document that comes. */
struct incoming {
    struct incoming *next;
    pappl_client_t *client;
    struct client *connection; /* the client's */
    pappl_job_t *job;
    bool is_canceled;         /* with the lock */
    ipp_status_t status;      /* of the answer */
    char why[PAPPLFIXES_WHY]; /* it is refused; "" = it is not */
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct incoming *all; /* with the lock */

/* ---- Documents that come ------------------------------------------------- */

/* Needs the lock. */
static struct incoming *find(const pappl_job_t *job)
{
    struct incoming *in = all;

    while (in != NULL && in->job != job)
        in = in->next;
    return in;
}

/* Adds a document; false if its job has one already. */
static bool begin(struct incoming *in)
{
    pthread_mutex_lock(&lock);
    const bool begins = find(in->job) == NULL &&
                        papplJobGetFilename(in->job) == NULL &&
                        papplJobGetState(in->job) <= IPP_JSTATE_HELD;

    if (begins) {
        in->next = all;
        all = in;
    }
    pthread_mutex_unlock(&lock);
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
void papplJobCancel(pappl_job_t *job)
{
    pthread_mutex_lock(&lock);
    struct incoming *in = find(job);
    const bool waits = in != NULL && papplJobGetState(job) == IPP_JSTATE_HELD;

    if (in != NULL)
        stop(in);
    pthread_mutex_unlock(&lock);
    if (waits)
        return;
    REAL(papplJobCancel)(job);
    marks_state(job);
    marks_sync();
}

static void mark(pappl_job_t *job, void *data)
{
    (void)data;
    if (papplJobIsCanceled(job))
        marks_state(job);
}

void papplPrinterCancelAllJobs(pappl_printer_t *printer)
{
    pthread_mutex_lock(&lock);
    for (struct incoming *in = all; in != NULL; in = in->next)
        if (papplJobGetPrinter(in->job) == printer)
            stop(in);
    pthread_mutex_unlock(&lock);
    REAL(papplPrinterCancelAllJobs)(printer);
    papplPrinterIterateActiveJobs(printer, mark, NULL, 1, 0);
    marks_sync();
}

static bool is_canceled(const struct incoming *in)
{
    pthread_mutex_lock(&lock);
    const bool is = in->is_canceled;

    pthread_mutex_unlock(&lock);
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
                  client_was_slow() ? IPP_STATUS_ERROR_TIMEOUT
                                    : IPP_STATUS_ERROR_DOCUMENT_ACCESS,
                  "%s", fault);
}

static bool copy(struct incoming *in, struct papplfixes_file *file)
{
    http_t *http = papplClientGetHTTP(in->client);
    char data[PIECE_BYTES], why[PAPPLFIXES_WHY];
    ssize_t got;

    while ((got = httpRead2(http, data, sizeof data)) > 0)
        if (!papplfixes_file_write(file, data, (size_t)got, why))
            return refuse(in,
                          file->is_too_large ? IPP_STATUS_ERROR_REQUEST_ENTITY
                                             : IPP_STATUS_ERROR_BUSY,
                          "%s", why);
    return is_whole(in);
}

/* Makes it a job's that waits, unless that is canceled. */
static bool submit(struct incoming *in, const struct papplfixes_file *file)
{
    pthread_mutex_lock(&lock);
    const bool wanted = !in->is_canceled;

    if (wanted) {
        papplLogJob(in->job, PAPPL_LOGLEVEL_INFO,
                    "Received %llu bytes of document data.",
                    (unsigned long long)file->bytes);
        papplJobSetReasons(in->job, PAPPL_JREASON_NONE,
                           PAPPL_JREASON_JOB_INCOMING);
        _papplJobSubmitFile(in->job, file->path);
        end(in);
    }
    pthread_mutex_unlock(&lock);
    return wanted || refuse(in, IPP_STATUS_ERROR_JOB_CANCELED, "%s", canceled);
}

/* The document and the job are on the disk before the client is answered. It
 * may be printed already. */
static void have_on_disk(const struct incoming *in, int file, const char *path)
{
    pappl_system_t *system = papplClientGetSystem(in->client);

    if (!durable_close(file, path))
        papplLog(system, PAPPL_LOGLEVEL_ERROR,
                 "%s is lost if the power fails: %s", path, strerror(errno));
    (void)state_save(system); /* which says what fails */
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
    papplJobSetReasons(in->job, PAPPL_JREASON_JOB_INCOMING, PAPPL_JREASON_NONE);
    file.fd = papplJobOpenFile(in->job, path, sizeof path, NULL, NULL, "w");
    if (file.fd < 0)
        return refuse(in, IPP_STATUS_ERROR_BUSY,
                      "The document cannot be kept: %s", strerror(errno));
    bool well = copy(in, &file);
    const int same = fcntl(file.fd, F_DUPFD_CLOEXEC, 0);

    if (close(file.fd) < 0 && well)
        well = refuse(in, IPP_STATUS_ERROR_BUSY,
                      "The document cannot be kept: %s", strerror(errno));
    well = well && submit(in, &file);
    if (well)
        have_on_disk(in, same, path);
    else
        unlink(path);
    if (!well && same >= 0)
        close(same);
    return well;
}

/* Ends a job whose document has not come. */
static void end_job(pappl_job_t *job, bool is_wanted, const char *why)
{
    if (is_wanted)
        papplLogJob(job, PAPPL_LOGLEVEL_ERROR, "%s.", why);
    /* A timer has a lock, though none of the job. */
    if (is_wanted && papplJobGetMessage(job) == NULL)
        papplJobSetMessage(job, "%s.", why);
    papplJobSetReasons(job,
                       is_wanted ? PAPPL_JREASON_ABORTED_BY_SYSTEM
                                 : PAPPL_JREASON_JOB_CANCELED_BY_USER,
                       PAPPL_JREASON_JOB_INCOMING);
    if (papplJobGetState(job) < IPP_JSTATE_CANCELED)
        REAL(papplJobCancel)(job); /* takes it from those that wait */
    if (is_wanted) {
        _papplJobSetState(job, IPP_JSTATE_ABORTED);
        marks_state(job); /* PAPPL has marked that it was canceled */
        marks_sync();
    }
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
    pthread_mutex_lock(&lock);
    if (find(job) == NULL && papplJobGetFilename(job) == NULL &&
        papplJobGetState(job) == IPP_JSTATE_HELD)
        end_job(job, true, why);
    pthread_mutex_unlock(&lock);
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

void _papplJobCopyDocumentData(pappl_client_t *client, pappl_job_t *job)
{
    struct incoming in = {.client = client,
                          .connection = client_of(papplClientGetHTTP(client)),
                          .job = job};

    if (!begin(&in)) {
        papplClientRespondIPP(client,
                              IPP_STATUS_ERROR_MULTIPLE_JOBS_NOT_SUPPORTED,
                              "Multiple document jobs are not supported.");
        _papplClientFlushDocumentData(client);
        return;
    }
    if (is_raster(job) && turns_stream(job, client)) {
        (void)is_whole(&in);
        pthread_mutex_lock(&lock);
        end(&in);
        pthread_mutex_unlock(&lock);
    } else if (!keep(&in)) {
        refuse_job(&in);
        pthread_mutex_lock(&lock);
        end(&in);
        pthread_mutex_unlock(&lock);
    }
    answer(&in);
}
