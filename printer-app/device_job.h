/*
 * device_job.h - sends a job's bytes to a device. PAPPL keeps the last ones,
 * and does not say whether they were taken.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef PRINTER_APP_DEVICE_JOB_H
#define PRINTER_APP_DEVICE_JOB_H

#include <stdbool.h>
#include <stddef.h>

#include <pappl/pappl.h>

#include "pappl-fixes/pappl-fixes.h"

struct device_job {
    pappl_job_t *job;
    pappl_device_t *device;
    pappl_device_t *own; /* opened for this job; NULL = PAPPL's */
    size_t before;       /* bytes that the device had taken before this job */
    size_t given;        /* bytes of this job */
    struct papplfixes_stall stall;
};

/*
 * Begins with what a job sends to PAPPL's device, which nobody else writes to
 * until device_job_end(). One to a printer that has vanished is replaced, when
 * the printer is back. False, with nothing to end, if the job is canceled
 * meanwhile or the server ends.
 */
bool device_job_begin(struct device_job *at, pappl_job_t *job,
                      pappl_device_t *device);

/* Write bytes, and end the job, `failed` or not; end it whatever was written.
 * Both return false if the device does not take them, or an IPP printer refuses
 * the job or is told that it is canceled, which a `failed` one is. They wait
 * for a device that stalls, until the job is canceled and some time more. */
bool device_job_write(struct device_job *at, const void *data, size_t bytes);
bool device_job_end(struct device_job *at, bool failed);

/* Sends the device the bytes that PAPPL holds back for larger writes. */
void device_job_flush(struct device_job *at);

#endif
