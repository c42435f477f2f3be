/*
 * device_job.c - counts the bytes of a job, on PAPPL's connection or its own.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include "printer-app/device_job.h"
#include "printer-app/reconnect.h"

static size_t taken(const struct device_job *at)
{
    pappl_devmetrics_t metrics;

    return papplDeviceGetMetrics(at->device, &metrics)->write_bytes;
}

bool device_job_begin(struct device_job *at, pappl_job_t *job,
                      pappl_device_t *device)
{
    *at = (struct device_job){.job = job, .device = device};
    if (reconnect_is_due(device)) {
        at->device = at->own = reconnect(job);
        if (at->own == NULL)
            return false;
    }
    at->before = taken(at);
    return true;
}

bool device_job_write(struct device_job *at, const void *data, size_t bytes)
{
    at->given += bytes;
    return papplDeviceWrite(at->device, data, bytes) >= (ssize_t)bytes;
}

bool device_job_end(struct device_job *at)
{
    papplDeviceFlush(at->device);
    const bool all = taken(at) - at->before == at->given;

    if (at->own != NULL)
        papplDeviceClose(at->own);
    else if (!all)
        reconnect_note(at->job, at->device);
    return all;
}
