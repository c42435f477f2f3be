/*
 * drop_curve.c - measures drops of several sizes and lighter inks against whole
 * dots and dark ink.
 *
 * All colors are printed at once, each with its ramp turned round by another
 * part of it: so each tone of a color meets others, as on a page.
 *
 *      K |  0 ........................... 1 |
 *      C |  .... 1 | 0 .................... |     STEPS columns of patches,
 *      M |  ........... 1 | 0 ............. |     PATCH pixels wide; LEAD rows
 *      Y |  .................. 1 | 0 ...... |     come before those that count
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "page/round_dots.h"
#include "page/drop_curve.h"
#include "page/shades.h"

/* Thirds of a dot, the usual sizes, are steps; a step is 5/255. */
#define STEPS 52u
#define PATCH 32u /* fewer, and tones waver by more than 1 % */
#define WIDTH (STEPS * PATCH)
#define LEAD 16u
#define ROWS 80u /* with the lead, and one below that is not measured */
#define SIZES (HT_MAX_LEVELS - 1)

static_assert(STEPS <= CURVE_MAX_POINTS, "a point of the curve for each step");
static_assert(STEPS % CURVE_INKS == 0, "ramps begin at steps");

/* Colors of a page whose ramps are printed: an ink each, or all its shades. */
struct ramp_colors {
    ht_page_t page;
    unsigned count; /* of colors */
    unsigned first; /* in the order K, C, M, Y */
    struct shades shades[SHADES_COLORS];
};

/* Ramps that are printed and measured. */
struct ramps {
    uint16_t *tones; /* [ROWS][inks][WIDTH] */
    uint8_t *dots;   /* [ROWS][inks][bytes of a row] */
    uint8_t *sizes;  /* [SHADES_MOST][ROWS][WIDTH] of a color: 0 = no drop */
    struct round_dots round[SIZES];
    double absorb[1 << SHADES_MOST]; /* of a color: shades_absorb() */
};

/* ---- Printing --------------------------------------------------------------
 */

/* The step of a color's ramp on a patch, from the left. */
static unsigned step_at(unsigned color, unsigned patch)
{
    return (patch + STEPS - color * (STEPS / CURVE_INKS)) % STEPS;
}

/* Fills the ramp of a color, row by row, from the first one's first ink on. */
static void fill_color(const struct ramp_colors *colors, unsigned color,
                       uint16_t *tones)
{
    const struct shades *shades = &colors->shades[color];
    const size_t row = (size_t)colors->page.inks * WIDTH;

    for (uint32_t x = 0; x < WIDTH; x++) {
        double ink[SHADES_MOST];

        shades_split(shades, step_at(color, x / PATCH) / (STEPS - 1.0), ink);
        for (unsigned i = 0; i < shades->count; i++)
            tones[shades->ink[i] * WIDTH + x] =
                (uint16_t)lround(ink[i] * UINT16_MAX);
    }
    for (unsigned i = 0; i < shades->count; i++)
        for (uint32_t y = 1; y < ROWS; y++)
            memcpy(tones + y * row + shades->ink[i] * WIDTH,
                   tones + shades->ink[i] * WIDTH, WIDTH * sizeof *tones);
}

static bool print(const struct ramp_colors *colors, const struct ramps *ramps)
{
    const ht_page_t *page = &colors->page;
    ht_engine_t *engine = NULL;

    memset(ramps->tones, 0,
           (size_t)ROWS * page->inks * WIDTH * sizeof *ramps->tones);
    for (unsigned color = 0; color < colors->count; color++)
        fill_color(colors, color, ramps->tones);

    bool ok = ht_engine_open(&engine, "cpu", page) == HT_OK &&
              ht_engine_submit(engine, ramps->tones, NULL, ROWS) == HT_OK &&
              ht_engine_end(engine) == HT_OK &&
              ht_engine_collect(engine, ramps->dots, ROWS) == HT_OK;

    ht_engine_close(engine);
    return ok;
}

/* ---- Measuring -------------------------------------------------------------
 */

static void unpack(const ht_page_t *page, const struct ramps *ramps,
                   uint32_t ink, uint8_t *to)
{
    const size_t stride = ht_row_bytes(page);
    const uint8_t *row = ramps->dots + ink * stride;

    for (uint32_t y = 0; y < ROWS; y++, row += page->inks * stride)
        for (uint32_t x = 0; x < WIDTH; x++)
            *to++ = (uint8_t)ht_size_at(row, page->levels, x);
}

