/*
 * stalls.h - printers that take no more data, for a while or for ever.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef PRINTER_APP_OVERRIDES_STALLS_H
#define PRINTER_APP_OVERRIDES_STALLS_H

#include <pappl/pappl.h>

#define STALLS_SECONDS 30 /* if nothing else is set */

/* Sets after how many seconds, 1 or more, without a byte a printer is said to
 * wait, and a canceled job is given up. Call it before there are jobs. */
void stalls_after(int seconds);

/* What a job's printer takes. */
struct stall {
    pappl_job_t *job;
    double since;    /* s; 0 = it has not stalled */
    double canceled; /* s, when that was seen; 0 = it is not */
    bool is_told;
};

/* Does papplDeviceWrite() and papplDeviceFlush() for a job, of which the caller
 * has a `stall`. The first returns -1, and the other ends, where the printer
 * has taken nothing for that time of a job that is canceled. */
ssize_t stalls_write(struct stall *stall, pappl_device_t *device,
                     const void *data, size_t bytes);
void stalls_flush(struct stall *stall, pappl_device_t *device);

#endif
