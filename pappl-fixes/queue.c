/*
 * queue.c - whose jobs a printer takes, and for how long they may wait.
 *
 * PAPPL 1.3 makes as many jobs as are asked for (printer.c:370), and keeps one
 * whose document does not come for ever, though it tells clients that after 60
 * s it is aborted ("multiple-operation-time-out", printer.c:556-560). It takes
 * jobs while the disk has no room for their documents. CUPS would then say of
 * each that it is completed; so here the printer accepts none meanwhile, and
 * CUPS prints at another one of a class. It makes any number of subscriptions.
 * A job that is held until some time is released by the first look before that
 * time, and by none behind it (job.c:766).
 *
 * Owners are the users of this computer, and who has proved a name. Others are
 * strangers: an address, or a network of IPv6, and a name have a share of each
 * of these, and all strangers together leave a reserve. Each job has its
 * address among its attributes, so that this holds after a restart, too.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <time.h>

#include "pappl-fixes/clients.h"
#include "pappl-fixes/deletion.h"
#include "pappl-fixes/ending.h"
#include "pappl-fixes/life.h"
#include "pappl-fixes/lists.h"
#include "pappl-fixes/replaced.h"
#include "pappl-fixes/queue.h"
#include "pappl-fixes/receive.h"
#include "pappl-fixes/spool.h"

#define RESERVE 10  /* a tenth of jobs, bytes, subscriptions is the owners' */
#define HELD_PART 2 /* half of a share may be held */
#define MOST_SUBSCRIPTIONS 100
#define MIB (UINT64_C(1) << 20)

/* Set before there are jobs. */
static struct queue_limits most = {.jobs = QUEUE_JOBS,
                                   .seconds = QUEUE_SECONDS,
                                   .share = QUEUE_SHARE,
                                   .hold_seconds = QUEUE_HOLD};

void queue_limit(const struct queue_limits *limits)
{
    most = *limits;
}

static uint64_t part(uint64_t of, unsigned percent)
{
    const uint64_t share = of * percent / 100;

    return share > 0 ? share : 1;
}

/* ---- Whose jobs there are ------------------------------------------------ */

/* A client, and what it has already. */
struct holder {
    char host[CLIENTS_NETWORK];
    const char *user; /* that it says; NULL = none */
    bool is_owner;
    unsigned of_host, of_user, held; /* jobs, of all printers */
    uint64_t bytes;                  /* of their documents */
};

static const char *host_of(pappl_job_t *job)
{
    const char *host =
        ippGetString(papplJobGetAttribute(job, QUEUE_HOST), 0, NULL);

    return host != NULL ? host : CLIENTS_LOCAL;
}

static void count_job(pappl_job_t *job, void *data)
{
    struct holder *holder = data;
    const enum life state = life_of(job);
    const char *host = host_of(job), *user = papplJobGetUsername(job);
    struct stat info;

    if (strcmp(host, CLIENTS_LOCAL) == 0)
        return;
    holder->of_user += holder->user != NULL && user != NULL &&
                       strcasecmp(user, holder->user) == 0;
    if (strcmp(host, holder->host) != 0)
        return;
    holder->of_host++;
    holder->held += state == LIFE_HELD || state == LIFE_CREATED;
    if (papplJobGetFilename(job) != NULL &&
        stat(papplJobGetFilename(job), &info) == 0)
        holder->bytes += (uint64_t)info.st_size;
}

static void count_printer(pappl_printer_t *printer, void *data)
{
    papplPrinterIterateActiveJobs(printer, count_job, data, 1, 0);
}

/* Finds who asks, and what a stranger has. */
static void find_holder(struct holder *holder, pappl_client_t *client)
{
    const char *proved = papplClientGetUsername(client);

    *holder = (struct holder){.user = NULL};
    client_network(holder->host);
    holder->user =
        ippGetString(ippFindAttribute(papplClientGetRequest(client),
                                      "requesting-user-name", IPP_TAG_NAME),
                     0, NULL);
    holder->is_owner = strcmp(holder->host, CLIENTS_LOCAL) == 0 ||
                       (proved != NULL && proved[0] != '\0');
    if (!holder->is_owner)
        papplSystemIteratePrinters(papplClientGetSystem(client), count_printer,
                                   holder);
}

