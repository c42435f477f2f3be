/*
 * raster_file.c - pages as CUPS raster, through libcups.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cups/raster.h>

#include "lab/bench/raster_file.h"

static cups_page_header2_t header_of(uint32_t inks)
{
    return (cups_page_header2_t){.HWResolution = {PAGE_DPI, PAGE_DPI},
                                 .PageSize = {595, 842},
                                 .cupsPageSize = {595, 842},
                                 .NumCopies = 1,
                                 .cupsWidth = PAGE_WIDTH,
                                 .cupsHeight = PAGE_ROWS,
                                 .cupsBitsPerColor = 8,
                                 .cupsBitsPerPixel = 8 * inks,
                                 .cupsBytesPerLine = inks * PAGE_WIDTH,
                                 .cupsColorOrder = CUPS_ORDER_CHUNKED,
                                 .cupsColorSpace = inks == 1 ? CUPS_CSPACE_K
                                                             : CUPS_CSPACE_CMYK,
                                 .cupsNumColors = inks};
}

/* The lines that repeat, as they are in the file: C M Y K. */
static uint8_t *lines_of(const uint8_t *samples, uint32_t inks)
{
    static const uint8_t ink_of[] = {1, 2, 3, 0};
    uint8_t *lines = malloc((size_t)CONTENT_ROWS * inks * PAGE_WIDTH);
    size_t i = 0;

    for (uint32_t y = 0; lines != NULL && y < CONTENT_ROWS; y++)
        for (uint32_t x = 0; x < PAGE_WIDTH; x++)
            for (uint32_t k = 0; k < inks; k++) {
                size_t ink = inks == 1 ? 0 : ink_of[k];
                lines[i++] = samples[((size_t)y * inks + ink) * PAGE_WIDTH + x];
            }
    return lines;
}

static bool write_pages(int fd, bool pwg, uint8_t *lines, uint32_t inks,
                        unsigned pages)
{
    cups_raster_t *raster =
        cupsRasterOpen(fd, pwg ? CUPS_RASTER_WRITE_PWG : CUPS_RASTER_WRITE);
    cups_page_header2_t header = header_of(inks);
    unsigned bytes = header.cupsBytesPerLine;
    bool ok = raster != NULL;

    for (unsigned page = 0; ok && page < pages; page++) {
        ok = cupsRasterWriteHeader2(raster, &header) != 0;
        for (size_t y = 0; ok && y < PAGE_ROWS; y++)
            ok = cupsRasterWritePixels(raster, lines + y % CONTENT_ROWS * bytes,
                                       bytes) == bytes;
    }
    cupsRasterClose(raster);
    return ok;
}

bool raster_file_write(const char *path, const uint8_t *samples, uint32_t inks,
                       unsigned pages)
{
    const char *end = strrchr(path, '.');
    const bool pwg = end != NULL && strcmp(end, ".pwg") == 0;
    uint8_t *lines = lines_of(samples, inks);
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600), error;
    bool ok =
        lines != NULL && fd >= 0 && write_pages(fd, pwg, lines, inks, pages);

    error = errno;
    if (fd >= 0 && close(fd) < 0 && ok) {
        error = errno;
        ok = false;
    }
    if (fd >= 0 && !ok)
        unlink(path);
    free(lines);
    errno = error;
    return ok;
}
