/*
 * device_job.c - counts the bytes of a job, on PAPPL's connection or its own.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include "printer-app/device_job.h"
#include "printer-app/ipp/ipp_device.h"
#include "pappl-fixes/pappl-fixes.h"
#include "printer-app/service/reconnect.h"

static const char *uri_of(const struct device_job *at)
{
    return papplPrinterGetDeviceURI(papplJobGetPrinter(at->job));
}

static size_t taken(const struct device_job *at)
{
    pappl_devmetrics_t metrics;

    return papplDeviceGetMetrics(at->device, &metrics)->write_bytes;
}

bool device_job_begin(struct device_job *at, pappl_job_t *job,
                      pappl_device_t *device)
{
    *at = (struct device_job){
        .job = job, .device = device, .stall = {.job = job}};
    if (reconnect_is_due(device)) {
        at->device = at->own = reconnect(job);
        if (at->own == NULL)
            return false;
    }
    at->before = taken(at);
    ipp_device_begin_job(at->device, uri_of(at), job);
    return true;
}

bool device_job_write(struct device_job *at, const void *data, size_t bytes)
{
    if (at->given == 0 && bytes > 0)
        papplfixes_begun(at->job);
    at->given += bytes;
    return papplfixes_write(&at->stall, at->device, data, bytes) >=
           (ssize_t)bytes;
}

void device_job_flush(struct device_job *at)
{
    papplfixes_flush(&at->stall, at->device);
}

bool device_job_end(struct device_job *at, bool failed)
{
    papplfixes_flush(&at->stall, at->device);
    const bool all = taken(at) - at->before == at->given;
    const bool ended = ipp_device_end_job(
        at->device, uri_of(at), failed || papplJobIsCanceled(at->job));

    if (at->own != NULL)
        papplDeviceClose(at->own);
    else if (!all)
        reconnect_note(at->job, at->device);
    return all && ended;
}
