/*
 * engine.c - the CPU engine of TDFED: gathers rows into swaths and has these
 * halftoned, with the best kernel that the processor can run.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "halftone/engines.h"
#include "halftone/host.h"
#include "halftone/simd/sets.h"
#include "halftone/tdfed/blank.h"
#include "halftone/tdfed/schedule.h"

struct tdfed {
    struct ht_host host; /* its place is the swath's first row */
    struct ht_tdfed_page page;
    struct ht_tdfed_pixel *pixels; /* [tables][HT_TDFED_PIXELS] */
    uint8_t *pattern;
    struct ht_tdfed_schedule *schedule;

    size_t sample_bytes; /* of a row, all inks */
    uint8_t *kept;       /* [HT_TDFED_ROWS][sample_bytes] of the swath so far */
    uint16_t kept_inks[HT_TDFED_ROWS]; /* that these rows have */
    uint32_t kept_rows;

    /* Whole swaths that wait. */
    struct ht_tdfed_swath swath[HT_TDFED_SWATHS];
    uint32_t shift[HT_TDFED_SWATHS];
    unsigned swaths;
};

/* ---- Opening ---------------------------------------------------------- */

/* Says whether the kernel has a field for each of the level's weights: (1,-3)
 * and (1,-4) share one. */
static bool within_reach(const ht_page_t *page)
{
    const ht_table_t *table = page->table;

    for (unsigned i = 0; table != NULL && i < HT_LEVELS; i++) {
        const struct ht_weights *w = &table->level[i];
        unsigned far = 0;

        for (unsigned k = 1; k < HT_TAPS - 1; k++) {
            if (w->column[k] < -HT_TDFED_REACH)
                return false;
            far += w->column[k] <= -3;
        }
        if (far > 1)
            return false;
    }
    return true;
}

static bool page_suits(const ht_page_t *page)
{
    return (page->method == HT_TDFED4 || page->method == HT_TDFED1) &&
           within_reach(page);
}

static void tdfed_close(ht_engine_t *engine)
{
    struct tdfed *own = engine->own;

    if (own == NULL)
        return;
    ht_tdfed_schedule_close(own->schedule);
    free(own->pixels);
    free(own->pattern);
    free(own->kept);
    ht_host_free(&own->host);
    free(own);
    engine->own = NULL;
}

/* Returns the first ink with the same curve as this one. */
static uint32_t first_alike(const ht_page_t *page, uint32_t ink)
{
    const size_t bytes = HT_LEVELS * sizeof *page->curves[0];
    uint32_t first = 0;

    if (page->curves == NULL)
        return 0;
    while (memcmp(page->curves[first], page->curves[ink], bytes) != 0)
        first++;
    return first;
}

/* Returns how many tables of pixels the page needs: inks with the same curve
 * share one. */
static uint32_t tables_of(const ht_page_t *page)
{
    uint32_t tables = 0;

    for (uint32_t ink = 0; ink < page->inks; ink++)
        tables += first_alike(page, ink) == ink;
    return tables;
}

static void fill_lookups(struct tdfed *own, const ht_page_t *page)
{
    struct ht_tdfed_pixel *pixels = own->pixels;

    for (uint32_t ink = 0; ink < page->inks; ink++) {
        const uint16_t *curve = page->curves != NULL ? page->curves[ink] : NULL;
        uint32_t alike = first_alike(page, ink);

        if (alike < ink) {
            own->page.lookup[ink] = own->page.lookup[alike];
            continue;
        }
        own->page.lookup[ink] = (struct ht_tdfed_lookup){
            .pixels = pixels,
            .middle = ht_tdfed_middle(page->table, curve),
            .near_extremity = ht_tdfed_near_extremity(page->table, curve)};
        ht_tdfed_fill_pixels(page->table, page->bits, curve, pixels);
        pixels += HT_TDFED_PIXELS;
    }
}

static void describe_page(struct tdfed *own, const ht_page_t *page,
                          const struct ht_tdfed_kernel *kernel)
{
    own->page = (struct ht_tdfed_page){.kernel = kernel,
                                       .width = page->width,
                                       .inks = page->inks,
                                       .bits = page->bits,
                                       .error = own->host.error,
                                       .pattern = own->pattern};
    fill_lookups(own, page);
    ht_tdfed_fill_pattern(page->table, own->pattern);
}

/* The page's limits keep every product far inside size_t. */
static ht_status_t open_with(ht_engine_t *engine,
                             const struct ht_tdfed_kernel *kernel)
{
    const ht_page_t *page = &engine->page;
    unsigned threads = page->threads ? page->threads : ht_pool_processors();
    uint32_t length = page->segment ? page->segment : page->width;
    struct tdfed *own = engine->own = calloc(1, sizeof *own);

    if (own == NULL)
        return HT_ERR_MEMORY;
    threads = threads < HT_POOL_MOST ? threads : HT_POOL_MOST;
    own->sample_bytes = (size_t)page->inks * page->width * (page->bits / 8);
    own->pixels = aligned_alloc(64, tables_of(page) * HT_TDFED_PIXELS *
                                        sizeof *own->pixels);
    own->pattern = calloc(2 * HT_PATTERN_SIZE * HT_TDFED_PATTERN_ROW,
                          sizeof *own->pattern);
    own->kept = calloc(HT_TDFED_ROWS, own->sample_bytes);
    if (!own->pixels || !own->pattern || !own->kept ||
        ht_host_init(&own->host, engine, HT_TDFED_ROWS - 1) != HT_OK)
        return HT_ERR_MEMORY;
    describe_page(own, page, kernel);
    return ht_tdfed_schedule_open(&own->schedule, &own->page, length, threads,
                                  page->guest);
}

/* ---- Rows to swaths ----------------------------------------------------- */

