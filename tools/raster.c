/*
 * raster.c - CUPS and PWG raster, contone or dots, row by row for the tools.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "page/merge.h"
#include "tools/raster.h"

static bool fail(struct raster *raster, const char *error)
{
    raster->error = error;
    return false;
}

/* ---- Streams ---------------------------------------------------------- */

bool raster_open(struct raster *raster, const char *path)
{
    *raster = (struct raster){.fd = STDIN_FILENO};
    if (strcmp(path, "-") != 0)
        raster->fd = open(path, O_RDONLY | O_CLOEXEC);
    if (raster->fd < 0)
        return fail(raster, strerror(errno));
    return stream_open_input(&raster->stream, raster->fd) ||
           fail(raster, "not CUPS or PWG raster");
}

static void free_page(struct raster *raster)
{
    free(raster->lines);
    free(raster->unused);
    free(raster->samples);
    raster->lines = NULL;
    raster->unused = NULL;
    raster->samples = NULL;
}

void raster_close(struct raster *raster)
{
    free_page(raster);
    stream_close(&raster->stream);
    if (raster->fd > STDIN_FILENO)
        close(raster->fd);
}

/* ---- Pages ------------------------------------------------------------ */

static bool read_lines(struct raster *raster, size_t lines)
{
    return stream_read_lines(&raster->stream, raster->lines, lines,
                             raster->layout.line_bytes) == lines ||
           fail(raster, "the page is truncated");
}

/* Tells whether a page is held, since its planes come one after the other. */
static bool is_held(const struct layout *l)
{
    return l->lines > l->height;
}

/* layout_read() bounds every product here. */
static bool begin_page(struct raster *raster)
{
    const struct layout *l = &raster->layout;
    size_t lines = is_held(l) ? l->lines : 1;

    if (lines > 1 &&
        (uint64_t)lines * l->line_bytes > (uint64_t)LAYOUT_PLANAR_MIB << 20)
        return fail(raster, "the page is planar and too large");
    raster->page++;
    raster->row = 0;
    raster->levels = l->bits == 4 ? HT_MAX_LEVELS : 1u << l->bits;
    raster->lines = malloc(lines * l->line_bytes);
    raster->unused = malloc(((size_t)l->width + 7) / 8);
    raster->samples =
        calloc((size_t)l->inks * l->width, sizeof *raster->samples);
    if (raster->lines == NULL || raster->unused == NULL ||
        raster->samples == NULL)
        return fail(raster, "not enough memory");
    return !is_held(l) || read_lines(raster, lines);
}

bool raster_next_page(struct raster *raster)
{
    free_page(raster);
    switch (stream_read_header(&raster->stream, &raster->header)) {
    case STREAM_PAGE:
        break;
    case STREAM_DAMAGED:
        return fail(raster, "bad page header");
    case STREAM_END:
        return raster->page == 0 ? fail(raster, "no pages") : false;
    }
    if (!layout_read(&raster->layout, &raster->header, NULL, raster->why))
        return fail(raster, raster->why);
    return begin_page(raster);
}

/* Returns the row of ink `ink` in `lines`; of all inks if chunked. */
static const uint8_t *row_of(const struct raster *raster, uint32_t ink)
{
    const struct layout *l = &raster->layout;

    if (is_held(l))
        return raster->lines +
               ((size_t)ink * l->height + raster->row) * l->line_bytes;
    if (l->order == CUPS_ORDER_BANDED)
        return raster->lines + l->line_bytes / l->inks * ink;
    return raster->lines;
}

static bool is_chunked(const struct layout *l)
{
    return !is_held(l) && l->order != CUPS_ORDER_BANDED;
}

/* Sorts the samples of a row into planes. Samples of a chunk are its last bits:
 * three of one bit lie in four. Of four bits none is beyond the largest size.
 */
static void unpack(struct raster *raster)
{
    const struct layout *l = &raster->layout;
    const size_t pixel = raster->header.cupsBitsPerPixel;
    const unsigned most = raster->levels - 1;

    for (uint32_t k = 0; k < l->inks; k++) {
        const uint8_t *in = row_of(raster, k);
        uint16_t *out = raster->samples + (size_t)k * l->width;
        size_t bit = 0; /* of the first pixel's sample */
        if (is_chunked(l))
            bit = pixel - (l->inks - k) * l->bits;
        for (size_t x = 0; x < l->width; x++, bit += pixel)
            if (l->bits < 8) {
                unsigned sample = in[bit / 8] >> (8 - l->bits - bit % 8) &
                                  ((1u << l->bits) - 1);

                out[x] = (uint16_t)(sample < most ? sample : most);
            } else if (l->bits == 8) {
                out[x] = in[bit / 8];
            } else { /* libcups has put them into host order */
                memcpy(&out[x], in + bit / 8, sizeof out[x]);
            }
    }
}

bool raster_next_row(struct raster *raster)
{
    if (!is_held(&raster->layout) && !read_lines(raster, 1))
        return false;
    unpack(raster);
    raster->row++;
    return true;
}

/* Makes a plane of the samples of an ink, of dots. */
static void pack_plane(const struct raster *raster, uint32_t ink,
                       uint8_t *plane)
{
    const uint32_t width = raster->layout.width;
    const uint16_t *samples = raster->samples + (size_t)ink * width;

    memset(plane, 0, ((size_t)width + 7) / 8);
    for (uint32_t x = 0; x < width; x++)
        plane[x / 8] |= (uint8_t)(samples[x] << (7 - x % 8));
}

/* Makes 1 ink, and 0 all that is behind the last column. */
static void finish_plane(const struct layout *l, uint8_t *plane)
{
    size_t bytes = ((size_t)l->width + 7) / 8;

    if (l->additive)
        for (size_t i = 0; i < bytes; i++)
            plane[i] = (uint8_t)~plane[i];
    if (l->width % 8 != 0)
        plane[bytes - 1] &= (uint8_t)(0xff << (8 - l->width % 8));
}

bool raster_next_dots(struct raster *raster,
                      uint8_t *const planes[RASTER_MAX_INKS])
{
    const struct layout *l = &raster->layout;

    assert(l->bits == 1);
    if (!is_held(l) && !read_lines(raster, 1))
        return false;
    if (is_chunked(l) && l->inks > 4) {
        unpack(raster);
        for (uint32_t k = 0; k < l->inks; k++)
            pack_plane(raster, k, planes[k]);
    } else if (is_chunked(l) && l->inks > 1) {
        uint8_t *to[4] = {raster->unused};

        memcpy(to + 4 - l->inks, planes, l->inks * sizeof *planes);
        part_dots(raster->lines, l->width, to);
    } else {
        for (uint32_t k = 0; k < l->inks; k++)
            memcpy(planes[k], row_of(raster, k), ((size_t)l->width + 7) / 8);
    }
    for (uint32_t k = 0; k < l->inks; k++)
        finish_plane(l, planes[k]);
    raster->row++;
    return true;
}
