/*
 * read_raster.c - reads raster with libcups, as a printer's filter would, and
 * prints its headers, its fields or its dots.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cups/raster.h>

#include "test/readers/raster_fields.h"
#include "test/readers/read_raster.h"

static int fail(const char *what, const char *why)
{
    fprintf(stderr, "make-raster: %s: %s\n", what, why);
    return EXIT_FAILURE;
}

struct raster_source {
    int fd;
    bool ended;
};

static ssize_t read_source(void *context, unsigned char *data, size_t size)
{
    struct raster_source *source = context;
    ssize_t got = read(source->fd, data, size);

    source->ended = got == 0;
    return got;
}

static void print_header(unsigned number, const cups_page_header2_t *h)
{
    const struct space *space = space_of(h->cupsColorSpace);

    printf("page %u: %ux%u %ux%u dpi %s %s bits %u bpp %u colors %u line %u "
           "copies %u class \"%.64s\"\n",
           number, h->cupsWidth, h->cupsHeight, h->HWResolution[0],
           h->HWResolution[1], space != NULL ? space->name : "unknown",
           h->cupsColorOrder < ORDERS ? orders[h->cupsColorOrder] : "unordered",
           h->cupsBitsPerColor, h->cupsBitsPerPixel, h->cupsNumColors,
           h->cupsBytesPerLine, h->NumCopies, h->MediaClass);
}

/* Planes of DeviceN, by their places. */
static const struct space device_n = {.name = "DeviceN",
                                      .inks = "abcdefghijklmno"};

/* Writes one ink's plane, whatever the raster's order and polarity are: as PBM,
 * 1 = ink, or of drops of several sizes as PGM of 0 to 3, or 15. */
static void print_plane(const cups_page_header2_t *h, const struct space *space,
                        const unsigned char *pixels, size_t color)
{
    const bool chunked = h->cupsColorOrder == CUPS_ORDER_CHUNKED;
    const unsigned bits = h->cupsBitsPerColor, most = (1u << bits) - 1;
    size_t line = h->cupsBytesPerLine;
    size_t next = line, start = 0; /* bytes */
    size_t first = 0;              /* bit */

    if (chunked)
        first = h->cupsBitsPerPixel - (h->cupsNumColors - color) * bits;
    else if (h->cupsColorOrder == CUPS_ORDER_BANDED)
        start = line / h->cupsNumColors * color;
    else
        start = line * h->cupsHeight * color;
    printf("P%c # %c\n%u %u\n%s", bits == 1 ? '4' : '5', space->inks[color],
           h->cupsWidth, h->cupsHeight,
           bits == 1   ? ""
           : bits == 2 ? "3\n"
                       : "15\n");
    for (uint32_t y = 0; y < h->cupsHeight; y++) {
        const unsigned char *from = pixels + start + y * next;
        unsigned byte = 0;

        for (uint32_t x = 0; x < h->cupsWidth; x++) {
            size_t bit = first + (size_t)x * h->cupsBitsPerPixel;
            unsigned size = from[bit / 8] >> (8 - bits - bit % 8) & most;

            if (space->additive)
                size = most - size;
            if (bits > 1)
                putchar((int)size);
            byte |= size << (7 - x % 8);
            if (bits == 1 && (x % 8 == 7 || x + 1 == h->cupsWidth)) {
                putchar((int)byte);
                byte = 0;
            }
        }
    }
}

static int print_dots(const cups_page_header2_t *h, const unsigned char *pixels)
{
    const unsigned of_device = h->cupsColorSpace - CUPS_CSPACE_DEVICE1 + 1;
    const bool device = of_device >= 1 && of_device <= strlen(device_n.inks);
    const struct space *space =
        device ? &device_n : space_of(h->cupsColorSpace);

    if (space == NULL ||
        (h->cupsBitsPerColor - 1 > 1 && h->cupsBitsPerColor != 4) ||
        h->cupsNumColors != (device ? of_device : strlen(space->inks)))
        return fail("dots", "not a page of inks of 1, 2 or 4 bits");
    for (size_t i = 0; device && i < of_device; i++)
        print_plane(h, space, pixels, i);
    if (device)
        return EXIT_SUCCESS;
    for (const char *ink = "CMYK"; *ink != '\0'; ink++) {
        const char *found = strchr(space->inks, *ink);
        if (found != NULL)
            print_plane(h, space, pixels, (size_t)(found - space->inks));
    }
    return EXIT_SUCCESS;
}

static int report_page(cups_raster_t *raster, cups_page_header2_t *h,
                       enum report report, unsigned number)
{
    size_t lines =
        (size_t)h->cupsHeight *
        (h->cupsColorOrder == CUPS_ORDER_PLANAR ? h->cupsNumColors : 1);
    unsigned char *pixels =
        malloc(report == DOTS ? lines * h->cupsBytesPerLine + 1
                              : h->cupsBytesPerLine + 1);
    unsigned char *line = pixels;
    int status = EXIT_SUCCESS;

    if (pixels == NULL)
        return fail("page", strerror(errno));
    if (report == HEADERS)
        print_header(number, h);
    else if (report == FIELDS)
        print_fields(h);
    for (size_t i = 0; i < lines && status == EXIT_SUCCESS; i++) {
        if (cupsRasterReadPixels(raster, line, h->cupsBytesPerLine) !=
            h->cupsBytesPerLine)
            status = fail("page", "truncated");
        if (report == DOTS)
            line += h->cupsBytesPerLine;
    }
    if (report == DOTS && status == EXIT_SUCCESS)
        status = print_dots(h, pixels);
    free(pixels);
    return status;
}

int read_back(const char *path, enum report report)
{
    struct raster_source source = {.fd = open(path, O_RDONLY)};
    cups_raster_t *raster;
    cups_page_header2_t header;
    unsigned pages = 0;
    int status = EXIT_SUCCESS;

    if (source.fd < 0)
        return fail(path, strerror(errno));
    raster = cupsRasterOpenIO(read_source, &source, CUPS_RASTER_READ);
    if (raster == NULL)
        return fail(path, "not raster");
    while (status == EXIT_SUCCESS && cupsRasterReadHeader2(raster, &header))
        status = report_page(raster, &header, report, ++pages);
    if (status == EXIT_SUCCESS && (!source.ended || pages == 0))
        status = fail(path, pages == 0 ? "no pages" : "bad header");
    cupsRasterClose(raster);
    close(source.fd);
    return status;
}
