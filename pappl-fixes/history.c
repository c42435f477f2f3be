/*
 * history.c - a printer remembers the newest of its jobs that have ended.
 *
 * PAPPL 1.3 looks at them from the newest on (_papplPrinterCleanJobsNoLock,
 * job.c:824), at none behind one that ended within 60 s: a printer that is busy
 * never forgets any. Else it forgets the newest and keeps the first hundred.
 * Both go by the time of day: once the clock is set back, all jobs stay. Here
 * PAPPL's loop runs from the oldest on, at the end of all days, until there are
 * no more than there may be.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <stdint.h>
#include <time.h>

#include "pappl-fixes/replaced.h"

#define LAST_DAY (sizeof(time_t) > 4 ? (time_t)INT64_MAX : (time_t)INT32_MAX)

static _Thread_local bool cleans;
static _Thread_local const void *oldest; /* that the loop has got */

void _papplPrinterCleanJobsNoLock(pappl_printer_t *printer)
{
    cleans = true;
    REAL(_papplPrinterCleanJobsNoLock)(printer);
    cleans = false;
    if (papplPrinterGetMaxPreservedJobs(printer) > 0)
        REAL(_papplPrinterCleanJobsNoLock)(printer); /* documents alone */
}

/* libcups's, and libc's, for all that is in this process. */
void *cupsArrayFirst(cups_array_t *array)
{
    if (!cleans)
        return REAL(cupsArrayFirst)(array);
    oldest = cupsArrayLast(array);
    return (void *)oldest;
}

/* Ends the loop where it has not removed the oldest. */
void *cupsArrayNext(cups_array_t *array)
{
    if (!cleans)
        return REAL(cupsArrayNext)(array);
    const void *last = oldest;

    return cupsArrayFirst(array) == last ? NULL : (void *)oldest;
}

time_t time(time_t *at)
{
    const time_t now = cleans ? LAST_DAY : REAL(time)(NULL);

    if (at != NULL)
        *at = now;
    return now;
}