/* ---- Room for one more --------------------------------------------------- */

static _Thread_local char why[PAPPLFIXES_WHY];

static const char *say(const char *format, ...)
    __attribute__((format(printf, 1, 2)));
static const char *say(const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(why, sizeof why, format, arguments);
    va_end(arguments);
    return why;
}

/* Returns why a stranger's document gets no more bytes; NULL: it does. */
static const char *no_bytes(const struct holder *holder, uint64_t more)
{
    const uint64_t all = spool_most(), share = part(all, most.share);

    if (holder->bytes + more > share)
        return say("The documents from this address that wait would have more "
                   "than %" PRIu64 " %s",
                   share >= MIB ? share / MIB : share,
                   share >= MIB ? "MiB" : "bytes");
    return spool_left() < part(all, RESERVE) + more
               ? "The documents that wait leave room for this computer's alone"
               : NULL;
}

/* Returns why a client's job is not taken, and the status; NULL: it is. */
static const char *refusal(pappl_client_t *client, pappl_printer_t *printer,
                           ipp_status_t *status)
{
    const int jobs = papplPrinterGetNumberOfActiveJobs(printer);
    const unsigned share = (unsigned)part((uint64_t)most.jobs, most.share),
                   held = share > HELD_PART ? share / HELD_PART : 1;
    struct holder holder;

    *status = IPP_STATUS_ERROR_NOT_ACCEPTING_JOBS;
    if (ending_has_begun())
        return "The server ends";
    const char *full = spool_is_full();

    if (full != NULL)
        return full;
    if (spool_left() == 0)
        return "The documents that wait have all their room";
    find_holder(&holder, client);
    if (!holder.is_owner && (full = no_bytes(&holder, 1)) != NULL)
        return full;
    *status = IPP_STATUS_ERROR_TOO_MANY_JOBS;
    if (jobs >= most.jobs)
        return say("The printer has %d jobs that have not ended", most.jobs);
    if (holder.is_owner)
        return NULL;
    if (jobs >= most.jobs - (int)part((uint64_t)most.jobs, RESERVE))
        return say("The printer has %d jobs that have not ended", jobs);
    if (holder.of_host >= share || holder.of_user >= share)
        return say("This address or user has %u jobs that have not ended",
                   share);
    if (holder.held >= held)
        return say("This address has %u jobs that are held, or have no "
                   "document",
                   held);
    return NULL;
}

static bool refuse(pappl_client_t *client, ipp_status_t status,
                   const char *text)
{
    papplClientRespondIPP(client, status, "%s", text);
    client_blame("It is refused, and its document not read");
    return false;
}

/* A stranger's bytes may have changed meanwhile by other connections. */
const char *queue_no_room(pappl_client_t *client, uint64_t more)
{
    struct holder holder;

    find_holder(&holder, client);
    return holder.is_owner ? NULL : no_bytes(&holder, more);
}

void queue_tell_room(pappl_client_t *client, pappl_printer_t *printer)
{
    static const char reasons[] = "printer-state-reasons";
    ipp_t *answer = papplClientGetResponse(client);
    ipp_attribute_t *accepts = lists_find(answer, "printer-is-accepting-jobs");
    ipp_status_t status;

    if ((accepts == NULL && lists_find(answer, reasons) == NULL) ||
        refusal(client, printer, &status) == NULL)
        return;
    if (accepts != NULL)
        ippSetBoolean(answer, &accepts, 0, 0);
    lists_add(answer, reasons, "spool-area-full");
    lists_remove(answer, reasons, "none");
}

/* ---- Subscriptions ------------------------------------------------------- */

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct {
    int id; /* 0 = none */
    char host[CLIENTS_NETWORK];
} subscriptions[MOST_SUBSCRIPTIONS]; /* with the lock */

/* Forgets those that have ended. Returns why a client gets none; NULL: it does,
 * and `*place` is a free one. Needs the lock. */
