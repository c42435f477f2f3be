/*
 * raster_job.c - jobs whose lines PAPPL has: raster as it comes from a client,
 * and pictures.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "printer-app/app.h"
#include "printer-app/device_job.h"
#include "printer-app/ipp_device.h"
#include "printer-app/press.h"
#include "printer-app/supplies.h"

#define PIECE_BYTES 65536

bool app_start_job(pappl_job_t *job, pappl_pr_options_t *options,
                   pappl_device_t *device)
{
    struct press *press =
        press_open(job, options, device, app_state_directory());

    papplJobSetData(job, press);
    return press != NULL;
}

/*
 * Whether a page of a client's raster has 1 bit a sample. PAPPL 1.3 gives a
 * page the client's header if that has 8 bits, and else the one that it makes
 * of the job's attributes, in which the image box is upside down: no client
 * sends the same.
 */
static bool has_dots(pappl_job_t *job, const pappl_pr_options_t *options)
{
    const char *format = papplJobGetFormat(job);
    pappl_pr_options_t *made;

    if (strcmp(format, "image/pwg-raster") != 0 &&
        strcmp(format, "image/urf") != 0)
        return false;
    made = papplJobCreatePrintOptions(
        job, (unsigned)papplJobGetImpressions(job), false);
    if (made == NULL)
        return true;
    const bool same =
        memcmp(made->header.cupsInteger, options->header.cupsInteger,
               sizeof made->header.cupsInteger) == 0;
    papplJobDeletePrintOptions(made);
    return same;
}

bool app_start_page(pappl_job_t *job, pappl_pr_options_t *options,
                    pappl_device_t *device, unsigned page)
{
    (void)device;
    if (has_dots(job, options)) {
        static const char why[] =
            "Page %u has dots of 1 bit, not tones: send 8 bits";

        papplLogJob(job, PAPPL_LOGLEVEL_ERROR, why, page);
        papplJobSetMessage(job, why, page);
        papplJobSetReasons(job, PAPPL_JREASON_DOCUMENT_UNPRINTABLE_ERROR,
                           PAPPL_JREASON_NONE);
        return false;
    }
    return press_begin(papplJobGetData(job), &options->header, options);
}

bool app_write_line(pappl_job_t *job, pappl_pr_options_t *options,
                    pappl_device_t *device, unsigned y,
                    const unsigned char *line)
{
    (void)options;
    (void)device;
    (void)y;
    return press_line(papplJobGetData(job), line);
}

bool app_end_page(pappl_job_t *job, pappl_pr_options_t *options,
                  pappl_device_t *device, unsigned page)
{
    (void)options;
    (void)device;
    (void)page;
    return press_end(papplJobGetData(job));
}

bool app_end_job(pappl_job_t *job, pappl_pr_options_t *options,
                 pappl_device_t *device)
{
    const bool ok = press_close(papplJobGetData(job));

    (void)options;
    papplJobSetData(job, NULL);
    supplies_ask(papplJobGetPrinter(job), device);
    return ok;
}

/* Says why the job is aborted, in its log and in its state. */
static bool fail(pappl_job_t *job, const char *what, const char *why)
{
    papplLogJob(job, PAPPL_LOGLEVEL_ERROR, "%s%s", what, why);
    papplJobSetMessage(job, "%s%s", what, why);
    return false;
}

/* Copies the file to the device. */
static bool send_file(pappl_job_t *job, int fd, pappl_device_t *device)
{
    char data[PIECE_BYTES];
    struct device_job at;
    ssize_t got = 0;
    bool taken = true;

    if (!device_job_begin(&at, job, device))
        return false;
    while (taken && !papplJobIsCanceled(job) &&
           (got = read(fd, data, sizeof data)) > 0)
        taken = device_job_write(&at, data, (size_t)got);
    const int error = errno;

    taken = device_job_end(&at) && taken;
    taken = ipp_device_end_job(
                device, papplPrinterGetDeviceURI(papplJobGetPrinter(job)),
                papplJobIsCanceled(job) || !taken || got < 0) &&
            taken;
    if (papplJobIsCanceled(job))
        return true;
    if (got < 0)
        return fail(job, "Cannot read the file: ", strerror(error));
    return taken || fail(job, "The printer takes no more data", "");
}

bool app_print_file(pappl_job_t *job, pappl_pr_options_t *options,
                    pappl_device_t *device)
{
    const int fd = open(papplJobGetFilename(job), O_RDONLY | O_CLOEXEC);

    (void)options;
    if (fd < 0)
        return fail(job, "Cannot open the file: ", strerror(errno));
    const bool ok = send_file(job, fd, device);

    close(fd);
    return ok;
}
