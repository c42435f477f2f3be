/*
 * strokes.c - prints thin gray strokes as a threshold does.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "page/color/color.h"
#include "page/bytes.h"
#include "page/black/strokes.h"

#define PAPER_MOST 5u    /* of 255: bare paper */
#define SOLID_LEAST 230u /* of 255: solid */
#define GRAY_MOST 8.0    /* chroma: more is seen beside black */
#define TONE_REACH 8u    /* of 255: one tone, of a JPEG, too */

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

/* Bytes of a row with one a pixel, whole vectors. */
static size_t padded(const struct strokes *s)
{
    return ((size_t)s->ring.width + BYTES - 1) / BYTES * BYTES;
}

static uint8_t *marks_at(const struct strokes *s, size_t row)
{
    return s->marked + row % s->ring.rows * padded(s);
}

/* Vectors may begin a pixel beside the page. */
static uint8_t *kinds_at(const struct strokes *s, size_t row)
{
    return s->kinds + BYTES + row % STROKES_KINDS * (padded(s) + BYTES);
}

bool strokes_open(struct strokes *s, const struct two_level *dots,
                  uint32_t width, uint32_t bits, uint32_t across, uint32_t down)
{
    assert(across >= 1 && down >= 1 && down <= STROKES_MOST);
    *s = (struct strokes){
        .dots = dots, .across = across, .down = down, .gray = true};
    const size_t most =
        STROKES_MOST_BYTES / ((size_t)dots->inks * width * (bits / 8));
    if (s->down > most)
        s->down = (uint32_t)most;
    const size_t rows = s->down + STROKES_KINDS - 1;
    const bool ring = row_ring_open(&s->ring, dots->inks, width, bits, rows);
    s->marked = malloc(s->ring.rows * padded(s));
    s->kinds = calloc(1, STROKES_KINDS * (padded(s) + BYTES) + BYTES);
    s->work = malloc(padded(s) + BYTES);
    s->above = calloc(1, padded(s));
    s->since = malloc(padded(s));
    s->tall = malloc(padded(s));
    s->since_wide = malloc(padded(s));
    if (!ring || s->marked == NULL || s->kinds == NULL || s->above == NULL ||
        s->since == NULL || s->tall == NULL || s->since_wide == NULL ||
        s->work == NULL)
        return false;
    memset(s->since, UINT8_MAX, padded(s));
    memset(s->since_wide, UINT8_MAX, padded(s));
    return true;
}

void strokes_close(struct strokes *s)
{
    row_ring_close(&s->ring);
    free(s->marked);
    free(s->kinds);
    free(s->above);
    free(s->since);
    free(s->tall);
    free(s->since_wide);
    free(s->work);
}

/* ---- Rows come -------------------------------------------------------- */

bool strokes_want(const struct strokes *s)
{
    return s->ring.put < s->ring.taken + s->down + 2;
}

/* Tells whether a row is bare paper from side to side. It has no marks. */
static bool is_bare(const struct strokes *s, size_t row)
{
    return *row_ring_inked(&s->ring, row) == 0;
}

/* Returns the upper 8 bits of a sample of a plane. */
static uint8_t upper(const struct strokes *s, const uint8_t *plane, size_t x)
{
    return s->ring.bits == 8
               ? plane[x]
               : (uint8_t)(((const uint16_t *)(const void *)plane)[x] >> 8);
}

/* Marks the pixels of a row that are no bare paper. */
static void mark(struct strokes *s, size_t number)
{
    const uint8_t *row = row_ring_at(&s->ring, number);
    uint8_t *marks = marks_at(s, number);
    const uint16_t inked = *row_ring_inked(&s->ring, number);

    memset(marks, 0, padded(s));
    for (uint32_t k = 0; k < s->ring.inks; k++, row += s->ring.plane) {
        size_t x = 0;

        if ((inked >> k & 1) == 0)
            continue;
        for (; s->ring.bits == 8 && x + BYTES <= s->ring.width; x += BYTES) {
            bytes now =
                load(marks + x) | (bytes)(load(row + x) > (uint8_t)PAPER_MOST);

            store(marks + x, now);
        }
        for (; x < s->ring.width; x++)
            if (upper(s, row, x) > PAPER_MOST)
                marks[x] = UINT8_MAX;
    }
}

