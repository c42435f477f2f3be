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

#include "printer-app/picture/line_art.h"
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

/* Rows of an image, from above. */
struct image_rows {
    struct rip_child *child; /* from which they come, .. */
    uint8_t *pixels;         /* .. or all of them, [height][width][depth] */
    uint8_t *row;            /* room for one that comes */
};

/* Returns the next row, of `bytes`; NULL when it does not come. */
static const uint8_t *next_row(struct image_rows *rows, size_t y, size_t bytes)
{
    if (rows->pixels != NULL)
        return rows->pixels + y * bytes;
    return rip_child_read(rows->child, rows->row, bytes) ? rows->row : NULL;
}

/* Copies the rows of an image whose upper left corner is at `x`, `y` of the
 * sheet; `line` has room for one of the sheet's. */
static bool copy_rows(struct image_rows *rows, struct stream *stream,
                      const cups_page_header2_t *header,
                      const struct rip_place *place,
                      const struct rip_image *image, int64_t x, int64_t y,
                      unsigned char *line)
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
        const uint8_t *row = next_row(rows, (size_t)i, image->width * depth);

        if (row == NULL)
            return false;
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

/* Reads the pixels of an image, which the caller frees. NULL after an ERROR
 * line, or when they do not come. */
static uint8_t *read_pixels(struct rip_child *child,
                            const struct rip_image *image)
{
    const size_t bytes = image->width * image->height * image->depth;
    uint8_t *pixels = malloc(bytes);

    if (pixels == NULL)
        rip_child_fail(child, "no memory is left for a page");
    else if (rip_child_read(child, pixels, bytes))
        return pixels;
    free(pixels);
    return NULL;
}

/* Reads the second image and puts what is too thin for the first one, `pixels`,
 * there. Returns it in place of the first. */
static uint8_t *add_thin(struct rip_child *child, const struct rip_image *image,
                         uint8_t *pixels)
{
    const struct rip_exact exact = {pixels, image->width, image->height,
                                    image->depth};
    uint8_t *whole = read_pixels(child, image);

    for (size_t y = 0; whole != NULL && y < exact.height; y++)
        rip_thin_keep(&exact, y, whole + y * exact.width * exact.depth);
    free(pixels);
    return whole;
}

/* Reads a page that is not copied row by row. */
static uint8_t *read_page(struct rip_child *child, struct rip_image *image,
                          const cups_page_header2_t *header,
                          const struct rip_place *place, bool whole_sheet,
                          bool exact, bool art)
{
    uint8_t *pixels = read_pixels(child, image);

    if (pixels != NULL && exact &&
        !begin_image(child, image, header, place, whole_sheet)) {
        free(pixels);
        return NULL;
    }
    if (pixels != NULL && exact)
        pixels = add_thin(child, image, pixels);
    if (pixels != NULL && art &&
        !line_art_keep(pixels, image->width, image->height, image->depth)) {
        rip_child_fail(child, "no memory is left for its lines");
        free(pixels);
        return NULL;
    }
    return pixels;
}

bool rip_image_copy(struct rip_child *child, struct stream *stream,
                    const cups_page_header2_t *header,
                    const struct rip_place *place,
                    const struct rip_program *program,
                    const struct rip_page *page)
{
    const bool sheet = program->whole_sheets;
    const bool exact = page->exact && program->draws_exactly;
    cups_page_header2_t its = *header;
    struct rip_image image;

    if (!begin_image(child, &image, header, place, sheet))
        return false;

    const bool art = page->art && page->scan;
    struct image_rows rows = {.child = child};
    unsigned char *line = malloc(header->cupsBytesPerLine);
    bool ok;

    if (exact || art) {
        rows.pixels =
            read_page(child, &image, header, place, sheet, exact, art);
        ok = rows.pixels != NULL;
    } else {
        rows.row = malloc(image.width * image.depth);
        ok = rows.row != NULL || rip_child_fail(child, "no memory is left");
    }
    if (ok && line == NULL)
        ok = rip_child_fail(child, "no memory is left for a line");
    ok = ok && stream_write_header(stream, &its) &&
         copy_rows(&rows, stream, header, place, &image, sheet ? 0 : place->x,
                   sheet ? 0 : place->y, line);
    free(rows.pixels);
    free(rows.row);
    free(line);
    return ok;
}
