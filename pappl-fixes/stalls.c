/*
 * stalls.c - a printer that takes no more data does not keep a canceled job.
 *
 * PAPPL 1.3 writes to printers in the network, and to files, by write() until
 * all is taken (pappl_socket_write, device-network.c:1923; pappl_file_write,
 * device-file.c:171), without a look at the job: one that is canceled keeps its
 * printer until that goes on, perhaps never, and nobody is told why. Both go on
 * after EAGAIN. So here write() gives that once a second while a job's printer
 * takes nothing, and an error when nobody wants the job any more.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <errno.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include "pappl-fixes/replaced.h"
#include "pappl-fixes/stalls.h"
#include "pappl-fixes/seconds.h"

#define TIMES 4 /* as long as a printer may take nothing, to end a page */

static int patience = STALLS_SECONDS; /* set before there are jobs */
static _Thread_local struct papplfixes_stall
    *mine; /* of the device that is written to */

void stalls_after(int seconds)
{
    patience = seconds;
}

double papplfixes_now(void)
{
    return seconds_now();
}

/* ---- Messages ----------------------------------------------------------
 */

static void tell(struct papplfixes_stall *stall)
{
    stall->is_told = true;
    papplLogJob(stall->job, PAPPL_LOGLEVEL_WARN,
                "The printer has taken no data for %d seconds.", patience);
    papplPrinterSetReasons(papplJobGetPrinter(stall->job), PAPPL_PREASON_OTHER,
                           PAPPL_PREASON_NONE);
}

static void goes_on(struct papplfixes_stall *stall)
{
    if (stall->is_told) {
        papplLogJob(stall->job, PAPPL_LOGLEVEL_WARN,
                    "The printer goes on after %.0f seconds.",
                    papplfixes_now() - stall->since);
        papplPrinterSetReasons(papplJobGetPrinter(stall->job),
                               PAPPL_PREASON_NONE, PAPPL_PREASON_OTHER);
    }
    stall->is_told = false;
    stall->since = 0;
}

/* Whether a job that is canceled has had its time to come to a page's end, on a
 * printer that takes little. */
static bool is_over(struct papplfixes_stall *stall)
{
    if (stall->canceled == 0 && papplJobIsCanceled(stall->job))
        stall->canceled = papplfixes_now();
    return stall->canceled != 0 &&
           papplfixes_now() - stall->canceled >= TIMES * patience;
}

/* Nothing was taken. False if nobody waits for it any more. */
static bool waits(struct papplfixes_stall *stall)
{
    if (stall->since == 0)
        stall->since = papplfixes_now();
    if (papplfixes_now() - stall->since < patience)
        return true;
    if (!stall->is_told)
        tell(stall);
    return !papplJobIsCanceled(stall->job);
}

/* ---- Writing ---------------------------------------------------------------
 */

/* Writes what is taken within a second; 0 and less is an error, or EAGAIN. */
static ssize_t write_some(int fd, const void *data, size_t bytes)
{
    static const struct timeval second = {.tv_sec = 1};
    struct pollfd writable = {.fd = fd, .events = POLLOUT};

    if (poll(&writable, 1, 1000) == 0) {
        errno = EAGAIN;
        return -1;
    }
    (void)setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &second, sizeof second);
    return REAL(write)(fd, data, bytes);
}

/* libc's, for all that is in this process. */
ssize_t write(int fd, const void *data, size_t bytes)
{
    struct papplfixes_stall *stall = mine;

    if (stall == NULL)
        return REAL(write)(fd, data, bytes);
    /* Meanwhile this thread writes to the log, which is not the job's. */
    mine = NULL;
    const bool over = is_over(stall);
    const ssize_t put = over ? -1 : write_some(fd, data, bytes);
    int error = over ? EPIPE : errno;

    if (put >= 0)
        goes_on(stall);
    else if (error == EAGAIN && !waits(stall))
        error = EPIPE;
    mine = stall;
    errno = error;
    return put;
}

ssize_t papplfixes_write(struct papplfixes_stall *stall, pappl_device_t *device,
                         const void *data, size_t bytes)
{
    mine = stall;
    const ssize_t put = REAL(papplDeviceWrite)(device, data, bytes);

    mine = NULL;
    return put;
}

void papplfixes_flush(struct papplfixes_stall *stall, pappl_device_t *device)
{
    mine = stall;
    REAL(papplDeviceFlush)(device);
    mine = NULL;
    goes_on(stall);
}

/* ---- Applications that do not say what they write --------------------------
 */

/* The job that this thread prints. */
static _Thread_local struct {
    struct papplfixes_stall stall; /* its job: NULL = none */
    bool has_begun;
} printed;

void stalls_print(pappl_job_t *job)
{
    printed.stall = (struct papplfixes_stall){.job = job};
    printed.has_begun = false;
}

pappl_job_t *stalls_job(void)
{
    return printed.stall.job;
}

ssize_t papplDeviceWrite(pappl_device_t *device, const void *data, size_t bytes)
{
    if (printed.stall.job == NULL)
        return REAL(papplDeviceWrite)(device, data, bytes);
    if (!printed.has_begun && bytes > 0)
        papplfixes_begun(printed.stall.job);
    printed.has_begun = printed.has_begun || bytes > 0;
    return papplfixes_write(&printed.stall, device, data, bytes);
}

void papplDeviceFlush(pappl_device_t *device)
{
    if (printed.stall.job != NULL)
        papplfixes_flush(&printed.stall, device);
    else
        REAL(papplDeviceFlush)(device);
}
