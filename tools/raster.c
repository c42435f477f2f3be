/*
 * raster.c - CUPS and PWG raster, contone or dots, row by row for the tools.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "halftone/halftone.h"
#include "tools/raster.h"

#define MAX_LINE (16u << 20) /* bytes, as in libcups 2.4.17 */
#define MAX_DPI 9600u

static const struct raster_space spaces[] = {
    {CUPS_CSPACE_W, "W", "K", true},
    {CUPS_CSPACE_SW, "SW", "K", true},
    {CUPS_CSPACE_K, "K", "K", false},
    {CUPS_CSPACE_RGB, "RGB", "CMY", true},
    {CUPS_CSPACE_SRGB, "SRGB", "CMY", true},
    {CUPS_CSPACE_ADOBERGB, "ADOBERGB", "CMY", true},
    {CUPS_CSPACE_CMY, "CMY", "CMY", false},
    {CUPS_CSPACE_CMYK, "CMYK", "CMYK", false},
    {CUPS_CSPACE_KCMY, "KCMY", "KCMY", false},
};

static bool fail(struct raster *raster, const char *error)
{
    raster->error = error;
    return false;
}

/* ---- Headers ---------------------------------------------------------- */

static const struct raster_space *find_space(cups_cspace_t space)
{
    for (size_t i = 0; i < sizeof spaces / sizeof spaces[0]; i++)
        if (spaces[i].space == space)
            return &spaces[i];
    return NULL;
}

/* Why a header cannot be shown, or NULL: then its numbers agree with each
 * other and every size made from them fits. */
static const char *check_header(const cups_page_header2_t *h)
{
    const struct raster_space *space = find_space(h->cupsColorSpace);

    if (space == NULL)
        return "unsupported color space";
    uint32_t colors = (uint32_t)strlen(space->inks);
    if (h->cupsNumColors != colors)
        return "the number of colors does not fit the color space";
    if (h->cupsBitsPerColor != 1 && h->cupsBitsPerColor != 8 &&
        h->cupsBitsPerColor != 16)
        return "not 1, 8 or 16 bits per color";
    bool banded = h->cupsColorOrder == CUPS_ORDER_BANDED;
    if (!banded && h->cupsColorOrder != CUPS_ORDER_CHUNKED && colors > 1)
        return "unsupported color order (planar)";
    uint32_t bits = h->cupsBitsPerColor * (banded ? 1 : colors);
    /* Three 1-bit colors may lie in four bits, the first of them unused. */
    if (h->cupsBitsPerPixel != bits && !(bits == 3 && h->cupsBitsPerPixel == 4))
        return "the bits per pixel do not fit the colors";
    if (h->cupsWidth < 1 || h->cupsWidth > HT_MAX_WIDTH || h->cupsHeight < 1 ||
        h->cupsHeight > HT_MAX_HEIGHT)
        return "the page is empty or too large";
    if (h->HWResolution[0] < 1 || h->HWResolution[0] > MAX_DPI ||
        h->HWResolution[1] < 1 || h->HWResolution[1] > MAX_DPI)
        return "not a printer's resolution";

    uint32_t line;
    if (__builtin_mul_overflow(h->cupsWidth, h->cupsBitsPerPixel, &line) ||
        __builtin_add_overflow(line, 7, &line))
        return "the line is too long";
    line /= 8;
    if (banded && __builtin_mul_overflow(line, colors, &line))
        return "the line is too long";
    if (h->cupsBytesPerLine != line || line > MAX_LINE)
        return "the bytes per line do not fit the width";
    return NULL;
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
    free(raster->line);
    free(raster->samples);
    raster->line = NULL;
    raster->samples = NULL;
}

void raster_close(struct raster *raster)
{
    free_page(raster);
    stream_close(&raster->stream);
    if (raster->fd > STDIN_FILENO)
        close(raster->fd);
}

/* check_header() bounds every product here. */
bool raster_next_page(struct raster *raster)
{
    const cups_page_header2_t *h = &raster->header;

    free_page(raster);
    switch (stream_read_header(&raster->stream, &raster->header)) {
    case STREAM_PAGE:
        break;
    case STREAM_DAMAGED:
        return fail(raster, "bad page header");
    case STREAM_END:
        return raster->page == 0 ? fail(raster, "no pages") : false;
    }
    const char *trouble = check_header(h);
    if (trouble != NULL)
        return fail(raster, trouble);
    raster->page++;
    raster->space = find_space(h->cupsColorSpace);
    raster->inks = h->cupsNumColors;
    raster->bits = h->cupsBitsPerColor;
    raster->levels = 1u << raster->bits;
    raster->line = malloc(h->cupsBytesPerLine);
    raster->samples =
        calloc((size_t)raster->inks * h->cupsWidth, sizeof *raster->samples);
    return (raster->line != NULL && raster->samples != NULL) ||
           fail(raster, "not enough memory");
}

/* Sorts the samples of a line into planes. */
static void unpack(struct raster *raster)
{
    const cups_page_header2_t *h = &raster->header;
    bool banded = h->cupsColorOrder == CUPS_ORDER_BANDED;
    size_t width = h->cupsWidth;
    size_t pixel = h->cupsBitsPerPixel;

    for (uint32_t k = 0; k < raster->inks; k++) {
        const uint8_t *in = raster->line;
        uint16_t *out = raster->samples + k * width;
        size_t bit = k * raster->bits; /* of the first pixel's sample */
        if (banded) {
            in += h->cupsBytesPerLine / raster->inks * k;
            bit = 0;
        } else if (raster->bits == 1)
            bit += pixel - raster->inks;
        for (size_t x = 0; x < width; x++, bit += pixel)
            if (raster->bits == 1)
                out[x] = in[bit / 8] >> (7 - bit % 8) & 1;
            else if (raster->bits == 8)
                out[x] = in[bit / 8];
            else /* libcups has put them into host order */
                memcpy(&out[x], in + bit / 8, sizeof out[x]);
    }
}

bool raster_next_row(struct raster *raster)
{
    size_t bytes = raster->header.cupsBytesPerLine;

    if (stream_read_lines(&raster->stream, raster->line, 1, bytes) != 1)
        return fail(raster, "the page is truncated");
    unpack(raster);
    return true;
}
