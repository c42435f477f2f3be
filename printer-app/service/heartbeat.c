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
#define _GNU_SOURCE /* pipe2() */

#include "config.h"

#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "printer-app/service/heartbeat.h"

#define MAX_PATH 256
#define BEATS 4       /* in the time within which one has to come */
#define UNREADY_MS 50 /* between looks whether the server has begun */

static char path[MAX_PATH]; /* set before there are clients */

static pthread_t thread;
static bool is_begun;
static int ending[2]; /* a pipe, whose second end is closed for the thread */

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

/* Returns within how many milliseconds a beat has to come; 0 = none has to. */
static long period(void)
{
    const char *text = getenv("WATCHDOG_USEC"), *of = getenv("WATCHDOG_PID");

    if (text == NULL || (of != NULL && atol(of) != (long)getpid()))
        return 0;
    return atol(text) / 1000;
}

/* ---- The server ---------------------------------------------------------- */

/* Waits that long; true as soon as the server ends. */
static bool ends_within(long ms)
{
    struct pollfd end = {.fd = ending[0], .events = POLLIN};

    return poll(&end, 1, (int)ms) > 0;
}

/* Called by libcups each second. A server that hangs gives no beat, however
 * long it is waited for. */
static int goes_on(http_t *http, void *data)
{
    (void)http;
    (void)data;
    return !ends_within(0);
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

static void *beat(void *context)
{
    pappl_system_t *system = context;
    const long due = period();
    bool is_ready = false;

    do {
        if (answers()) {
            papplSystemIteratePrinters(system, ask_printer, NULL);
            tell(is_ready ? "WATCHDOG=1" : "READY=1");
            is_ready = true;
        }
    } while (!(is_ready && due == 0) &&
             !ends_within(is_ready ? due / BEATS : UNREADY_MS));
    return NULL;
}

void heartbeat_begin(pappl_system_t *system)
{
    if (getenv("NOTIFY_SOCKET") == NULL || path[0] == '\0')
        return;
    if (pipe2(ending, O_CLOEXEC) == 0) {
        is_begun = pthread_create(&thread, NULL, beat, system) == 0;
        if (!is_begun) {
            close(ending[0]);
            close(ending[1]);
        }
    }
    if (!is_begun)
        papplLog(system, PAPPL_LOGLEVEL_ERROR,
                 "Cannot start the thread that says that the server is ready");
}

void heartbeat_end(void)
{
    if (!is_begun)
        return;
    close(ending[1]);
    pthread_join(thread, NULL);
    close(ending[0]);
    is_begun = false;
    tell("STOPPING=1");
}
