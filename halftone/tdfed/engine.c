/*
 * engine.c - the CPU engine of TDFED: gathers rows into swaths and has these
 * halftoned, with the best kernel that the processor can run.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "halftone/base/processors.h"
#include "halftone/engines.h"
#include "halftone/host.h"
#include "halftone/pool.h"
#include "halftone/simd/sets.h"
#include "halftone/tdfed/marks.h"
#include "halftone/tdfed/schedule.h"
#include "halftone/tdfed/spans.h"

struct tdfed {
    struct ht_host host; /* its place is the swath's first row */
    struct ht_tdfed_page page;
    struct ht_tdfed_pixel *pixels; /* [tables][HT_TDFED_PIXELS] */
    struct ht_tdfed_spans spans[HT_MIXED_LEVELS - 1];
    uint16_t *pattern;
    uint64_t *marks; /* [HT_TDFED_SWATHS][ht_tdfed_marks()] */
    struct ht_tdfed_schedule *schedule;

    size_t sample_bytes; /* of a row, all inks */
    /* Rows of a swath that is not whole yet, or whose row below is not known.
     * In turn there are several places for them, since the swaths of the last
     * bands are at work. */
    uint8_t *kept;    /* [lent + 1][HT_TDFED_ROWS][sample_bytes] */
    uint32_t kept_at; /* the place, 0..lent */
    uint16_t kept_inks[HT_TDFED_ROWS]; /* that these rows have */
    uint32_t kept_rows;

    struct ht_tdfed_swath *open; /* gets the next row, NULL = a new one */
    uint32_t open_shift;
    /* Swaths that had been added when a band had been submitted: the last
     * bands in turn. */
    uint32_t behind[HT_MAX_LENT + 1];
    uint32_t bands; /* submitted, modulo lent + 1 */

    /* Rows in the host's queue whose dots are not made, and the swaths that
     * they are of: swaths before `counted` are known to be done. */
    size_t undone;
    uint32_t counted;
    uint8_t visible[HT_TDFED_SWATHS]; /* rows, without the pre-roll's */
};

/* ---- Opening ---------------------------------------------------------- */

/* Says whether the kernel has a field for each of the level's weights: none for
 * (1,-3), and that of (1,-4) for feedback. */