static const char *no_subscription(pappl_system_t *system, const char *host,
                                   size_t *place)
{
    const size_t share = part(MOST_SUBSCRIPTIONS, most.share);
    size_t all = 0, own = 0;

    for (size_t i = 0; i < MOST_SUBSCRIPTIONS; i++) {
        if (subscriptions[i].id != 0 &&
            papplSystemFindSubscription(system, subscriptions[i].id) == NULL)
            subscriptions[i].id = 0;
        all += subscriptions[i].id != 0;
        own += subscriptions[i].id != 0 &&
               strcmp(subscriptions[i].host, host) == 0;
        if (subscriptions[i].id == 0)
            *place = i;
    }
    if (all >= MOST_SUBSCRIPTIONS)
        return "The server has all the subscriptions that it may have";
    if (strcmp(host, CLIENTS_LOCAL) == 0)
        return NULL;
    return own >= share ||
                   all >= MOST_SUBSCRIPTIONS - part(MOST_SUBSCRIPTIONS, RESERVE)
               ? "This address has too many subscriptions"
               : NULL;
}

pappl_subscription_t *
papplSubscriptionCreate(pappl_system_t *system, pappl_printer_t *printer,
                        pappl_job_t *job, int id, pappl_event_t events,
                        const char *user, const char *language,
                        const void *data, size_t bytes, int interval, int lease)
{
    char host[CLIENTS_NETWORK];
    pappl_subscription_t *made = NULL;
    size_t place = 0;

    client_network(host);
    pthread_mutex_lock(&lock);
    if (no_subscription(system, host, &place) == NULL)
        made = REAL(papplSubscriptionCreate)(system, printer, job, id, events,
                                             user, language, data, bytes,
                                             interval, lease);
    if (made != NULL) {
        subscriptions[place].id = papplSubscriptionGetID(made);
        snprintf(subscriptions[place].host, sizeof host, "%s", host);
    }
    pthread_mutex_unlock(&lock);
    return made;
}

/* PAPPL reads a second subscription of a request for ever, and takes memory
 * each time (subscription-ipp.c:134). */
static bool may_subscribe(pappl_client_t *client)
{
    ipp_t *request = papplClientGetRequest(client);
    char host[CLIENTS_NETWORK];
    bool is_second = false;
    size_t place, groups = 0;

    for (ipp_attribute_t *at = ippFirstAttribute(request); at != NULL;
         at = ippNextAttribute(request)) {
        const bool is = ippGetGroupTag(at) == IPP_TAG_SUBSCRIPTION;

        groups += is && !is_second;
        is_second = is;
    }
    if (groups > 1)
        return refuse(client, IPP_STATUS_ERROR_BAD_REQUEST,
                      "One subscription a request");
    client_network(host);
    pthread_mutex_lock(&lock);
    const char *text =
        no_subscription(papplClientGetSystem(client), host, &place);

    pthread_mutex_unlock(&lock);
    return text == NULL ||
           refuse(client, IPP_STATUS_ERROR_TOO_MANY_SUBSCRIPTIONS, text);
}

/* ---- Requests ------------------------------------------------------------ */

bool queue_has_room(pappl_client_t *client)
{
    ipp_status_t status;
    const char *text = NULL;

    switch (ippGetOperation(papplClientGetRequest(client))) {
    case IPP_OP_PRINT_JOB:
    case IPP_OP_CREATE_JOB:
        text = refusal(client, papplClientGetPrinter(client), &status);
        return text == NULL || refuse(client, status, text);
    case IPP_OP_CREATE_PRINTER_SUBSCRIPTIONS:
    case IPP_OP_CREATE_JOB_SUBSCRIPTIONS:
    case IPP_OP_CREATE_SYSTEM_SUBSCRIPTIONS:
        return may_subscribe(client);
    default:
        return true;
    }
}

/* ---- Jobs whose time is over --------------------------------------------- */

/* A job that has no document, or is held. */
struct waiting {
    struct waiting *next;
    pappl_printer_t *printer;
    int job;
    double since; /* s; its first look */
    bool is_there;
};

static struct waiting *all; /* of the thread that looks */

