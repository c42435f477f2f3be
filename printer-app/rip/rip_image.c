/*
 * rip_image.c - images that a RIP writes become raster pages.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <math.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "printer-app/rip/rip_image.h"
#include "printer-app/rip/rip_thin.h"

#define HEADER_LINES 32 /* that an image may have, comments too */

void rip_image_header(cups_page_header2_t *header, const struct rip_page *page,
                      const struct rip_sheet *sheet, cups_cspace_t space)
{
    const double sides[2] = {page->width * 72 / 2540.0,
                             page->length * 72 / 2540.0};

    memset(header, 0, sizeof *header);
    for (int i = 0; i < 2; i++) {
        header->HWResolution[i] = page->dpi[i];
        header->PageSize[i] = (unsigned)lround(sides[i]);
        header->cupsPageSize[i] = (float)sides[i];
        header->ImagingBoundingBox[i + 2] = header->PageSize[i];
        header->cupsImagingBBox[i + 2] = header->cupsPageSize[i];
    }
    header->NumCopies = 1;
    header->cupsWidth = sheet->width;
    header->cupsHeight = sheet->height;
    header->cupsNumColors = space == CUPS_CSPACE_CMYK   ? 4
                            : space == CUPS_CSPACE_SRGB ? 3
                                                        : 1;
    header->cupsBitsPerColor = 8;
    header->cupsBitsPerPixel = 8 * header->cupsNumColors;
    header->cupsBytesPerLine = sheet->width * header->cupsNumColors;
    header->cupsColorOrder = CUPS_ORDER_CHUNKED;
    header->cupsColorSpace = space;
}

/* ---- Its header ---------------------------------------------------------- */

struct rip_image {
    uint64_t width, height;
    unsigned depth, most; /* samples of a pixel; the largest */
};

/* Reads the next line of a PGM header that is no comment. */
static bool next_line(struct rip_child *child, char line[RIP_MAX_LINE])
{
    for (int i = 0; i < HEADER_LINES; i++)
        if (!rip_child_line(child, line))
            return false;
        else if (line[0] != '#')
            return true;
    return false;
}

/* PGM and PPM as both programs write them: the size in a line, the largest
 * sample in the next one. */
static bool read_pnm(struct rip_child *child, struct rip_image *image,
                     unsigned depth)
{
    char line[RIP_MAX_LINE];

    image->depth = depth;
    return next_line(child, line) &&
           sscanf(line, "%" SCNu64 " %" SCNu64, &image->width,
                  &image->height) == 2 &&
           next_line(child, line) && sscanf(line, "%u", &image->most) == 1;
}

static bool read_pam(struct rip_child *child, struct rip_image *image)
{
    char line[RIP_MAX_LINE];

    for (int i = 0; i < HEADER_LINES && rip_child_line(child, line); i++) {
        if (strcmp(line, "ENDHDR") == 0)
            return true;
        if (sscanf(line, "WIDTH %" SCNu64, &image->width) != 1 &&
            sscanf(line, "HEIGHT %" SCNu64, &image->height) != 1 &&
            sscanf(line, "DEPTH %u", &image->depth) != 1)
            sscanf(line, "MAXVAL %u", &image->most);
    }
    return false;
}

static bool read_header(struct rip_child *child, struct rip_image *image)
{
    char line[RIP_MAX_LINE];

    memset(image, 0, sizeof *image);
    if (!rip_child_line(child, line))
        return false;
    return strcmp(line, "P5") == 0   ? read_pnm(child, image, 1)
           : strcmp(line, "P6") == 0 ? read_pnm(child, image, 3)
           : strcmp(line, "P7") == 0 ? read_pam(child, image)
                                     : false;
}

/* ---- Its rows ------------------------------------------------------------ */

static int64_t within(int64_t value, int64_t most)
{
    return value < 0 ? 0 : value > most ? most : value;
}

/* Copies the rows of an image whose upper left corner is at `x`, `y` of the
 * sheet; `row` has room for one of them and `line` for one of the sheet's.
 * `exact` is the image before, or has no pixels. */