void strokes_put(struct strokes *s, const void *row, uint16_t inked)
{
    assert(strokes_want(s));
    row_ring_put(&s->ring, row, inked);
    if (inked != 0)
        mark(s, s->ring.put - 1);
}

/* ---- Thin pixels ------------------------------------------------------ */

/* Adds `*rows` to counters of rows, one a column, and leaves none to add. */
static void age(const struct strokes *s, uint8_t *since, size_t *rows)
{
    const uint8_t more = (uint8_t)(*rows < UINT8_MAX ? *rows : UINT8_MAX);

    for (size_t x = 0; more > 0 && x < s->ring.width; x += BYTES) {
        const bytes now = load(since + x), left = ~now;
        const bytes full = (bytes)(left < more);

        store(since + x, now + ((left & full) | (more & ~full)));
    }
    *rows = 0;
}

/* Counts the marked pixels of each column up to the row after those seen.
 * `marks` are its marks, or NULL below the page, which goes on as its last row
 * does; above it, as its first. */
static void count_columns(struct strokes *s, const uint8_t *marks)
{
    for (size_t x = 0; x < s->ring.width; x += BYTES) {
        bytes above = load(s->above + x), since = load(s->since + x);
        const bytes marked =
            marks != NULL ? load(marks + x) : (bytes)(above > (uint8_t)0);

        if (s->seen == 0)
            above |= marked & (uint8_t)s->down;
        else
            above = (above - (bytes)(above < (uint8_t)s->down)) & marked;
        since -= (bytes)(since < (uint8_t)UINT8_MAX);
        store(s->above + x, above);
        store(s->since + x, since);
        store(s->tall + x, (bytes)(above == (uint8_t)s->down));
    }
}

/* Ends, in the row after those seen, the squares of which it is the last row. A
 * stretch at a side of the page goes on there. */
static void find_squares(struct strokes *s, const uint8_t *marks)
{
    const size_t width = s->ring.width;

    age(s, s->since, &s->to_since);
    count_columns(s, marks);
    for (size_t first, end = 0;
         find_stretch(s->tall, width, UINT8_MAX, &first, &end);)
        if (end - first >= s->across || first == 0 || end == width)
            memset(s->since + first, 0, end - first);
}

/* Sees the row after those seen. */
static void see_row(struct strokes *s)
{
    if (s->seen < s->ring.put && is_bare(s, s->seen)) {
        memset(s->above, 0, padded(s));
        s->to_since++;
    } else {
        find_squares(s, s->seen < s->ring.put ? marks_at(s, s->seen) : NULL);
    }
    s->seen++;
}

static void sample_at(const struct strokes *s, size_t row, size_t x,
                      uint8_t sample[4])
{
    const uint8_t *data = row_ring_at(&s->ring, row);

    for (uint32_t k = 0; k < s->ring.inks; k++, data += s->ring.plane)
        sample[k] = (*row_ring_inked(&s->ring, row) >> k & 1) == 0
                        ? 0
                        : upper(s, data, x);
}

/* ---- Pixels that hang on wide ones --------------------------------------- */

/* Tells whether two pixels have one tone. */
static bool is_one_tone(const struct strokes *s, size_t row, size_t x,
                        size_t row2, size_t x2)
{
    uint8_t a[4] = {0}, b[4] = {0};

    sample_at(s, row, x, a);
    sample_at(s, row2, x2, b);
    for (uint32_t k = 0; k < s->ring.inks; k++)
        if (a[k] > b[k] + TONE_REACH || b[k] > a[k] + TONE_REACH)
            return false;
    return true;
}

