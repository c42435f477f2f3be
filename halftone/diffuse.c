/*
 * diffuse.c - the definition of the dots in plain C, doc/dev/halftone.md line
 * by line: 4-row serpentine tone-dependent fast error diffusion (Mao, Abello,
 * Sarkar, Ulichney, Allebach, ICIP 2018, equations 1 to 5). The scan's swath
 * height makes it the 1-row serpentine of Li and Allebach (2004) or, with
 * one swath a page and the weights of 1976, Floyd and Steinberg's.
 *
 * Never made fast at the cost of clarity: every other engine is compared
 * with this one.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <assert.h>
#include <string.h>

#include "halftone/definition.h"
#include "halftone/sizes.h"
#include "halftone/together.h"

/* ---- The scan --------------------------------------------------------- */

void ht_place_first(const struct ht_scan *scan, struct ht_place *place)
{
    place->row = 0;
    place->shift = scan->segment ? ht_hash(0) % scan->segment : 0;
}

/* Moves the cuts by three to five eighths of a segment from swath to swath:
 * errors that went straight down at a cut can spread in the next swath. */
void ht_place_next(const struct ht_scan *scan, struct ht_place *place)
{
    uint32_t t = scan->segment;

    place->row++;
    if (t == 0 || place->row % scan->swath != 0)
        return;
    uint32_t h = ht_hash((uint32_t)(place->row / scan->swath));
    uint32_t step = (uint32_t)((uint64_t)3 * t / 8 + h % (t / 4));
    place->shift = (uint32_t)(((uint64_t)place->shift + step) % t);
}

/* Returns the column before which the swath is cut, for number = 0, 1, 2, ..:
 * the page's side for unbroken rows. */
static int64_t cut(const struct ht_scan *scan, const struct ht_place *place,
                   uint32_t number)
{
    if (scan->segment == 0)
        return scan->width;
    return (int64_t)ht_cut(scan->segment, place->shift,
                           (uint32_t)ht_swath(scan, place), number);
}

static bool leftward(const struct ht_scan *scan, const struct ht_place *place)
{
    return ht_swath(scan, place) % 2 == 1;
}

/* ---- A pixel ---------------------------------------------------------- */

static int32_t clamp(int32_t value, int32_t limit)
{
    return value < -limit ? -limit : value > limit ? limit : value;
}

static int32_t held_to_dots(int32_t e)
{
    return e < -HT_ONE ? -HT_ONE : e > HT_ONE - 1 ? HT_ONE - 1 : e;
}

static int32_t held_to_one(int32_t threshold)
{
    return clamp(threshold - HT_ONE / 2, HT_ONE / 2) + HT_ONE / 2;
}

/* ---- Targets of an error ----------------------------------------------- */

/* The columns of a segment in scan order: `count` of them, from `from` on in
 * steps of `step`. */
struct row_segment {
    int64_t from, count;
    int step;
};

static int64_t column_of(const struct row_segment *segment, int64_t i)
{
    return segment->from + i * segment->step;
}

/* Says whether pixel i of a segment is in it and, of a row where the ink has
 * these levels, toned. */
static bool takes(const struct row_segment *segment, int64_t i,
                  const uint8_t *level)
{
    return i >= 0 && i < segment->count &&
           ht_toned(level[column_of(segment, i)]);
}

static void add(int16_t *line, int64_t x, int32_t value)
{
    line[x] = (int16_t)(line[x] + value);
}

/* Targets of the rest of an error, in scan direction. */
enum place_of_rest { DOWN, AHEAD, BEHIND_DOWN, AHEAD_DOWN, NOWHERE };

static enum place_of_rest place_of_rest(const struct ht_row *row,
                                        const struct row_segment *segment,
                                        int64_t i)
{
    if (takes(segment, i, row->next))
        return DOWN;
    if (takes(segment, i + 1, row->level))
        return AHEAD;
    if (takes(segment, i - 1, row->next))
        return BEHIND_DOWN;
    return takes(segment, i + 1, row->next) ? AHEAD_DOWN : NOWHERE;
}

/* Gives what is left of pixel i's error on, and returns what of it goes to the
 * next pixel of the row. */
static int32_t give_rest(const struct ht_row *row,
                         const struct row_segment *segment, int64_t i,
                         enum place_of_rest place, int32_t rest)
{
    if (place == AHEAD)
        return rest;
    if (place == BEHIND_DOWN)
        add(row->aside, column_of(segment, i - 1), rest);
    else if (place == AHEAD_DOWN)
        add(row->aside, column_of(segment, i + 1), rest);
    else
        add(row->below, column_of(segment, i), rest);
    return 0;
}

/* Equation (2): gives the error e of pixel i, by the weights of a level, on and
 * returns `left`, what of it goes to the next pixel of the row. */
