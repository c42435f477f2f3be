/*
 * drop_curve.c - measures drops of several sizes against whole dots.
 *
 * All inks are printed at once, each with its ramp turned round by another part
 * of it: so each tone of an ink meets others, as on a page.
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

#include "page/round_dots.h"
#include "page/drop_curve.h"

/* Thirds of a dot, the usual sizes, are steps; a step is 5/255. */
#define STEPS 52u
#define PATCH 32u /* fewer, and tones waver by more than 1 % */
#define WIDTH (STEPS * PATCH)
#define LEAD 16u
#define ROWS 80u /* with the lead, and one below that is not measured */
#define SIZES (HT_MAX_LEVELS - 1)

static_assert(STEPS <= CURVE_MAX_POINTS, "a point of the curve for each step");
static_assert(STEPS % CURVE_INKS == 0, "ramps begin at steps");

/* Ramps that are printed and measured. */
struct ramps {
    uint8_t *tones; /* [ROWS][inks][WIDTH] */
    uint8_t *dots;  /* [ROWS][inks][bytes of a row] */
    uint8_t *sizes; /* [ROWS][WIDTH] of an ink: 0 = no drop */
    struct round_dots round[SIZES];
};

/* ---- Printing --------------------------------------------------------------
 */

/* The step of an ink's ramp on a patch, from the left. */
static unsigned step_at(unsigned ink, unsigned patch)
{
    return (patch + STEPS - ink * (STEPS / CURVE_INKS)) % STEPS;
}

static void fill_tones(uint8_t *tones, uint32_t inks)
{
    for (uint32_t row = 0; row < ROWS; row++)
        for (uint32_t k = 0; k < inks; k++)
            for (uint32_t x = 0; x < WIDTH; x++)
                *tones++ =
                    (uint8_t)(step_at(k, x / PATCH) * UINT8_MAX / (STEPS - 1));
}

static bool print(const ht_page_t *page, const struct ramps *ramps)
{
    ht_engine_t *engine = NULL;
    bool ok = ht_engine_open(&engine, "cpu", page) == HT_OK &&
              ht_engine_submit(engine, ramps->tones, NULL, ROWS) == HT_OK &&
              ht_engine_end(engine) == HT_OK &&
              ht_engine_collect(engine, ramps->dots, ROWS) == HT_OK;

    ht_engine_close(engine);
    return ok;
}

/* ---- Measuring -------------------------------------------------------------
 */

static void unpack(const ht_page_t *page, struct ramps *ramps, uint32_t ink)
{
    const size_t stride = ht_row_bytes(page);
    const uint8_t *row = ramps->dots + ink * stride;
    uint8_t *to = ramps->sizes;

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

/* Returns how many parts of a pixel its neighbours cover. */
static unsigned covered(const struct round_dots round[SIZES], uint64_t set)
{
    uint64_t parts[ROUND_WORDS] = {0};
    unsigned count = 0;

    for (; set != 0; set >>= ROUND_NEIGHBOURS, round++)
        round_dots_cover(round, set % (1u << ROUND_NEIGHBOURS), parts);
    for (int word = 0; word < ROUND_WORDS; word++)
        count += (unsigned)__builtin_popcountll(parts[word]);
    return count;
}

/* Returns how many parts of a patch's row are covered, but for its outer two
 * pixels. */
static uint64_t covered_row(const struct ramps *ramps, const uint8_t *row)
{
    uint64_t set = column(row) >> 1 | column(row + 1);
    uint64_t sum = 0;

    for (uint32_t x = 2; x < PATCH; x++) {
        set = (set >> 1 & 0333333333333333) | column(row + x);
        sum += covered(ramps->round, set);
    }
    return sum;
}

/* The share of the paper that each step of an ink covers; it never falls. */
static void measure(double cover[STEPS], const struct ramps *ramps,
                    uint32_t ink)
{
    const double parts = ROUND_PARTS * (PATCH - 2.0) * (ROWS - 1 - LEAD);

    for (unsigned patch = 0; patch < STEPS; patch++) {
        uint64_t sum = 0;

        for (uint32_t y = LEAD; y < ROWS - 1; y++)
            sum += covered_row(ramps, ramps->sizes + y * WIDTH + patch * PATCH);
        cover[step_at(ink, patch)] = (double)sum / parts;
    }
    for (unsigned step = 1; step < STEPS; step++)
        cover[step] = fmax(cover[step], cover[step - 1]);
}

/* Prints and measures all inks. False without memory. */
static bool measure_all(double cover[CURVE_INKS][STEPS], const ht_page_t *page,
                        struct ramps *ramps)
{
    const int first = page->inks == 3; /* of round_diameters: no K */

    if (!print(page, ramps))
        return false;
    for (uint32_t k = 0; k < page->inks; k++) {
        const double whole = round_diameters[first + (int)k];

        for (unsigned size = 0; size + 1 < page->levels; size++)
            round_drops_init(&ramps->round[size], whole,
                             page->area[size] / (double)HT_WHOLE_DOT);
        unpack(page, ramps, k);
        measure(cover[k], ramps, k);
    }
    return true;
}

/* ---- The curve -------------------------------------------------------------
 */

/* The tone that covers so much, between steps in proportion. */
static double tone_of(const double cover[STEPS], double wanted)
{
    unsigned step = 1;

    while (step < STEPS - 1 && cover[step] < wanted)
        step++;
    const double rise = cover[step] - cover[step - 1];
    const double part = rise > 0 ? (wanted - cover[step - 1]) / rise : 0;

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

/* The page of ramps. */
static ht_page_t page_of_ramps(const ht_page_t *page)
{
    ht_page_t ramps = {.method = page->method,
                       .table = page->table,
                       .across = page->across,
                       .down = page->down,
                       .width = WIDTH,
                       .inks = page->inks,
                       .bits = 8,
                       .segment = page->segment,
                       .cells = page->cells,
                       .levels = page->levels,
                       .mixed = page->mixed,
                       .band = ROWS,
                       .height = ROWS,
                       .threads = 1};

    for (unsigned size = 0; size < SIZES; size++)
        ramps.area[size] = page->area[size];
    return ramps;
}

bool drop_curve_make(struct curve_points *curve, const ht_page_t *page)
{
    static const size_t pixels = (size_t)ROWS * WIDTH;
    const ht_page_t drops = page_of_ramps(page);
    ht_page_t whole = drops;
    double in_drops[CURVE_INKS][STEPS], in_whole[CURVE_INKS][STEPS];
    struct ramps *ramps = calloc(1, sizeof *ramps);
    bool ok = false;

    assert(page->inks == 1 || page->inks == 3 || page->inks == 4);
    whole.levels = 2;
    whole.area[0] = HT_WHOLE_DOT;
    if (ramps == NULL)
        return false;
    ramps->tones = malloc(pixels * page->inks);
    ramps->dots = malloc(ROWS * page->inks * ht_row_bytes(&drops));
    ramps->sizes = malloc(pixels);
    if (ramps->tones != NULL && ramps->dots != NULL && ramps->sizes != NULL) {
        fill_tones(ramps->tones, page->inks);
        ok = measure_all(in_drops, &drops, ramps) &&
             measure_all(in_whole, &whole, ramps);
    }
    for (uint32_t k = 0; ok && k < page->inks; k++)
        fill_curve(&curve[k], in_drops[k], in_whole[k]);
    free(ramps->tones);
    free(ramps->dots);
    free(ramps->sizes);
    free(ramps);
    return ok;
}