static bool copy_rows(struct rip_child *child, struct stream *stream,
                      const cups_page_header2_t *header,
                      const struct rip_place *place,
                      const struct rip_image *image,
                      const struct rip_exact *exact, int64_t x, int64_t y,
                      unsigned char *row, unsigned char *line)
{
    const size_t bytes = header->cupsBytesPerLine, depth = image->depth;
    const int white = header->cupsColorSpace == CUPS_CSPACE_CMYK ? 0 : 255;
    const int64_t height = header->cupsHeight, width = header->cupsWidth;
    /* Part of the sheet that the page covers. */
    const int64_t left = within(place->x, width);
    const int64_t right = within(place->x + place->width, width);
    const int64_t top = within(place->y, height);
    const int64_t bottom = within(place->y + place->height, height);
    int64_t done = 0; /* of the sheet's lines */

    for (int64_t i = 0; i < (int64_t)image->height; i++) {
        if (!rip_child_read(child, row, image->width * depth))
            return false;
        if (exact->pixels != NULL)
            rip_thin_keep(exact, (size_t)i, row);
        if (y + i < top || y + i >= bottom || right <= left)
            continue;
        memset(line, white, bytes);
        for (; done < y + i; done++)
            if (!stream_write(stream, line, bytes))
                return false;
        memcpy(line + (size_t)left * depth, row + (size_t)(left - x) * depth,
               (size_t)(right - left) * depth);
        if (!stream_write(stream, line, bytes))
            return false;
        done++;
    }
    memset(line, white, bytes);
    for (; done < height; done++)
        if (!stream_write(stream, line, bytes))
            return false;
    return true;
}

/* Reads the header of an image of the size that the page is to have. */
static bool begin_image(struct rip_child *child, struct rip_image *image,
                        const cups_page_header2_t *header,
                        const struct rip_place *place, bool whole_sheet)
{
    if (!read_header(child, image))
        return false;
    if (image->depth == header->cupsNumColors && image->most == 255 &&
        image->width ==
            (whole_sheet ? header->cupsWidth : (uint64_t)place->width) &&
        image->height ==
            (whole_sheet ? header->cupsHeight : (uint64_t)place->height))
        return true;
    return rip_child_fail(
        child, "%s has made another image than it was to make", child->name);
}

/* Reads the pixels of an image, which the caller frees. */
static bool read_exact(struct rip_child *child, const struct rip_image *image,
                       struct rip_exact *exact)
{
    const size_t bytes = image->width * image->height * image->depth;

    exact->width = image->width;
    exact->height = image->height;
    exact->depth = image->depth;
    exact->pixels = malloc(bytes);
    if (exact->pixels == NULL)
        return rip_child_fail(child, "no memory is left for a page");
    return rip_child_read(child, exact->pixels, bytes);
}

bool rip_image_copy(struct rip_child *child, struct stream *stream,
                    const cups_page_header2_t *header,
                    const struct rip_place *place, bool whole_sheet, bool exact)
{
    cups_page_header2_t its = *header;
    struct rip_image image;
    struct rip_exact first = {.pixels = NULL};
    unsigned char *row = NULL, *line = NULL;
    bool ok = begin_image(child, &image, header, place, whole_sheet);

    if (ok && exact)
        ok = read_exact(child, &image, &first) &&
             begin_image(child, &image, header, place, whole_sheet);
    if (ok) {
        row = malloc(image.width * image.depth);
        line = malloc(header->cupsBytesPerLine);
    }
    if (ok && (row == NULL || line == NULL))
        ok = rip_child_fail(child, "no memory is left for a line");
    ok = ok && stream_write_header(stream, &its) &&
         copy_rows(child, stream, header, place, &image, &first,
                   whole_sheet ? 0 : place->x, whole_sheet ? 0 : place->y, row,
                   line);
    free(first.pixels);
    free(row);
    free(line);
    return ok;
}
