/*
 * strokes.c - what is thin and dark is printed as by a threshold.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "page/bytes.h"
#include "page/strokes.h"

#define PAPER_MOST 5u    /* of 255: bare paper */
#define SOLID_LEAST 230u /* of 255: solid, beside a gray edge */

enum { PAPER, WIDE, STROKE }; /* kinds of pixels */

static inline void store(uint8_t *to, bytes v)
{
    memcpy(to, &v, sizeof v);
}

uint32_t strokes_pixels(uint32_t dpi)
{
    uint32_t pixels = dpi * 12 / 254;

    return pixels < 2 ? 2 : pixels > STROKES_MOST ? STROKES_MOST : pixels;
}

/* ---- Memory ------------------------------------------------------------- */

static size_t plane_bytes(const struct strokes *s)
{
    return (size_t)s->width * (s->bits / 8);
}

static uint8_t *data_at(const struct strokes *s, size_t row)
{
    return s->data + row % s->rows * s->inks * plane_bytes(s);
}

/* Bytes of a row with one a pixel, whole vectors. */
static size_t padded(const struct strokes *s)
{
    return ((size_t)s->width + BYTES - 1) / BYTES * BYTES;
}

static uint8_t *marks_at(const struct strokes *s, size_t row)
{
    return s->marked + row % s->rows * padded(s);
}

static uint8_t *kinds_at(const struct strokes *s, size_t row)
{
    return s->kinds + row % 3 * padded(s);
}

bool strokes_open(struct strokes *s, const struct two_level *dots,
                  uint32_t width, uint32_t bits, uint32_t across, uint32_t down)
{
    assert(across >= 1 && down >= 1 && down <= STROKES_MOST);
    *s = (struct strokes){.dots = dots,
                          .inks = dots->inks,
                          .width = width,
                          .bits = bits,
                          .across = across,
                          .down = down};
    size_t most = STROKES_MOST_BYTES / (s->inks * plane_bytes(s));
    if (s->down > most)
        s->down = (uint32_t)most;
    s->rows = s->down + 2;
    s->data = malloc(s->rows * s->inks * plane_bytes(s));
    s->marked = malloc(s->rows * padded(s));
    s->inked = malloc(s->rows * sizeof *s->inked);
    s->kinds = calloc(3, padded(s));
    s->above = calloc(1, padded(s));
    s->since = malloc(padded(s));
    s->tall = malloc(padded(s));
    if (s->data == NULL || s->marked == NULL || s->inked == NULL ||
        s->kinds == NULL || s->above == NULL || s->since == NULL ||
        s->tall == NULL)
        return false;
    memset(s->since, UINT8_MAX, padded(s));
    for (size_t i = 0; i < s->rows; i++)
        s->inked[i] = UINT16_MAX;
    return true;
}

void strokes_close(struct strokes *s)
{
    free(s->data);
    free(s->marked);
    free(s->inked);
    free(s->kinds);
    free(s->above);
    free(s->since);
    free(s->tall);
}

/* ---- Rows come -------------------------------------------------------- */

bool strokes_want(const struct strokes *s)
{
    return s->put < s->taken + s->down + 1;
}

bool strokes_have(const struct strokes *s)
{
    return s->taken < s->put;
}

uint8_t *strokes_space(struct strokes *s, uint16_t **inked)
{
    *inked = &s->inked[s->put % s->rows];
    return data_at(s, s->put);
}

/* Marks the pixels of a row that are no bare paper. */
static void mark(struct strokes *s)
{
    const uint8_t *row = data_at(s, s->put);
    uint8_t *marks = marks_at(s, s->put);
    uint16_t inked = s->inked[s->put % s->rows];

    memset(marks, 0, padded(s));
    for (uint32_t k = 0; k < s->inks; k++, row += plane_bytes(s)) {
        size_t x = 0;

        if ((inked >> k & 1) == 0)
            continue;
        for (; s->bits == 8 && x + BYTES <= s->width; x += BYTES) {
            bytes now =
                load(marks + x) | (bytes)(load(row + x) > (uint8_t)PAPER_MOST);

            store(marks + x, now);
        }
        for (; x < s->width; x++) {
            unsigned v = s->bits == 8
                             ? row[x]
                             : ((const uint16_t *)(const void *)row)[x] >> 8;

            if (v > PAPER_MOST)
                marks[x] = UINT8_MAX;
        }
    }
}

void strokes_put(struct strokes *s)
{
    assert(strokes_want(s));
    mark(s);
    s->put++;
}

/* ---- What is thin ----------------------------------------------------- */

/* Ends, in the row after those seen, the squares of which it is the last row:
 * `marks` are its marks, or NULL below the page. */
static void find_squares(struct strokes *s, const uint8_t *marks)
{
    const uint8_t *end = s->tall + s->width, *from = s->tall;

    if (marks == NULL)
        memset(s->above, 0, s->width);
    for (size_t x = 0; x < s->width; x += BYTES) {
        bytes above = load(s->above + x), since = load(s->since + x);

        if (marks != NULL)
            above =
                (above - (bytes)(above < (uint8_t)s->down)) & load(marks + x);
        since -= (bytes)(since < (uint8_t)UINT8_MAX);
        store(s->above + x, above);
        store(s->since + x, since);
        store(s->tall + x, (bytes)(above == (uint8_t)s->down));
    }
    while (from < end &&
           (from = memchr(from, UINT8_MAX, (size_t)(end - from))) != NULL) {
        const uint8_t *stop = memchr(from, 0, (size_t)(end - from));
        size_t run = (size_t)((stop == NULL ? end : stop) - from);

        if (run >= s->across)
            memset(s->since + (from - s->tall), 0, run);
        from += run;
    }
}