static double now(void)
{
    struct timespec time;

    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static void find(pappl_job_t *job, void *data)
{
    const enum life state = life_of(job);
    struct waiting *at = all;

    (void)data;
    if (state != LIFE_CREATED && state != LIFE_HELD)
        return;
    while (at != NULL && (at->printer != papplJobGetPrinter(job) ||
                          at->job != papplJobGetID(job)))
        at = at->next;
    if (at == NULL && (at = calloc(1, sizeof *at)) != NULL) {
        *at = (struct waiting){.next = all,
                               .printer = papplJobGetPrinter(job),
                               .job = papplJobGetID(job),
                               .since = now()};
        all = at;
    }
    if (at != NULL)
        at->is_there = true;
}

static void look_at(pappl_printer_t *printer, void *data)
{
    papplPrinterIterateActiveJobs(printer, find, data, 1, 0);
}

/* Times of day go by the clock on the wall, and are kept over restarts. */
static void look_at_held(pappl_job_t *job)
{
    const time_t day = time(NULL);
    char text[PAPPLFIXES_WHY];

    life_lock();
    const time_t until = ippDateToTime(
        ippGetDate(papplJobGetAttribute(job, "job-hold-until-time"), 0));

    life_unlock();
    if (until != 0 && until <= day)
        (void)papplJobRelease(job, "job-hold-until");
    else if (strcmp(host_of(job), CLIENTS_LOCAL) != 0 &&
             papplJobGetTimeCreated(job) + most.hold_seconds <= day) {
        snprintf(text, sizeof text, "It was held for %d seconds",
                 most.hold_seconds);
        receive_cancel(job, LIFE_EXPIRE, text);
    }
}

static void look_at_job(pappl_job_t *job, double since)
{
    char text[64];

    snprintf(text, sizeof text, "No document has come for %d seconds",
             most.seconds);
    if (now() - since >= most.seconds)
        receive_abandon(job, text);
    if (life_of(job) == LIFE_HELD)
        look_at_held(job);
}

void queue_look(pappl_system_t *system)
{
    struct waiting **at = &all, *gone;

    deletion_enter(false);
    papplSystemIteratePrinters(system, look_at, NULL);
    while (*at != NULL)
        if ((*at)->is_there) {
            pappl_job_t *job = papplPrinterFindJob((*at)->printer, (*at)->job);

            if (job != NULL)
                look_at_job(job, (*at)->since);
            (*at)->is_there = false;
            at = &(*at)->next;
        } else {
            gone = *at;
            *at = gone->next;
            free(gone);
        }
    deletion_leave(false);
}

/* ---- Holding until some time --------------------------------------------- */

/* Returns when a period begins next, now if it has; 0: it is none. */
static time_t begin_of(const char *period)
{
    static const struct {
        const char *name;
        int from, to; /* hours */
    } periods[] = {{"day-time", 6, 18},   {"evening", 18, 24},
                   {"night", 18, 30},     {"second-shift", 16, 24},
                   {"third-shift", 0, 8}, {"weekend", 0, 24}};
    const size_t count = sizeof periods / sizeof periods[0];
    const time_t day = time(NULL);
    struct tm at;
    size_t i = 0;

    while (i < count && strcmp(periods[i].name, period) != 0)
        i++;
    if (i == count)
        return 0;
    localtime_r(&day, &at);
    const bool weekend = strcmp(period, "weekend") == 0,
               is_in = weekend ? at.tm_wday == 0 || at.tm_wday == 6
                               : (at.tm_hour >= periods[i].from &&
                                  at.tm_hour < periods[i].to) ||
                                     at.tm_hour + 24 < periods[i].to;

    if (is_in)
        return day;
    at.tm_mday += weekend ? 6 - at.tm_wday : at.tm_hour >= periods[i].to;
    at.tm_hour = periods[i].from;
    at.tm_min = at.tm_sec = 0;
    at.tm_isdst = -1;
    return mktime(&at);
}

/* A job that is held has the reason, or its document's end would release it. */
bool _papplJobHoldNoLock(pappl_job_t *job, const char *user, const char *until,
                         time_t time)
{
    const time_t begin = until != NULL ? begin_of(until) : 0;

    if (begin != 0)
        return REAL(_papplJobHoldNoLock)(job, user, NULL, begin);
    return REAL(_papplJobHoldNoLock)(
        job, user, until == NULL && time == 0 ? "indefinite" : until, time);
}
