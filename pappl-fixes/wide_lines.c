/*
 * wide_lines.c - lines of raster that are wider than the paper are cut.
 *
 * For printers of 1 bit PAPPL 1.3 dithers a client's 8-bit raster into a line
 * that has room for the width of the paper, and does so for all pixels of the
 * client's (_papplJobProcessRaster, job-process.c): any client writes behind
 * the end of that line, as much as it likes.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include "pappl-fixes/replaced.h"

#define PIECE 4096 /* bytes that are left out at once */

/* Job whose raster this thread prints as it comes. */
static _Thread_local pappl_job_t *streamed; /* NULL = nothing */
static _Thread_local unsigned left_out;     /* bytes at each line's end */

void _papplJobProcessRaster(pappl_job_t *job, pappl_client_t *client)
{
    streamed = job;
    left_out = 0;
    REAL(_papplJobProcessRaster)(job, client);
    streamed = NULL;
}

/* Makes a page as wide as its paper, at most. */
static void cut(cups_page_header2_t *header)
{
    pappl_pr_driver_data_t data;

    left_out = 0;
    if (header->cupsBitsPerPixel != 8 ||
        header->cupsBytesPerLine != header->cupsWidth || /* is refused */
        papplPrinterGetDriverData(papplJobGetPrinter(streamed), &data) ==
            NULL ||
        data.force_raster_type != PAPPL_PWG_RASTER_TYPE_BLACK_1)
        return;
    pappl_pr_options_t *options = papplJobCreatePrintOptions(
        streamed, (unsigned)papplJobGetImpressions(streamed), false);

    if (options != NULL && options->header.cupsWidth < header->cupsWidth) {
        left_out = header->cupsWidth - options->header.cupsWidth;
        header->cupsWidth -= left_out;
        header->cupsBytesPerLine -= left_out;
    }
    papplJobDeletePrintOptions(options);
}

unsigned cupsRasterReadHeader2(cups_raster_t *raster,
                               cups_page_header2_t *header)
{
    const unsigned got = REAL(cupsRasterReadHeader2)(raster, header);

    if (got != 0 && streamed != NULL)
        cut(header);
    return got;
}

unsigned cupsRasterReadPixels(cups_raster_t *raster, unsigned char *pixels,
                              unsigned bytes)
{
    unsigned char rest[PIECE];
    const unsigned got = REAL(cupsRasterReadPixels)(raster, pixels, bytes);

    if (streamed == NULL || got == 0)
        return got;
    for (unsigned left = left_out, piece; left > 0; left -= piece) {
        piece = left < sizeof rest ? left : sizeof rest;
        if (REAL(cupsRasterReadPixels)(raster, rest, piece) == 0)
            return 0;
    }
    return got;
}