/* Finds out the kinds of the pixels of the next row; any square that they may
 * be of has ended `down` - 1 rows below it at the latest. */
static void sort_row(struct strokes *s)
{
    const uint8_t *marks = marks_at(s, s->sorted);
    uint8_t *kinds = kinds_at(s, s->sorted);

    for (; s->seen < s->sorted + s->down; s->seen++)
        find_squares(s, s->seen < s->put ? marks_at(s, s->seen) : NULL);
    for (size_t x = 0; x < s->width; x += BYTES) {
        bytes wide = (bytes)(load(s->since + x) < (uint8_t)s->down);

        store(kinds + x, ((bytes){0} + STROKE - (wide & 1)) & load(marks + x));
    }
    s->sorted++;
}

/* ---- Rows leave ------------------------------------------------------- */

static void sample_at(const struct strokes *s, size_t row, size_t x,
                      uint8_t sample[4])
{
    const uint8_t *data = data_at(s, row);

    for (uint32_t k = 0; k < s->inks; k++, data += plane_bytes(s)) {
        if ((s->inked[row % s->rows] >> k & 1) == 0)
            sample[k] = 0;
        else if (s->bits == 8)
            sample[k] = data[x];
        else
            sample[k] =
                (uint8_t)(((const uint16_t *)(const void *)data)[x] >> 8);
    }
}

/* What lies around a pixel. */
struct around {
    bool paper, dots, solid;
};

static struct around look_around(const struct strokes *s, size_t y, size_t x)
{
    size_t first = y > 0 ? y - 1 : 0, last = y + 1 < s->put ? y + 1 : y;
    size_t left = x > 0 ? x - 1 : 0, right = x + 1 < s->width ? x + 1 : x;
    struct around around = {.paper = false};

    for (size_t row = first; row <= last; row++)
        for (size_t at = left; at <= right; at++) {
            uint8_t sample[4] = {0};

            if (kinds_at(s, row)[at] == PAPER) {
                around.paper = true;
            } else if (row != y || at != x) {
                sample_at(s, row, at, sample);
                around.dots |= two_level_dots(s->dots, sample) != 0;
                for (uint32_t k = 0; k < s->inks; k++)
                    around.solid |= sample[k] >= SOLID_LEAST;
            }
        }
    return around;
}

/* Writes a pixel of solid inks, a bit each, and bare paper. */
static void print(const struct strokes *s, uint8_t *row, size_t x,
                  unsigned dots)
{
    for (uint32_t k = 0; k < s->inks; k++, row += plane_bytes(s))
        if (s->bits == 8)
            row[x] = (dots >> k & 1) != 0 ? UINT8_MAX : 0;
        else
            ((uint16_t *)(void *)row)[x] =
                (dots >> k & 1) != 0 ? UINT16_MAX : 0;
}

/* Prints the pixel at `x` of the row that is taken; returns its dots. */
static unsigned take_pixel(const struct strokes *s, uint8_t *row, size_t x)
{
    unsigned kind = kinds_at(s, s->taken)[x], dots;
    uint8_t sample[4] = {0};
    struct around around;

    sample_at(s, s->taken, x, sample);
    dots = two_level_dots(s->dots, sample);
    if (kind == WIDE || dots == 0) {
        around = look_around(s, s->taken, x);
        if (kind == WIDE ? !around.paper || !around.solid : !around.dots)
            return 0;
    }
    print(s, row, x, dots);
    return dots;
}

/* Whether the kinds of a row beside the one that is taken have bare paper in
 * the BYTES columns from `x`, or in those beside them. */
static bool paper_near(const struct strokes *s, size_t row, size_t x)
{
    const uint8_t *kinds = kinds_at(s, row);
    size_t first = x > 0 ? x - 1 : 0;
    size_t end = x + BYTES + 1 < s->width ? x + BYTES + 1 : s->width;

    return memchr(kinds + first, PAPER, end - first) != NULL;
}

/* Whether all pixels of the BYTES columns from `x` stay. */
static bool all_stay(const struct strokes *s, size_t x)
{
    const uint8_t *kinds = kinds_at(s, s->taken);
    size_t y = s->taken, count = s->width - x < BYTES ? s->width - x : BYTES;

    if (memchr(kinds + x, STROKE, count) != NULL)
        return false;
    if (memchr(kinds + x, WIDE, count) == NULL)
        return true;
    return !paper_near(s, y, x) && !(y > 0 && paper_near(s, y - 1, x)) &&
           !(y + 1 < s->put && paper_near(s, y + 1, x));
}

uint16_t strokes_take(struct strokes *s, void *row, uint16_t inked)
{
    const uint8_t *from = data_at(s, s->taken);
    uint16_t now = s->inked[s->taken % s->rows];
    size_t plane = plane_bytes(s);
    uint8_t *to = row;

    assert(strokes_have(s));
    while (s->sorted < s->taken + 2 && s->sorted < s->put)
        sort_row(s);
    for (uint32_t k = 0; k < s->inks; k++)
        if ((now >> k & 1) != 0)
            memcpy(to + k * plane, from + k * plane, plane);
        else if ((inked >> k & 1) != 0)
            memset(to + k * plane, 0, plane);
    for (size_t x = 0; now != 0 && x < s->width; x++) {
        if (x % BYTES == 0 && all_stay(s, x))
            x += BYTES - 1;
        else if (kinds_at(s, s->taken)[x] != PAPER)
            now |= (uint16_t)take_pixel(s, to, x);
    }
    s->taken++;
    return now;
}