/* Tells whether a pixel touches a wide one of its tone, above it. */
static bool hangs_on_above(const struct strokes *s, size_t x,
                           const uint8_t *above)
{
    const size_t row = s->sorted, last = x + 1 < s->ring.width ? x + 1 : x;

    for (size_t i = x > 0 ? x - 1 : 0; i <= last; i++)
        if (above[i] == WIDE && is_one_tone(s, row, x, row - 1, i))
            return true;
    return false;
}

/* Makes strokes wide that touch something wide of their tone, in the row above
 * or in theirs. */
static void widen(struct strokes *s)
{
    uint8_t *kinds = kinds_at(s, s->sorted);
    const uint8_t *above = s->sorted > 0 ? kinds_at(s, s->sorted - 1) : NULL;

    if (above != NULL && memchr(above, WIDE, s->ring.width) == NULL)
        above = NULL;
    if (above == NULL && memchr(kinds, WIDE, s->ring.width) == NULL)
        return;
    for (size_t x = 0; x < s->ring.width; x++)
        if (kinds[x] == STROKE &&
            ((above != NULL && hangs_on_above(s, x, above)) ||
             (x > 0 && kinds[x - 1] == WIDE &&
              is_one_tone(s, s->sorted, x, s->sorted, x - 1))))
            kinds[x] = WIDE;
    for (size_t x = s->ring.width - 1; x-- > 0;)
        if (kinds[x] == STROKE && kinds[x + 1] == WIDE &&
            is_one_tone(s, s->sorted, x, s->sorted, x + 1))
            kinds[x] = WIDE;
}

/* Makes strokes wide that white letters enclose in a panel: they lie between
 * two wide stretches of their tone that are as near as a stroke is wide, and so
 * does all that is between them; somewhere above them is something wide. */
static void widen_enclosed(struct strokes *s)
{
    const size_t row = s->sorted;
    uint8_t *kinds = kinds_at(s, row);
    size_t first = 0; /* pixel that may be enclosed */
    size_t end = 0;   /* of the last stretch */
    bool there = false, below = false;

    for (size_t x = 0; x < s->ring.width;) {
        if (kinds[x] == PAPER) {
            x++;
            continue;
        }
        if (there &&
            (x - end > s->across || !is_one_tone(s, row, x, row, end - 1)))
            there = false;
        if (there && below && kinds[x] == WIDE)
            for (size_t i = first; i < end; i++)
                kinds[i] = kinds[i] == PAPER ? PAPER : WIDE;
        for (end = x; end < s->ring.width && kinds[end] != PAPER; end++)
            below |= s->since_wide[end] < UINT8_MAX;
        if (kinds[end - 1] == WIDE) {
            there = true;
            below = false;
            first = end;
        }
        x = end;
    }
}

/* Counts the rows since there was something wide in each column. */
static void count_wide(struct strokes *s)
{
    const uint8_t *kinds = kinds_at(s, s->sorted);

    for (size_t x = 0; x < s->ring.width; x += BYTES) {
        bytes since = load(s->since_wide + x);

        since -= (bytes)(since < (uint8_t)UINT8_MAX);
        since &= ~(bytes)(load(kinds + x) == (uint8_t)WIDE);
        store(s->since_wide + x, since);
    }
}

/* Finds out the kinds of the pixels of the next row, which is not bare. */
static void find_kinds(struct strokes *s)
{
    const uint8_t *marks = marks_at(s, s->sorted);
    uint8_t *kinds = kinds_at(s, s->sorted);

    age(s, s->since, &s->to_since);
    age(s, s->since_wide, &s->to_since_wide);
    for (size_t x = 0; x < s->ring.width; x += BYTES) {
        bytes wide = (bytes)(load(s->since + x) < (uint8_t)s->down);

        store(kinds + x, ((bytes){0} + STROKE - (wide & 1)) & load(marks + x));
    }
    if (memchr(kinds, STROKE, s->ring.width) != NULL) {
        widen(s);
        if (memchr(kinds, WIDE, s->ring.width) != NULL)
            widen_enclosed(s);
    }
    count_wide(s);
}

