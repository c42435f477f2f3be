/*
 * raster_file.c - prints raster that has waited in a file, as PAPPL prints
 * raster that comes from a client (_papplJobProcessRaster,
 * job-process.c:573-845).
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "printer-app/app.h"
#include "pappl-fixes/pappl-fixes.h"
#include "printer-app/ipp/job_request.h"

/* Returns the options that a page of that header is printed with; NULL = no
 * memory. */
static pappl_pr_options_t *options_of(pappl_job_t *job,
                                      const cups_page_header2_t *header)
{
    return papplJobCreatePrintOptions(job,
                                      (unsigned)papplJobGetImpressions(job),
                                      header->cupsBitsPerPixel > 8);
}

static bool is_raster(const cups_page_header2_t *header)
{
    return header->cupsWidth > 0 && header->cupsHeight > 0 &&
           (header->cupsBitsPerColor == 1 || header->cupsBitsPerColor == 8) &&
           header->cupsColorOrder == CUPS_ORDER_CHUNKED &&
           header->cupsBytesPerLine ==
               (uint32_t)(((uint64_t)header->cupsWidth *
                               header->cupsBitsPerPixel +
                           7) /
                          8);
}

static bool has_colors(pappl_job_t *job)
{
    pappl_pr_driver_data_t data;

    papplPrinterGetDriverData(papplJobGetPrinter(job), &data);
    return (data.color_supported & PAPPL_COLOR_MODE_COLOR) != 0;
}

static bool print_lines(pappl_job_t *job, pappl_device_t *device,
                        cups_raster_t *raster,
                        const cups_page_header2_t *header,
                        pappl_pr_options_t *options)
{
    const unsigned bytes = header->cupsBytesPerLine;
    unsigned char *line = malloc(bytes);
    bool well = line != NULL || job_refuse(job, PAPPL_JREASON_ERRORS_DETECTED,
                                           "Not enough memory");

    for (unsigned y = 0;
         well && y < header->cupsHeight && !papplJobIsCanceled(job); y++)
        well = (cupsRasterReadPixels(raster, line, bytes) == bytes ||
                job_refuse(job, PAPPL_JREASON_DOCUMENT_FORMAT_ERROR,
                           "The raster ends in the middle of a page")) &&
               app_write_line(job, options, device, y, line);
    free(line);
    return well;
}

static bool print_page(pappl_job_t *job, pappl_device_t *device,
                       cups_raster_t *raster, const cups_page_header2_t *header,
                       unsigned page)
{
    pappl_pr_options_t *options;
    bool well;

    papplJobSetImpressionsCompleted(job, 1);
    if (!is_raster(header))
        return job_refuse(job, PAPPL_JREASON_DOCUMENT_FORMAT_ERROR,
                          "The raster is damaged");
    if (header->cupsBitsPerPixel > 8 && !has_colors(job))
        return job_refuse(job, PAPPL_JREASON_DOCUMENT_UNPRINTABLE_ERROR,
                          "The printer has no colors, and the raster has");
    options = options_of(job, header);
    if (options == NULL)
        return job_refuse(job, PAPPL_JREASON_ERRORS_DETECTED,
                          "Not enough memory");
    if (header->cupsBitsPerPixel >= 8)
        options->header = *header;
    well = app_start_page(job, options, device, page);
    if (well) {
        well = print_lines(job, device, raster, header, options);
        well = app_end_page(job, options, device, page) && well;
    }
    papplJobDeletePrintOptions(options);
    return well;
}

static bool print_pages(pappl_job_t *job, pappl_device_t *device,
                        cups_raster_t *raster)
{
    cups_page_header2_t header;
    unsigned page = 0;
    bool well = cupsRasterReadHeader2(raster, &header) != 0 ||
                job_refuse(job, PAPPL_JREASON_DOCUMENT_FORMAT_ERROR,
                           "The raster has no page");

    if (!well)
        return false;
    if (header.cupsInteger[CUPS_RASTER_PWG_TotalPageCount] > 0)
        papplJobSetImpressions(
            job, (int)header.cupsInteger[CUPS_RASTER_PWG_TotalPageCount]);

    pappl_pr_options_t *options = options_of(job, &header);

    well = options != NULL ? app_start_job(job, options, device)
                           : job_refuse(job, PAPPL_JREASON_ERRORS_DETECTED,
                                        "Not enough memory");
    if (well) {
        do
            well = print_page(job, device, raster, &header, ++page);
        while (well && !papplJobIsCanceled(job) &&
               cupsRasterReadHeader2(raster, &header) != 0);
        if (!well)
            _papplJobSetState(job, IPP_JSTATE_ABORTED); /* no copies */
        well = app_end_job(job, options, device) && well;
    }
    papplJobDeletePrintOptions(options);
    return well;
}

bool app_print_raster(pappl_job_t *job, pappl_device_t *device, void *data)
{
    const char *path = papplJobGetFilename(job);

    (void)data;
    const int fd = open(path, O_RDONLY | O_CLOEXEC);
    cups_raster_t *raster =
        fd >= 0 ? cupsRasterOpen(fd, CUPS_RASTER_READ) : NULL;
    bool well = raster != NULL;

    if (!well)
        papplLogJob(job, PAPPL_LOGLEVEL_ERROR, "Cannot read the raster: %s",
                    fd < 0 ? strerror(errno) : "it is none");
    well = well && print_pages(job, device, raster);
    cupsRasterClose(raster);
    if (fd >= 0)
        close(fd);
    return well;
}