static bool within_reach(const ht_page_t *page)
{
    const ht_table_t *table = page->table;

    for (unsigned i = 0; table != NULL && i < HT_LEVELS; i++) {
        const struct ht_weights *w = &table->level[i];

        for (unsigned k = 1; k < HT_TAPS - 1; k++) {
            const int column = w->column[k];

            if (column < -HT_TDFED_REACH || column == -3 ||
                (column < -3 && w->feedback != 0))
                return false;
        }
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
    free(own->marks);
    free(own->kept);
    ht_host_free(&own->host);
    free(own);
    engine->own = NULL;
}

/* Says whether two inks have the same curve and, of pixels that leave a size
 * out, leave out the same one. */
static bool alike(const ht_page_t *page, uint32_t a, uint32_t b)
{
    const size_t bytes = HT_LEVELS * sizeof *page->curves[0];

    return (page->levels <= 2 ||
            ht_size_left_out(a, page->inks, page->levels) ==
                ht_size_left_out(b, page->inks, page->levels)) &&
           (page->curves == NULL ||
            memcmp(page->curves[a], page->curves[b], bytes) == 0);
}

/* Returns the first ink that is like this one. */
static uint32_t first_alike(const ht_page_t *page, uint32_t ink)
{
    uint32_t first = 0;

    while (!alike(page, first, ink))
        first++;
    return first;
}

/* Returns what the pixels of an ink follow from, of those that leave no size
 * out. */
static struct ht_tdfed_source source_of(const struct tdfed *own,
                                        const ht_page_t *page, uint32_t ink)
{
    return (struct ht_tdfed_source){
        .table = page->table,
        .bits = page->bits,
        .curve = page->curves != NULL ? page->curves[ink] : NULL,
        .sizes = &own->host.scan.sizes};
}

/* Says whether spans follow from tones of 16 bits. */
static bool several_deep(const ht_page_t *page)
{
    return page->levels > 2 && page->bits == 16;
}

/* Returns how many tables of pixels an ink needs: with several sizes one for
 * pixels that leave one out, and of 16 bits one for each slot. */
static uint32_t tables_each(const ht_page_t *page)
{
    if (several_deep(page))
        return HT_TDFED_SLOTS;
    return page->levels > 2 && page->mixed > 0 ? 2 : 1;
}

/* Returns how many tables of pixels the page needs: inks that are alike share
 * them. */
static uint32_t tables_of(const ht_page_t *page)
{
    uint32_t tables = 0;

    for (uint32_t ink = 0; ink < page->inks; ink++)
        if (first_alike(page, ink) == ink)
            tables += tables_each(page);
    return tables;
}

static void fill_lookups(struct tdfed *own, const ht_page_t *page)
{
    struct ht_tdfed_pixel *pixels = own->pixels;

    for (uint32_t ink = 0; ink < page->inks; ink++) {
        struct ht_tdfed_source source = source_of(own, page, ink);
        uint32_t first = first_alike(page, ink);

        if (first < ink) {
            own->page.lookup[ink] = own->page.lookup[first];
            continue;
        }
        own->page.lookup[ink] = (struct ht_tdfed_lookup){
            .pixels = pixels,
            .near_extremity = ht_tdfed_near_extremity(&source)};
        ht_tdfed_fill_noise(&source, own->page.lookup[ink].noise);
        for (uint32_t i = 0; i < tables_each(page); i++) {
            uint32_t left_out = ht_size_left_out(ink, page->inks, page->levels);

            source.left_out = i > 0 ? left_out : 0;
            if (several_deep(page))
                source.span = ht_tdfed_slot(source.sizes, left_out, i);
            ht_tdfed_fill_pixels(&source, pixels);
            pixels += HT_TDFED_PIXELS;
        }
    }
}

static void describe_page(struct tdfed *own, const ht_page_t *page,
                          const struct ht_tdfed_kernel *kernel)
{
    const uint32_t dot_bits = ht_dot_bits(page->levels);

    own->page = (struct ht_tdfed_page){.kernel = kernel,
                                       .width = page->width,
                                       .inks = page->inks,
                                       .bits = page->bits,
                                       .sizes = &own->host.scan.sizes,
                                       .dot_bits = dot_bits,
                                       .tape_bits = dot_bits < 3 ? dot_bits : 4,
                                       .plane = ht_row_bytes(page),
                                       .error = own->host.error,
                                       .pattern = own->pattern + HT_TDFED_SLACK,
                                       .meeting = ht_rules_of(page)};
    if (ht_inks_meet(page)) {
        own->page.company = own->host.error + (size_t)page->inks * page->width;
        own->page.light =
            own->page.company + (size_t)(page->inks - 1) * page->width;
    }
    fill_lookups(own, page);
    const struct ht_tdfed_source any = source_of(own, page, 0);
    ht_tdfed_fill_pattern(&any, own->pattern + HT_TDFED_SLACK);
    for (uint32_t out = 1; several_deep(page) && out < HT_MIXED_LEVELS - 1;
         out++)
        ht_tdfed_fill_spans(any.sizes, out, &own->spans[out]);
    own->page.spans = several_deep(page) ? own->spans : NULL;
}

/* The page's limits keep every product far inside size_t. */
static ht_status_t open_with(ht_engine_t *engine,
                             const struct ht_tdfed_kernel *kernel)
{
    const ht_page_t *page = &engine->page;
    unsigned threads = page->threads ? page->threads : ht_default_threads();
    struct tdfed *own = engine->own = calloc(1, sizeof *own);

    if (own == NULL)
        return HT_ERR_MEMORY;
    threads = threads < HT_POOL_MOST ? threads : HT_POOL_MOST;
    own->sample_bytes = (size_t)page->inks * page->width * (page->bits / 8);
    assert(own->sample_bytes > 0);
    own->pixels = aligned_alloc(64, tables_of(page) * HT_TDFED_PIXELS *
                                        sizeof *own->pixels);
    own->pattern =
        calloc(HT_TDFED_SLACK + 2 * HT_PATTERN_SIZE * HT_TDFED_PATTERN_ROW,
               sizeof *own->pattern);
    own->kept = calloc((page->lent + 1) * HT_TDFED_ROWS, own->sample_bytes);
    own->marks =
        calloc(HT_TDFED_SWATHS * ht_tdfed_marks(page->width, page->inks),
               sizeof *own->marks);
    if (!own->pixels || !own->pattern || !own->kept || !own->marks ||
        ht_host_init(&own->host, engine,
                     HT_TDFED_ROWS + (size_t)page->lent * page->band) != HT_OK)
        return HT_ERR_MEMORY;
    describe_page(own, page, kernel);
    return ht_tdfed_schedule_open(&own->schedule, &own->page, page->segment,
                                  threads, page->guest, page->lent > 0);
}

/* ---- Rows to swaths ----------------------------------------------------- */

/* Brings the number of undone rows up to date. */
static void count_done(struct tdfed *own)
{
    uint32_t done = ht_tdfed_schedule_done(own->schedule);

    for (; own->counted < done; own->counted++)
        own->undone -= own->visible[own->counted % HT_TDFED_SWATHS];
}

/* Begins a swath at the host's place. */
static void begin_swath(struct tdfed *own)
{
    const struct ht_place *place = &own->host.place;
    uint64_t number = ht_swath(&own->host.scan, place);
    uint32_t added = ht_tdfed_schedule_added(own->schedule);

    own->open = ht_tdfed_schedule_next(own->schedule);
    if (added - own->counted == HT_TDFED_SWATHS)
        count_done(own); /* the place in the ring was another swath's */
    own->visible[added % HT_TDFED_SWATHS] = 0;
    own->open_shift = place->shift;
    *own->open = (struct ht_tdfed_swath){
        .marks =
            own->marks + added % HT_TDFED_SWATHS *
                             ht_tdfed_marks(own->page.width, own->page.inks),
        .whole = UINT32_MAX,
        .number = number,
        .row = place->row,
        .step = number % 2 ? -1 : 1};
}

/* Adds the swath that is open, if any, with the row below it, which has ink of
 * `inks`. */
static void add_swath(struct tdfed *own, const uint8_t *below, uint32_t inks)
{
    struct ht_tdfed_swath *swath = own->open;

    if (swath == NULL)
        return;
    swath->samples[swath->rows] = below;
    ht_tdfed_mark_row(&own->page, swath, below, inks, NULL);
    ht_tdfed_schedule_add(own->schedule, own->open_shift);
    own->open = NULL;
}

/* Adds the row at the host's place, which has ink of `inks`, with the row below
 * it. The samples must stay until the swath is done. */
static void add_row(struct tdfed *own, const uint8_t *samples, uint32_t inks,
                    const uint8_t *below, uint32_t inks_below)
{
    struct ht_place *place = &own->host.place;

    if (own->open == NULL)
        begin_swath(own);

    struct ht_tdfed_swath *swath = own->open;
    uint8_t *dots = ht_host_add_row(&own->host, place->row);
    swath->samples[swath->rows] = samples;
    ht_tdfed_mark_row(&own->page, swath, samples, inks, dots);
    if (place->row >= HT_PREROLL) {
        uint32_t added = ht_tdfed_schedule_added(own->schedule);

        swath->dots[swath->rows] = dots;
        own->visible[added % HT_TDFED_SWATHS]++;
        own->undone++;
    }
    swath->rows++;
    ht_place_next(&own->host.scan, place);
    if (place->row % own->host.scan.swath == 0)
        add_swath(own, below, inks_below);
}

/* Rows in the order of the page: those that were kept, then those submitted. */
struct band_rows {
    const struct tdfed *own;
    const uint8_t *samples; /* of the first one submitted */
    const uint16_t *inked;  /* of these; NULL: they may have all inks */
    uint32_t kept;
    size_t count; /* kept and submitted */
};

static uint8_t *kept_row(const struct tdfed *own, uint32_t row)
{
    return own->kept +
           (own->kept_at * HT_TDFED_ROWS + (size_t)row) * own->sample_bytes;
}

static const uint8_t *samples_of(const struct band_rows *rows, size_t row)
{
    if (row < rows->kept)
        return kept_row(rows->own, (uint32_t)row);
    return rows->samples + (row - rows->kept) * rows->own->sample_bytes;
}

/* Returns the inks that a row may have. */
static uint16_t inks_of(const struct band_rows *rows, size_t row)
{
    if (row < rows->kept)
        return rows->own->kept_inks[row];
    return rows->inked != NULL ? rows->inked[row - rows->kept] : UINT16_MAX;
}

/* Adds the first `count` rows. Below the page's last row lies another one like
 * it. */
static void add_rows(struct tdfed *own, const struct band_rows *rows,
                     size_t count)
{
    for (size_t row = 0; row < count; row++) {
        size_t below = row + 1 < rows->count ? row + 1 : row;

        add_row(own, samples_of(rows, row), inks_of(rows, row),
                samples_of(rows, below), inks_of(rows, below));
    }
}

/* Keeps the rows that were not added: all, or those from `added` on, which then
 * come after all that were kept before. */
static void keep_rows(struct tdfed *own, const struct band_rows *rows,
                      size_t added, uint32_t lent)
{
    if (added > 0 && rows->kept > 0)
        own->kept_at = own->kept_at < lent ? own->kept_at + 1 : 0;
    own->kept_rows = added > 0 ? 0 : rows->kept;
    for (size_t row = added > 0 ? added : rows->kept; row < rows->count;
         row++) {
        own->kept_inks[own->kept_rows] = inks_of(rows, row);
        memcpy(kept_row(own, own->kept_rows++), samples_of(rows, row),
               own->sample_bytes);
    }
}

/* ---- The engine ------------------------------------------------------- */

/* Waits until the bands are done whose samples need not stay: all but the last
 * `lent`, of which one has been submitted now. */
static void wait_for_bands(struct tdfed *own, uint32_t lent)
{
    own->behind[own->bands] = ht_tdfed_schedule_added(own->schedule);
    own->bands = own->bands < lent ? own->bands + 1 : 0;
    ht_tdfed_schedule_work(own->schedule, own->behind[own->bands], true);
}

/* Returns how many of `count` rows, at least 1, make whole swaths whose row
 * below is known. */
static size_t whole_swaths(const struct tdfed *own, size_t count)
{
    size_t known = count - 1;

    return known - known % own->host.scan.swath;
}

static ht_status_t tdfed_submit(ht_engine_t *engine, const void *tones,
                                const uint16_t *inked, size_t count)
{
    struct tdfed *own = engine->own;
    struct band_rows rows = {.own = own,
                             .samples = tones,
                             .inked = inked,
                             .kept = own->kept_rows,
                             .count = own->kept_rows + count};

    while (own->host.place.row < HT_PREROLL)
        add_row(own, tones, inks_of(&rows, 0), tones, inks_of(&rows, 0));

    size_t whole = whole_swaths(own, rows.count);
    add_rows(own, &rows, whole);
    wait_for_bands(own, engine->page.lent);
    keep_rows(own, &rows, whole, engine->page.lent);
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
    struct tdfed *own = engine->own;
    struct band_rows rows = {
        .own = own, .kept = own->kept_rows, .count = own->kept_rows};

    if (rows.count > 0) {
        add_rows(own, &rows, rows.count);
        add_swath(own, samples_of(&rows, rows.count - 1),
                  inks_of(&rows, rows.count - 1));
    }
    own->kept_rows = 0;
    return HT_OK;
}

static size_t tdfed_room(const ht_engine_t *engine)
{
    const struct tdfed *own = engine->own;
    size_t most = (2 + (size_t)engine->page.lent) * engine->page.band;

    return most > own->host.rows ? most - own->host.rows : 0;
}

static size_t tdfed_done(ht_engine_t *engine)
{
    struct tdfed *own = engine->own;

    count_done(own);
    return own->host.rows - own->undone;
}

static ht_status_t tdfed_collect(ht_engine_t *engine, uint8_t *dots,
                                 size_t rows)
{
    struct tdfed *own = engine->own;

    while (tdfed_done(engine) < rows)
        ht_tdfed_schedule_work(own->schedule, own->counted + 1, engine->ended);
    return ht_host_collect(engine, dots, rows);
}

static ht_status_t tdfed_take_state(ht_engine_t *engine, uint64_t *row,
                                    int16_t *errors)
{
    struct tdfed *own = engine->own;

    ht_tdfed_schedule_work(own->schedule,
                           ht_tdfed_schedule_added(own->schedule), true);
    return ht_host_take_state(engine, row, errors);
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
        .levels = HT_MAX_LEVELS,                                               \
        .available = set##_available,                                          \
        .open = set##_open,                                                    \
        .close = tdfed_close,                                                  \
        .room = tdfed_room,                                                    \
        .submit = tdfed_submit,                                                \
        .help = tdfed_help,                                                    \
        .end = tdfed_end,                                                      \
        .ready = ht_host_ready,                                                \
        .done = tdfed_done,                                                    \
        .collect = tdfed_collect,                                              \
        .take_state = tdfed_take_state,                                        \
        .give_state = ht_host_give_state,                                      \
    };
HT_SETS(ENGINE)
