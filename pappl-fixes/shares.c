/*
 * shares.c - whose jobs and subscriptions a server takes.
 *
 * PAPPL 1.3 makes as many jobs as are asked for (printer.c:370), and any number
 * of subscriptions. It takes jobs while the disk has no room for their
 * documents. CUPS would then say of each that it is completed; so here the
 * printer accepts none meanwhile, and CUPS prints at another one of a class.
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

#include "pappl-fixes/clients.h"
#include "pappl-fixes/life.h"
#include "pappl-fixes/lists.h"
#include "pappl-fixes/locks.h"
#include "pappl-fixes/replaced.h"
#include "pappl-fixes/shares.h"
#include "pappl-fixes/spool.h"

#define RESERVE 10  /* a tenth of jobs, bytes, subscriptions is the owners' */
#define HELD_PART 2 /* half of a share may be held */
#define MOST_SUBSCRIPTIONS 100
#define MIB (UINT64_C(1) << 20)

/* Set before there are jobs. */
static struct {
    int jobs;
    unsigned share;
} most = {.jobs = SHARES_JOBS, .share = SHARES_PERCENT};

void shares_limit(int jobs, unsigned percent)
{
    most.jobs = jobs;
    most.share = percent;
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
        ippGetString(papplJobGetAttribute(job, SHARES_HOST), 0, NULL);

    return host != NULL ? host : CLIENTS_LOCAL;
}

bool shares_is_stranger(pappl_job_t *job)
{
    return strcmp(host_of(job), CLIENTS_LOCAL) != 0;
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
    const bool reads = locks_read(job);

    if (papplJobGetFilename(job) != NULL &&
        stat(papplJobGetFilename(job), &info) == 0)
        holder->bytes += (uint64_t)info.st_size;
    if (reads)
        locks_end(job);
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
    return spool_left() < part(all, RESERVE)
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
    if (!life_goes_on())
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
const char *shares_no_room(pappl_client_t *client, uint64_t more)
{
    struct holder holder;

    find_holder(&holder, client);
    return holder.is_owner ? NULL : no_bytes(&holder, more);
}

void shares_tell_room(pappl_client_t *client, pappl_printer_t *printer)
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

bool shares_have_room(pappl_client_t *client)
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