/* Finds the inks that have nothing to do until their first sample, since all
 * their errors are 0. */
static void find_calm_inks(struct tdfed *own)
{
    const struct ht_tdfed_page *page = &own->page;
    uint32_t calm = 0;

    for (uint32_t ink = 0; ink < page->inks; ink++)
        if ((own->swath[0].inks >> ink & 1) == 0 &&
            ht_tdfed_no_error(page->error + (size_t)ink * page->width,
                              page->width))
            calm |= 1u << ink;
    for (unsigned i = 0; i < own->swaths; i++)
        own->swath[i].calm = calm &= ~own->swath[i].inks;
}

/* Halftones the swaths that wait. */
static void run_swaths(const ht_engine_t *engine)
{
    struct tdfed *own = engine->own;

    if (own->swaths == 0)
        return;
    find_calm_inks(own);
    ht_tdfed_schedule_run(own->schedule, own->swath, own->shift, own->swaths,
                          engine->helpers);
    own->swaths = 0;
}

/* Begins a swath at `place`: of less than its height when a state was given
 * in the middle of it. Swaths of one height are halftoned together. */
static struct ht_tdfed_swath *begin_swath(const ht_engine_t *engine)
{
    struct tdfed *own = engine->own;
    const struct ht_place *place = &own->host.place;
    uint32_t height = own->host.scan.swath;
    uint64_t number = ht_swath(&own->host.scan, place);

    if (own->swaths == HT_TDFED_SWATHS ||
        (own->swaths > 0 && own->swath[0].rows < height))
        run_swaths(engine);
    own->shift[own->swaths] = place->shift;
    own->swath[own->swaths] = (struct ht_tdfed_swath){
        .number = number, .row = place->row, .step = number % 2 ? -1 : 1};
    return &own->swath[own->swaths++];
}

/* Adds the row at `place`, which has ink of `inks`. `samples` must stay until
 * run_swaths(). */
static void add_row(const ht_engine_t *engine, const uint8_t *samples,
                    uint32_t inks)
{
    struct tdfed *own = engine->own;
    struct ht_place *place = &own->host.place;
    struct ht_tdfed_swath *swath;

    if (own->swaths == 0 || place->row % own->host.scan.swath == 0)
        swath = begin_swath(engine);
    else
        swath = &own->swath[own->swaths - 1];
    swath->samples[swath->rows] = samples;
    swath->inks |= inks;
    if (place->row >= HT_PREROLL) {
        swath->dots[swath->rows] = ht_host_add_row(&own->host, place->row);
        memset(swath->dots[swath->rows], 0, own->host.row_bytes);
    }
    swath->rows++;
    ht_place_next(&own->host.scan, place);
}

static void keep_row(struct tdfed *own, const uint8_t *samples, uint16_t inks)
{
    own->kept_inks[own->kept_rows] = inks;
    memcpy(own->kept + own->kept_rows++ * own->sample_bytes, samples,
           own->sample_bytes);
}

static void add_kept_rows(const ht_engine_t *engine)
{
    struct tdfed *own = engine->own;

    for (uint32_t row = 0; row < own->kept_rows; row++)
        add_row(engine, own->kept + row * own->sample_bytes,
                own->kept_inks[row]);
    own->kept_rows = 0;
}

/* ---- The engine ------------------------------------------------------- */

/* Returns the inks that a row of those submitted may have. */
static uint16_t inks_of(const uint16_t *inked, size_t row)
{
    return inked != NULL ? inked[row] : UINT16_MAX;
}

static ht_status_t tdfed_submit(ht_engine_t *engine, const void *tones,
                                const uint16_t *inked, size_t rows)
{
    struct tdfed *own = engine->own;
    const uint8_t *samples = tones;
    size_t row = 0;

    while (own->host.place.row < HT_PREROLL)
        add_row(engine, samples, inks_of(inked, 0));

    /* Rows of a swath that these do not complete are kept. */
    uint64_t next = own->host.place.row + own->kept_rows;
    size_t partial = (next + rows) % own->host.scan.swath;
    if (partial < rows) {
        add_kept_rows(engine);
        for (; row < rows - partial; row++, samples += own->sample_bytes)
            add_row(engine, samples, inks_of(inked, row));
    }
    run_swaths(engine);
    for (; row < rows; row++, samples += own->sample_bytes)
        keep_row(own, samples, inks_of(inked, row));
    return HT_OK;
}

static void tdfed_help(ht_engine_t *engine, bool (*enough)(void *context),
                       void *context)
{
    struct tdfed *own = engine->own;

    ht_tdfed_schedule_help(own->schedule, enough, context);
}

static ht_status_t tdfed_end(ht_engine_t *engine)
{
    add_kept_rows(engine);
    run_swaths(engine);
    return HT_OK;
}

/* An engine for each instruction set. */
#define ENGINE(set, text, runs_here)                                           \
    static bool set##_available(const ht_page_t *page)                         \
    {                                                                          \
        return runs_here && page_suits(page);                                  \
    }                                                                          \
    static ht_status_t set##_open(ht_engine_t *engine)                         \
    {                                                                          \
        return open_with(engine, &ht_tdfed_##set);                             \
    }                                                                          \
    const struct ht_engine_ops ht_tdfed_##set##_engine = {                     \
        .name = text,                                                          \
        .available = set##_available,                                          \
        .open = set##_open,                                                    \
        .close = tdfed_close,                                                  \
        .submit = tdfed_submit,                                                \
        .help = tdfed_help,                                                    \
        .end = tdfed_end,                                                      \
        .ready = ht_host_ready,                                                \
        .collect = ht_host_collect,                                            \
        .take_state = ht_host_take_state,                                      \
        .give_state = ht_host_give_state,                                      \
    };
HT_SETS(ENGINE)
