/*
 * reconnect.c - remembers broken connections by their addresses and metrics: a
 * device that is opened later at the same address has written nothing yet.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <pthread.h>
#include <stddef.h>
#include <string.h>
#include <time.h>

#include "pappl-fixes/pappl-fixes.h"
#include "printer-app/service/reconnect.h"

#define MOST_BROKEN 64 /* at a time; of more, the first are forgotten */
#define LOOKS 10       /* a second, whether the job is canceled */
#define PAUSE (2 * LOOKS)

struct broken {
    const pappl_device_t *device;
    size_t requests; /* that it had written */
};

/* Connections of all printers, whose jobs have threads of their own. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct broken known[MOST_BROKEN];
static unsigned next;

static size_t requests_of(pappl_device_t *device)
{
    pappl_devmetrics_t metrics;

    return papplDeviceGetMetrics(device, &metrics)->write_requests;
}

static bool is_network(const char *uri)
{
    return strncmp(uri, "socket:", 7) == 0 || strncmp(uri, "dnssd:", 6) == 0 ||
           strncmp(uri, "snmp:", 5) == 0;
}

void reconnect_note(pappl_job_t *job, pappl_device_t *device)
{
    if (!is_network(papplPrinterGetDeviceURI(papplJobGetPrinter(job))))
        return;
    pthread_mutex_lock(&lock);
    known[next++ % MOST_BROKEN] =
        (struct broken){.device = device, .requests = requests_of(device)};
    pthread_mutex_unlock(&lock);
}

bool reconnect_is_due(pappl_device_t *device)
{
    const size_t requests = requests_of(device);
    bool due = false;

    pthread_mutex_lock(&lock);
    for (size_t i = 0; i < MOST_BROKEN; i++)
        if (known[i].device == device) {
            due = due || requests >= known[i].requests;
            if (requests < known[i].requests)
                known[i].device = NULL; /* it is another one */
        }
    pthread_mutex_unlock(&lock);
    return due;
}

static bool is_wanted(pappl_job_t *job)
{
    return !papplJobIsCanceled(job) &&
           papplSystemIsRunning(papplPrinterGetSystem(papplJobGetPrinter(job)));
}

pappl_device_t *reconnect(pappl_job_t *job)
{
    static const struct timespec look = {.tv_nsec = 1000000000L / LOOKS};
    pappl_printer_t *printer = papplJobGetPrinter(job);
    pappl_device_t *device = NULL;

    while (device == NULL && is_wanted(job)) {
        device = papplfixes_open(printer, papplJobGetName(job));
        for (int i = 0; device == NULL && i < PAUSE && is_wanted(job); i++)
            nanosleep(&look, NULL);
    }
    return device;
}