/* The drops of three rows of a column, as a pixel's neighbours to its right: of
 * each size ROUND_NEIGHBOURS bits, the smallest first. */
static uint64_t column(const uint8_t *at)
{
#define RIGHT(size) (UINT64_C(4) << ((size)-1) * ROUND_NEIGHBOURS)
    static const uint64_t right[HT_MAX_LEVELS] = {0,        RIGHT(1), RIGHT(2),
                                                  RIGHT(3), RIGHT(4), RIGHT(5)};
#undef RIGHT

    return right[at[-(int)WIDTH]] | right[at[0]] << 3 | right[at[WIDTH]] << 6;
}

/* Adds the parts of a pixel that its neighbours cover. */
static void cover(const struct round_dots round[SIZES], uint64_t set,
                  uint64_t parts[ROUND_WORDS])
{
    for (; set != 0; set >>= ROUND_NEIGHBOURS, round++)
        round_dots_cover(round, set % (1u << ROUND_NEIGHBOURS), parts);
}

/* Returns how many parts of a pixel some shades cover and others do not. */
static unsigned covered_by(const uint64_t parts[SHADES_MOST][ROUND_WORDS],
                           unsigned count, unsigned shades)
{
    unsigned sum = 0;

    for (int word = 0; word < ROUND_WORDS; word++) {
        uint64_t met = UINT64_MAX;

        for (unsigned i = 0; i < count; i++)
            met &= (shades >> i & 1) != 0 ? parts[i][word] : ~parts[i][word];
        sum += (unsigned)__builtin_popcountll(met);
    }
    return sum;
}

/* Returns how many parts of a patch's row are covered, but for its outer two
 * pixels: those of lighter ink alone count for less. */
static double covered_row(const struct ramps *ramps, unsigned count,
                          const uint8_t *row)
{
    uint64_t set[SHADES_MOST];
    double sum = 0;

    for (unsigned i = 0; i < count; i++) {
        const uint8_t *of = row + (size_t)i * ROWS * WIDTH;

        set[i] = column(of) >> 1 | column(of + 1);
    }
    for (uint32_t x = 2; x < PATCH; x++) {
        uint64_t parts[SHADES_MOST][ROUND_WORDS] = {{0}};

        for (unsigned i = 0; i < count; i++) {
            set[i] = (set[i] >> 1 & 0333333333333333) |
                     column(row + (size_t)i * ROWS * WIDTH + x);
            cover(ramps->round, set[i], parts[i]);
        }
        for (unsigned shades = 1; shades < 1u << count; shades++)
            sum += ramps->absorb[shades] * covered_by(parts, count, shades);
    }
    return sum;
}

/* The share of the paper that each step of a color covers; it never falls. */
static void measure(double covers[STEPS], const struct ramps *ramps,
                    unsigned color, unsigned count)
{
    const double parts = ROUND_PARTS * (PATCH - 2.0) * (ROWS - 1 - LEAD);

    for (unsigned patch = 0; patch < STEPS; patch++) {
        double sum = 0;

        for (uint32_t y = LEAD; y < ROWS - 1; y++)
            sum += covered_row(ramps, count,
                               ramps->sizes + y * WIDTH + patch * PATCH);
        covers[step_at(color, patch)] = sum / parts;
    }
    for (unsigned step = 1; step < STEPS; step++)
        covers[step] = fmax(covers[step], covers[step - 1]);
}

/* Prints and measures all colors. False without memory. */
static bool measure_all(double covers[CURVE_INKS][STEPS],
                        const struct ramp_colors *colors, struct ramps *ramps)
{
    const ht_page_t *page = &colors->page;

    if (!print(colors, ramps))
        return false;
    for (unsigned color = 0; color < colors->count; color++) {
        const struct shades *shades = &colors->shades[color];
        const unsigned ink = colors->first + color;

        for (unsigned size = 0; size + 1 < page->levels; size++)
            round_drops_init(&ramps->round[size], round_diameters[ink],
                             page->area[size] / (double)HT_WHOLE_DOT);
        for (unsigned i = 0; i < shades->count; i++)
            unpack(page, ramps, shades->ink[i],
                   ramps->sizes + (size_t)i * ROWS * WIDTH);
        for (unsigned set = 1; set < 1u << shades->count; set++)
            ramps->absorb[set] = shades_absorb(shades, ink, set);
        measure(covers[color], ramps, color, shades->count);
    }
    return true;
}

