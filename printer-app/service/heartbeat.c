/*
 * heartbeat.c - asks the server as its clients do, and if it has answered,
 * tells the service manager, by the protocol of sd_notify(3): $NOTIFY_SOCKET,
 * $WATCHDOG_USEC.
 *
 * So a beat has been through all that may hang: the thread that takes
 * connections, a client's thread, the locks of the system and of each printer,
 * which the answer needs, and those of all jobs, which are taken here. A server
 * in which one of these is lost is started anew by systemd.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#define _GNU_SOURCE /* pthread_cond_clockwait() */

#include "config.h"

#include <pthread.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#include "printer-app/service/heartbeat.h"

#define MAX_PATH 256
#define BEATS 4                 /* in the time within which one has to come */
#define MICROSECONDS 1000000ULL /* a second */

static char path[MAX_PATH]; /* set before there are clients */

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t ended = PTHREAD_COND_INITIALIZER;
static pthread_t thread;
static bool is_begun;
static bool ends; /* with the lock */

void heartbeat_at(const char *at)
{
    snprintf(path, sizeof path, "%s", at);
}

/* ---- The service manager ------------------------------------------------- */

static void tell(const char *what)
{
    const char *to = getenv("NOTIFY_SOCKET");
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    const size_t length = to != NULL ? strlen(to) : 0;

    if (length < 2 || length >= sizeof address.sun_path)
        return;
    memcpy(address.sun_path, to, length);
    if (*to == '@')
        address.sun_path[0] = '\0';
    const int fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);

    if (fd < 0)
        return;
    (void)sendto(fd, what, strlen(what), MSG_NOSIGNAL,
                 (struct sockaddr *)&address,
                 (socklen_t)(offsetof(struct sockaddr_un, sun_path) + length));
    close(fd);
}

/* Returns within how many microseconds a beat has to come; 0 = none has to. */
static unsigned long long period(void)
{
    const char *text = getenv("WATCHDOG_USEC"), *of = getenv("WATCHDOG_PID");

    if (text == NULL || (of != NULL && atol(of) != (long)getpid()))
        return 0;
    return strtoull(text, NULL, 10);
}

/* ---- The server ---------------------------------------------------------- */

static bool is_ending(void)
{
    pthread_mutex_lock(&lock);
    const bool is = ends;

    pthread_mutex_unlock(&lock);
    return is;
}

/* Called by libcups each second. A server that hangs gives no beat, however
 * long it is waited for. */
static int goes_on(http_t *http, void *data)
{
    (void)http;
    (void)data;
    return !is_ending();
}

/* Whether the server answers a question about all of its printers. */
static bool answers(void)
{
    http_t *http = httpConnect2(path, 0, NULL, AF_UNSPEC, HTTP_ENCRYPTION_NEVER,
                                1, 1000, NULL);
    ipp_t *request, *response;

    if (http == NULL)
        return false;
    httpSetTimeout(http, 1, goes_on, NULL);
    request = ippNewRequest(IPP_OP_GET_PRINTERS);
    ippAddString(request, IPP_TAG_OPERATION, IPP_TAG_URI, "system-uri", NULL,
                 "ipp://localhost/ipp/system");
    ippAddString(request, IPP_TAG_OPERATION, IPP_TAG_KEYWORD,
                 "requested-attributes", NULL, "printer-state");
    response = cupsDoRequest(http, request, "/ipp/system");
    const bool well = response != NULL;

    ippDelete(response);
    httpClose(http);
    return well;
}

/* Takes a job's lock. */
static void ask_job(pappl_job_t *job, void *data)
{
    (void)data;
    (void)papplJobGetAttribute(job, "job-id");
}

static void ask_printer(pappl_printer_t *printer, void *data)
{
    papplPrinterIterateActiveJobs(printer, ask_job, data, 1, 0);
}

/* ---- Beats --------------------------------------------------------------- */

/* Waits that long, or until the server ends; false then. */
static bool pause_for(unsigned long long microseconds)
{
    struct timespec until;

    clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_sec += (time_t)(microseconds / MICROSECONDS);
    until.tv_nsec += (long)(microseconds % MICROSECONDS) * 1000;
    if (until.tv_nsec >= 1000000000L) {
        until.tv_nsec -= 1000000000L;
        until.tv_sec++;
    }
    pthread_mutex_lock(&lock);
    while (!ends &&
           pthread_cond_clockwait(&ended, &lock, CLOCK_MONOTONIC, &until) == 0)
        ;
    const bool goes = !ends;

    pthread_mutex_unlock(&lock);
    return goes;
}

static void *beat(void *context)
{
    pappl_system_t *system = context;
    const unsigned long long due = period();
    bool is_ready = false;

    while (!is_ending()) {
        if (answers()) {
            papplSystemIteratePrinters(system, ask_printer, NULL);
            tell(is_ready ? "WATCHDOG=1" : "READY=1");
            is_ready = true;
        }
        if (is_ready && due == 0)
            break;
        if (!pause_for(is_ready ? due / BEATS : MICROSECONDS / 20))
            break;
    }
    return NULL;
}

void heartbeat_begin(pappl_system_t *system)
{
    if (getenv("NOTIFY_SOCKET") == NULL || path[0] == '\0')
        return;
    pthread_mutex_lock(&lock);
    ends = false;
    is_begun = pthread_create(&thread, NULL, beat, system) == 0;
    pthread_mutex_unlock(&lock);
    if (!is_begun)
        papplLog(system, PAPPL_LOGLEVEL_ERROR,
                 "Cannot start the thread that says that the server is ready");
}

void heartbeat_end(void)
{
    if (!is_begun)
        return;
    pthread_mutex_lock(&lock);
    ends = true;
    pthread_cond_broadcast(&ended);
    pthread_mutex_unlock(&lock);
    pthread_join(thread, NULL);
    is_begun = false;
    tell("STOPPING=1");
}
