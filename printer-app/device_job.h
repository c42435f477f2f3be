/*
 * device_job.h - the bytes of a job at a device. PAPPL keeps the last ones, and
 * says nothing of whether they were taken.
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

/* Both are false if the device does not take it, or an IPP printer refuses the
 * job or is told that it is canceled, as one is that has `failed`. A device
 * that stalls is waited for, until the job is canceled and some time behind.
 * End it whatever was written. */
bool device_job_write(struct device_job *at, const void *data, size_t bytes);
bool device_job_end(struct device_job *at, bool failed);

/* Sends the device the bytes that PAPPL holds back for larger writes. */
void device_job_flush(struct device_job *at);

#endif