/* Sorts the next row; any square that its pixels may be of has ended `down` - 1
 * rows below it at the latest. */
static void sort_row(struct strokes *s)
{
    while (s->seen < s->sorted + s->down)
        see_row(s);
    if (is_bare(s, s->sorted)) {
        memset(kinds_at(s, s->sorted), PAPER, padded(s));
        s->to_since_wide++;
    } else {
        find_kinds(s);
    }
    s->sorted++;
}

/* ---- Rows leave ------------------------------------------------------- */

/* Returns the inks of black, a bit each. */
static unsigned black_inks(const struct strokes *s)
{
    return s->ring.inks == 3 ? 7 : 1;
}

/* Tells whether a color is gray. Neighbors mostly have the same color. */
static bool is_gray(struct strokes *s, const uint8_t sample[4])
{
    double area[COLOR_INKS] = {0}, xyz[3], lab[3];
    uint32_t asked;

    if (s->ring.inks == 1)
        return true;
    memcpy(&asked, sample, sizeof asked);
    if (asked == s->asked)
        return s->gray;
    for (uint32_t k = 0; k < s->ring.inks; k++)
        area[k + (s->ring.inks == 3)] = sample[k] / 255.0;
    color_of_areas(area, xyz);
    color_lab(xyz, lab);
    s->asked = asked;
    s->gray = hypot(lab[1], lab[2]) <= GRAY_MOST;
    return s->gray;
}

/* Returns the inks, a bit each, of a pixel that has none but solid ones. */
static unsigned solid_inks(const struct strokes *s, const uint8_t sample[4])
{
    unsigned inks = 0;

    for (uint32_t k = 0; k < s->ring.inks; k++) {
        if (sample[k] > PAPER_MOST && sample[k] < SOLID_LEAST)
            return 0;
        inks |= (unsigned)(sample[k] > PAPER_MOST) << k;
    }
    return inks;
}

/* Returns the solid inks, a bit each, that a pixel has or becomes by itself; 0
 * where it stays. */
static unsigned cut_of(struct strokes *s, size_t row, size_t x)
{
    const unsigned kind = kinds_at(s, row)[x], black = black_inks(s);
    uint8_t sample[4] = {0};

    if (kind == PAPER)
        return 0;
    sample_at(s, row, x, sample);
    const unsigned solid = solid_inks(s, sample);
    if (solid != 0 || kind == WIDE)
        return solid;
    return two_level_dots(s->dots, sample) == black && is_gray(s, sample)
               ? black
               : 0;
}

/* The pixels around one, within the page: it and its eight neighbors. */
struct around {
    size_t first, last, left, right;
};

static struct around around(const struct strokes *s, size_t y, size_t x)
{
    return (struct around){.first = y > 0 ? y - 1 : 0,
                           .last = y + 1 < s->ring.put ? y + 1 : y,
                           .left = x > 0 ? x - 1 : 0,
                           .right = x + 1 < s->ring.width ? x + 1 : x};
}

static bool touches_cut(struct strokes *s, size_t y, size_t x)
{
    const struct around a = around(s, y, x);

    for (size_t row = a.first; row <= a.last; row++)
        for (size_t at = a.left; at <= a.right; at++)
            if (cut_of(s, row, at) != 0)
                return true;
    return false;
}

/* Tells whether a pixel may lie between solid inks and bare paper. */
static bool fades(struct strokes *s, const uint8_t sample[4], unsigned solid)
{
    if (solid == black_inks(s))
        return is_gray(s, sample);
    for (uint32_t k = 0; k < s->ring.inks; k++)
        if ((solid >> k & 1) == 0 && sample[k] > PAPER_MOST)
            return false;
    return true;
}

/* Returns the solid inks beside the pixel, which stays by itself, if it is an
 * edge of them; else 0. */