static int32_t give_error(const struct ht_scan *scan, const struct ht_row *row,
                          const struct row_segment *segment, int64_t i,
                          uint8_t level, enum place_of_rest place, int32_t e)
{
    const struct ht_weights *w = &scan->table->level[level];
    int32_t left = 0, rest = e;

    if (takes(segment, i + 1, row->level))
        left = ht_weighted(e, w->weight[0]);
    rest -= left;
    for (int k = 1; k <= 2; k++)
        if (takes(segment, i + w->column[k], row->next)) {
            int32_t share = ht_weighted(e, w->weight[k]);
            add(row->below, column_of(segment, i + w->column[k]), share);
            rest -= share;
        }
    return left + give_rest(row, segment, i, place, rest);
}

static int32_t noise_of(const struct ht_place *place, const struct ht_row *row,
                        uint32_t x)
{
    return ht_noise(ht_noise_line(place->row, row->ink), x);
}

/* Gives noise to a tint that begins below a white or solid pixel. */
static void give_noise(const struct ht_scan *scan, const struct ht_place *place,
                       const struct ht_row *row, uint32_t x)
{
    int32_t most =
        ht_noise_where_begins(&scan->sizes, scan->table, row->next[x]);

    if (!ht_toned(row->level[x]) && ht_toned(row->next[x]))
        add(row->below, x, ht_weighted(noise_of(place, row, x), most));
}

/* ---- A row ------------------------------------------------------------ */

static int32_t held_16(int32_t value)
{
    return value < INT16_MIN   ? INT16_MIN
           : value > INT16_MAX ? INT16_MAX
                               : value;
}

/* Returns by how much dots before (b) and above (c) raise the threshold of
 * pixel i of a segment; `took` says what the pixel before took. */
static int32_t feedback_at(const struct ht_scan *scan,
                           const struct ht_place *place,
                           const struct ht_row *row, uint32_t x, uint8_t level,
                           int64_t i, bool took)
{
    const int32_t h = scan->table->level[level].feedback;

    if (i == 0)
        return 0;
    if (ht_begins_swath(scan, place->row))
        return h * (1 - 2 * took);
    return h * (2 - 2 * took - 2 * row->took[x]);
}

/* Returns t of a pixel, the `last` of its segment or not, before `push` and
 * before it is held: equation (4), raised at the end of a segment. */
static int32_t threshold_at(const struct ht_scan *scan,
                            const struct ht_place *place,
                            const struct ht_row *row, uint32_t x, uint8_t level,
                            bool last)
{
    const struct ht_weights *w = &scan->table->level[level];
    bool pattern =
        ht_pattern_dot(scan->table->pattern, row->copy, place->row, x);
    int32_t t = pattern ? w->t_lower : w->t_upper;

    return last && scan->swath != 0 ? t + ht_raise(level) : t;
}

static struct ht_span span_at(const struct ht_scan *scan,
                              const struct ht_place *place,
                              const struct ht_row *row, uint32_t x)
{
    const struct ht_sizes *sizes = &scan->sizes;
    bool leaves = sizes->mixed > 0 && ht_leaves_out(sizes, scan->table->pattern,
                                                    row->copy, place->row, x);

    return ht_span_of(sizes, row->tone[x], row->level[x],
                      leaves ? row->left_out : 0);
}

static void clear_dots(uint8_t *dots, uint32_t levels, uint32_t width)
{
    memset(dots, 0, ((size_t)width * ht_dot_bits(levels) + 7) / 8);
}

/* Puts a pixel's size (g) into a row of dots that has none there. */
static void put_size(uint8_t *dots, uint32_t levels, uint32_t x, uint32_t size)
{
    const uint32_t bits = ht_dot_bits(levels);

    for (uint32_t i = 0; i < bits; i++) {
        size_t at = (size_t)bits * x + i;

        dots[at / 8] |= (uint8_t)((size >> (bits - 1 - i) & 1) << (7 - at % 8));
    }
}

/* Returns the area of the size that a toned pixel takes. */
static int32_t area_of(const struct ht_sizes *sizes, const struct ht_span *span,
                       int32_t u, int32_t t)
{
    int32_t d = span->high - span->low;
    if (span->high < HT_ONE && u > span->high + 3 * d / 4)
        return sizes->area[ht_size_of(sizes, span->high) + 1];
    if (span->low > 0 && u < span->low - 3 * d / 4)
        return sizes->area[ht_size_of(sizes, span->low) - 1];
    return u >= t ? span->high : span->low;
}

/* Diffuses the pixels of a segment, each as doc/dev/halftone.md says. Adds to
 * `below` and `dots`, which have what other segments have put. */