/* ---- The curve -------------------------------------------------------------
 */

/* The tone that covers so much, between steps in proportion. */
static double tone_of(const double covers[STEPS], double wanted)
{
    unsigned step = 1;

    while (step < STEPS - 1 && covers[step] < wanted)
        step++;
    const double rise = covers[step] - covers[step - 1];
    const double part = rise > 0 ? (wanted - covers[step - 1]) / rise : 0;

    return (step - 1 + fmin(fmax(part, 0), 1)) / (STEPS - 1);
}

static void fill_curve(struct curve_points *curve, const double drops[STEPS],
                       const double whole[STEPS])
{
    *curve = (struct curve_points){.count = STEPS};
    for (unsigned step = 0; step < STEPS; step++) {
        curve->x[step] = step / (STEPS - 1.0);
        curve->y[step] = step == 0           ? 0
                         : step == STEPS - 1 ? 1
                                             : tone_of(drops, whole[step]);
    }
}

/* Takes the noise of the patches out of a curve that is near the line. */
static void smooth(struct curve_points *curve)
{
    double before = 0;

    for (unsigned i = 1; i + 1 < curve->count; i++) {
        const double here = curve->y[i];

        curve->y[i] = (before + 2 * here + curve->y[i + 1]) / 4;
        before = here;
    }
}

/* Describes the page of ramps: of an ink a color, or of a set. */
static struct ramp_colors colors_of(const ht_page_t *page,
                                    const struct ink_set *set, uint32_t inks)
{
    struct ramp_colors colors = {
        .page = {.method = page->method,
                 .table = page->table,
                 .across = page->across,
                 .down = page->down,
                 .width = WIDTH,
                 .inks = set != NULL ? set->count : inks,
                 .bits = 16,
                 .segment = page->segment,
                 .cells = page->cells,
                 .levels = 2,
                 .area = {HT_WHOLE_DOT},
                 .band = ROWS,
                 .height = ROWS,
                 .threads = 1},
        .count = inks,
        .first = inks == 3};

    for (unsigned i = 0; set == NULL && i < inks; i++)
        colors.shades[i] =
            (struct shades){.count = 1, .strength = {1}, .ink = {(uint8_t)i}};
    if (set == NULL)
        return colors;
    shades_of(set, colors.shades);
    ink_set_lighter(set, colors.page.lighter);
    return colors;
}

/* Gives ramps the page's drops. */
static void take_drops(struct ramp_colors *colors, const ht_page_t *page)
{
    if (page->levels <= 2)
        return;
    colors->page.levels = page->levels;
    colors->page.mixed = page->mixed;
    memcpy(colors->page.area, page->area, sizeof page->area);
}

bool drop_curve_make(struct curve_points *curve, const ht_page_t *page,
                     const struct ink_set *set, bool whole)
{
    static const size_t pixels = (size_t)ROWS * WIDTH;
    const uint32_t inks = set != NULL ? CURVE_INKS : page->inks;
    struct ramp_colors to = colors_of(page, set, inks);
    struct ramp_colors from = colors_of(page, NULL, inks);
    double covers[CURVE_INKS][STEPS], wanted[CURVE_INKS][STEPS];
    struct ramps *ramps = calloc(1, sizeof *ramps);
    bool ok = false;

    assert(inks == 1 || inks == 3 || inks == 4);
    if (ramps == NULL)
        return false;
    take_drops(&to, page);
    if (!whole)
        take_drops(&from, page);
    ramps->tones = malloc(pixels * to.page.inks * sizeof *ramps->tones);
    ramps->dots = malloc(ROWS * to.page.inks * ht_row_bytes(&to.page));
    ramps->sizes = malloc(pixels * SHADES_MOST);
    if (ramps->tones != NULL && ramps->dots != NULL && ramps->sizes != NULL)
        ok = measure_all(covers, &to, ramps) &&
             measure_all(wanted, &from, ramps);
    for (uint32_t k = 0; ok && k < inks; k++) {
        fill_curve(&curve[k], covers[k], wanted[k]);
        if (set != NULL)
            smooth(&curve[k]);
    }
    free(ramps->tones);
    free(ramps->dots);
    free(ramps->sizes);
    free(ramps);
    return ok;
}