static unsigned edge_of(struct strokes *s, size_t y, size_t x,
                        const uint8_t sample[4])
{
    const struct around a = around(s, y, x);
    unsigned solid = 0;
    bool paper = false;

    for (size_t row = a.first; row <= a.last; row++)
        for (size_t at = a.left; at <= a.right; at++) {
            const unsigned cut = cut_of(s, row, at);

            paper |= kinds_at(s, row)[at] == PAPER;
            if (cut != 0 && solid == 0 && fades(s, sample, cut))
                solid = cut;
        }
    for (size_t row = a.first; solid != 0 && paper && row <= a.last; row++)
        for (size_t at = a.left; at <= a.right; at++)
            if (kinds_at(s, row)[at] != PAPER && !touches_cut(s, row, at))
                return 0;
    return paper ? solid : 0;
}

/* Writes a pixel of solid inks, a bit each, and bare paper. */
static void print(const struct strokes *s, uint8_t *row, size_t x,
                  unsigned dots)
{
    for (uint32_t k = 0; k < s->ring.inks; k++, row += s->ring.plane)
        if (s->ring.bits == 8)
            row[x] = (dots >> k & 1) != 0 ? UINT8_MAX : 0;
        else
            ((uint16_t *)(void *)row)[x] =
                (dots >> k & 1) != 0 ? UINT16_MAX : 0;
}

/* Prints the pixel at `x` of the row that is taken; returns its dots. */
static unsigned take_pixel(struct strokes *s, uint8_t *row, size_t x)
{
    unsigned solid = cut_of(s, s->ring.taken, x);
    uint8_t sample[4] = {0};

    if (solid != 0) {
        if (kinds_at(s, s->ring.taken)[x] == STROKE)
            print(s, row, x, solid);
        return solid;
    }
    sample_at(s, s->ring.taken, x, sample);
    solid = edge_of(s, s->ring.taken, x, sample);
    if (solid == 0)
        return 0;
    const unsigned dots = two_level_dots(s->dots, sample);
    if (dots == 0 || dots == solid)
        print(s, row, x, dots);
    return dots;
}

/* Sets s->work where the row that is taken may change: it has tones there, and
 * is a stroke or beside paper. */
static void find_work(struct strokes *s)
{
    const size_t y = s->ring.taken, width = s->ring.width;
    const uint8_t *kinds = kinds_at(s, y), *row = row_ring_at(&s->ring, y);
    const uint8_t *beside[3] = {kinds_at(s, y > 0 ? y - 1 : y), kinds,
                                kinds_at(s, y + 1 < s->ring.put ? y + 1 : y)};
    const uint16_t inked = *row_ring_inked(&s->ring, y);

    for (size_t x = 0; x < width; x += BYTES) {
        const bytes kind = load(kinds + x);
        bytes toned = {0}, paper = {0};

        for (uint32_t k = 0; s->ring.bits == 8 && k < s->ring.inks; k++)
            if ((inked >> k & 1) != 0)
                toned |=
                    (bytes)((uint8_t)1 + load(row + k * s->ring.plane + x) >
                            (uint8_t)1);
        if (s->ring.bits == 16)
            toned = ~toned;
        for (int i = 0; any_bit(toned & (bytes)(kind == WIDE)) && i < 9; i++)
            paper |= (bytes)(load(beside[i / 3] + x + i % 3 - 1) == PAPER);
        toned &= (bytes)(kind == STROKE) | ((bytes)(kind == WIDE) & paper);
        toned &= 1;
        memcpy(s->work + x, &toned, sizeof toned);
    }
    memset(s->work + width, 0, BYTES);
}

uint16_t strokes_take(struct strokes *s, void *row)
{
    uint16_t inked = *row_ring_inked(&s->ring, s->ring.taken);
    size_t first, end = 0;

    while (s->sorted < s->ring.taken + 3 && s->sorted < s->ring.put)
        sort_row(s);
    if (!is_bare(s, s->ring.taken)) {
        find_work(s);
        while (find_stretch(s->work, s->ring.width, 1, &first, &end))
            for (size_t x = first; x < end; x++)
                inked |= (uint16_t)take_pixel(s, row, x);
    }
    row_ring_take(&s->ring, STROKES_KINDS / 2);
    return inked;
}