static void diffuse_segment(const struct ht_scan *scan,
                            const struct ht_place *place,
                            const struct ht_row *row,
                            const struct row_segment *segment)
{
    const struct ht_sizes *sizes = &scan->sizes;
    int32_t left = 0, company_left = 0; /* from the pixel before in this row */
    bool took = false;                  /* the larger size */

    for (int64_t i = 0; i < segment->count; i++) {
        uint32_t x = (uint32_t)column_of(segment, i);
        bool last = i + 1 == segment->count;
        bool toned = ht_toned(row->level[x]);
        struct ht_encounter found = {0};
        enum place_of_rest rest = place_of_rest(row, segment, i);
        int32_t a = row->tone[x], u = a + held_16(left + row->error[x]);
        struct ht_span span = span_at(scan, place, row, x);
        int32_t t = threshold_at(scan, place, row, x, span.level, last) +
                    feedback_at(scan, place, row, x, span.level, i, took);

        if (row->inks != NULL)
            found =
                ht_together_meet(row->inks, row->ink, x, ht_share_at(&span, a),
                                 row->level[x], company_left);
        t = held_to_one(t + found.push);
        if (rest == NOWHERE)
            t = ((noise_of(place, row, x) - INT16_MIN) >> 2) + 1;
        t = span.low + ht_part(t, span.high - span.low);
        if (rest != NOWHERE && rest != DOWN)
            t = span.low + span.high - a;
        int32_t g = toned ? area_of(sizes, &span, u, t) /* (1), (5) */
                    : row->level[x] == 255 ? HT_ONE
                                           : 0;
        int32_t e = held_to_dots(u - g); /* -(3) */

        bool larger = toned ? u >= t : g > 0;

        row->took[x] = took = toned && larger;
        if (!toned)
            e = clamp(e, HT_ONE / 2) * 3 / 4;
        left = give_error(scan, row, segment, i, span.level, rest, e);
        give_noise(scan, place, row, x);
        put_size(row->dots, sizes->levels, x, ht_size_of(sizes, g));
        if (row->inks != NULL) {
            company_left =
                ht_together_part(row->inks, row->ink, x, larger, &found);
            if (row->ink + 1 == row->inks->inks)
                ht_together_shine(row->inks, x, (uint32_t)(x - segment->step),
                                  i == 0);
        }
    }
}

/* Begins what a row leaves, and ends it: E = F + D. */
static void begin_row(const struct ht_scan *scan, const struct ht_row *row)
{
    memset(row->below, 0, scan->width * sizeof *row->below);
    clear_dots(row->dots, scan->sizes.levels, scan->width);
    memset(row->aside, 0, scan->width * sizeof *row->aside);
}

static void end_row(const struct ht_scan *scan, const struct ht_row *row)
{
    for (uint32_t x = 0; x < scan->width; x++)
        row->below[x] = (int16_t)held_16(row->below[x] + row->aside[x]);
}

void ht_diffuse_row(const struct ht_scan *scan, const struct ht_place *place,
                    const struct ht_row *row)
{
    int64_t width = scan->width, begin = 0;
    bool mirrored = leftward(scan, place);

    assert(width >= 1 && (scan->segment == 0 || place->shift < scan->segment));

    begin_row(scan, row);
    for (uint32_t number = 0; begin < width; number++) {
        int64_t end = cut(scan, place, number);
        if (end > width)
            end = width;
        if (end <= begin)
            continue;
        struct row_segment segment = {mirrored ? end - 1 : begin, end - begin,
                                      mirrored ? -1 : 1};
        diffuse_segment(scan, place, row, &segment);
        begin = end;
    }
    end_row(scan, row);
}

/* ---- Threshold and Screen --------------------------------------------- */

void ht_threshold_row(const ht_page_t *page, const int16_t *tone,
                      const int16_t *rank, uint8_t *dots)
{
    struct ht_sizes sizes = ht_sizes_of(page);

    (void)rank;
    clear_dots(dots, sizes.levels, page->width);
    for (uint32_t x = 0; x < page->width; x++) {
        uint32_t size = 0;

        for (uint32_t i = 1; i < sizes.levels; i++)
            size += tone[x] >= ht_threshold_tone(&sizes, i);
        put_size(dots, sizes.levels, x, size);
    }
}

void ht_screen_row(const ht_page_t *page, const int16_t *tone,
                   const int16_t *rank, uint8_t *dots)
{
    struct ht_sizes sizes = ht_sizes_of(page);

    clear_dots(dots, sizes.levels, page->width);
    for (uint32_t x = 0; x < page->width; x++) {
        int32_t r = rank[x % HT_SCREEN_SIZE];
        uint32_t size = 0;

        for (uint32_t i = 1; i < sizes.levels; i++)
            size += tone[x] >= ht_screen_tone(&sizes, page->cells, i, r);
        put_size(dots, sizes.levels, x, size);
    }
}
