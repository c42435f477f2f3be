/*
 * engine.c - the CPU engine of Floyd-Steinberg: gathers rows into sweeps and
 * has these halftoned, with the best kernel that the processor can run.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "halftone/definition.h"
#include "halftone/engines.h"
#include "halftone/floyd/floyd.h"
#include "halftone/floyd/lookup.h"
#include "halftone/host.h"

struct floyd_engine {
    struct ht_host host; /* its place is the sweep's first row */
    const struct ht_floyd_kernel *kernel;
    uint32_t most; /* rows that are gathered: the kernel's lanes, and the row
                      below them */
    uint32_t rows; /* gathered so far */
    size_t pad;    /* elements on both sides of a row or line */
    size_t row_samples, line_size;
    uint32_t bits;
    uint8_t *samples;               /* [inks][most][row_samples] */
    uint32_t lines;                 /* of the state */
    int16_t *state;                 /* [lines][line_size] */
    int16_t *line[2 * HT_MAX_INKS]; /* column 0 in there */
    struct ht_meeting_rules rules;  /* if inks meet */
    struct ht_floyd_sizes *sizes;   /* NULL: whole dots alone */
    void *space;                    /* the kernel's */
};

/* ---- Opening ---------------------------------------------------------- */

static void floyd_close(ht_engine_t *engine)
{
    struct floyd_engine *own = engine->own;

    if (own == NULL)
        return;
    free(own->samples);
    free(own->state);
    free(own->sizes);
    free(own->space);
    ht_host_free(&own->host);
    free(own);
    engine->own = NULL;
}

/* The page's limits keep every product inside size_t, of 32 bits too: 15 x 33
 * rows of 262144 samples of 16 bits, and their padding, are the largest. */
static ht_status_t open_with(ht_engine_t *engine,
                             const struct ht_floyd_kernel *kernel)
{
    const ht_page_t *page = &engine->page;
    struct floyd_engine *own = engine->own = calloc(1, sizeof *own);

    if (own == NULL)
        return HT_ERR_MEMORY;
    own->kernel = kernel;
    own->most = kernel->lanes + 1;
    own->bits = page->curves != NULL ? 16 : page->bits;
    own->pad = HT_FLOYD_PAD(kernel->lanes);
    own->line_size = page->width + 2 * own->pad;
    /* An odd number of cache lines: the same column of 32 rows lies in as
     * many sets of the cache. */
    own->row_samples = (own->line_size + 63) / 64 * 64 | 64;
    own->samples =
        calloc(page->inks * own->most * own->row_samples, own->bits / 8);
    own->lines = ht_state_lines(page);
    own->state = calloc(own->lines * own->line_size, sizeof *own->state);
    own->space = aligned_alloc(64, (page->inks * kernel->space + 63) / 64 * 64);
    if (!own->samples || !own->state || !own->space)
        return HT_ERR_MEMORY;
    for (uint32_t i = 0; i < own->lines; i++)
        own->line[i] = own->state + i * own->line_size + own->pad;
    if (ht_inks_meet(page))
        own->rules = ht_rules_of(page);
    if (page->levels > 2) {
        own->sizes = calloc(1, sizeof *own->sizes);
        if (own->sizes == NULL)
            return HT_ERR_MEMORY;
        ht_floyd_fill_sizes(page, own->sizes);
    }
    return ht_host_init(&own->host, engine, own->most - 1);
}

/* ---- Rows to sweeps ---------------------------------------------------- */

/* Returns column 0 of an ink in a row of those gathered. */
static uint8_t *row_of(const ht_engine_t *engine, uint32_t ink, uint32_t row)
{
    const struct floyd_engine *own = engine->own;
    size_t slot = (size_t)ink * own->most + row;

    return own->samples +
           (slot * own->row_samples + own->pad) * (own->bits / 8);
}

/* Makes the row `to` like the row `from`. */
static void copy_row(ht_engine_t *engine, uint32_t to, uint32_t from)
{
    const struct floyd_engine *own = engine->own;
    size_t bytes = (size_t)engine->page.width * (own->bits / 8);

    for (uint32_t ink = 0; ink < engine->page.inks; ink++)
        memcpy(row_of(engine, ink, to), row_of(engine, ink, from), bytes);
}

/* Returns ht_floyd_sweep.near. */
static uint32_t least_near(const struct floyd_engine *own)
{
    const struct ht_meeting_rules *rules = &own->rules;
    const uint32_t full = own->bits == 8 ? UINT8_MAX : UINT16_MAX;
    uint32_t tone = (uint32_t)rules->from + (HT_ONE >> rules->steps);
    uint32_t sample = (full * (2 * tone - 1) + 2 * HT_ONE - 1) / (2 * HT_ONE);

    return sample <= full && own->sizes == NULL ? sample : full + 1;
}

/* Prints the first `rows` of the rows gathered, which are used up. */
static void print_sweep(ht_engine_t *engine, uint32_t rows)
{
    struct floyd_engine *own = engine->own;
    const ht_page_t *page = &engine->page;
    struct ht_floyd_sweep sweep = {.width = page->width,
                                   .inks = page->inks,
                                   .bits = own->bits,
                                   .rows = rows,
                                   .row = own->host.place.row,
                                   .samples = row_of(engine, 0, 0),
                                   .row_samples = own->row_samples,
                                   .ink_samples = own->most * own->row_samples,
                                   .line = own->line,
                                   .sizes = own->sizes,
                                   .space = own->space,
                                   .row_dots = ht_row_bytes(page)};

    if (ht_inks_meet(page)) {
        sweep.meeting = &own->rules;
        sweep.near = least_near(own);
    }

    assert(rows >= 1 && rows <= own->kernel->lanes);
    for (uint32_t row = 0; row < rows; row++)
        sweep.dots[row] = ht_host_add_row(&own->host, sweep.row + row);
    own->kernel->run(&sweep);
    own->rows = 0;
    for (; rows > 0; rows--)
        ht_place_next(&own->host.scan, &own->host.place);
}

static void add_row(ht_engine_t *engine, const uint8_t *samples)
{
    struct floyd_engine *own = engine->own;
    size_t bytes = (size_t)engine->page.width * (engine->page.bits / 8);

    for (uint32_t ink = 0; ink < engine->page.inks; ink++, samples += bytes) {
        uint8_t *row = row_of(engine, ink, own->rows);

        if (engine->page.curves != NULL)
            ht_apply_curve(engine->page.curves[ink], samples,
                           engine->page.width, (uint16_t *)(void *)row);
        else
            memcpy(row, samples, bytes);
    }
    if (++own->rows < own->most)
        return;
    print_sweep(engine, own->kernel->lanes);
    copy_row(engine, 0, own->kernel->lanes); /* the next sweep's first one */
    own->rows = 1;
}

/* ---- The engine ------------------------------------------------------- */

static ht_status_t floyd_submit(ht_engine_t *engine, const void *tones,
                                const uint16_t *inked, size_t rows)
{
    struct floyd_engine *own = engine->own;
    const ht_page_t *page = &engine->page;
    const uint8_t *samples = tones;

    (void)inked;
    while (own->host.place.row + own->rows < HT_PREROLL)
        add_row(engine, samples);
    for (size_t row = 0; row < rows; row++) {
        add_row(engine, samples);
        samples += (size_t)page->inks * page->width * (page->bits / 8);
    }
    return HT_OK;
}

static ht_status_t floyd_end(ht_engine_t *engine)
{
    struct floyd_engine *own = engine->own;
    const ht_page_t *page = &engine->page;
    size_t bytes = (size_t)page->width * (own->bits / 8);
    uint32_t rows = own->rows;

    if (rows == 0)
        return HT_OK;
    for (uint32_t ink = 0; ink < page->inks; ink++)
        for (uint32_t row = rows; row < own->most; row++)
            memset(row_of(engine, ink, row), 0, bytes);
    copy_row(engine, rows, rows - 1);
    print_sweep(engine, rows);
    return HT_OK;
}

static ht_status_t floyd_take_state(ht_engine_t *engine, uint64_t *row,
                                    int16_t *state)
{
    const struct floyd_engine *own = engine->own;
    size_t width = engine->page.width;

    *row = own->host.place.row - HT_PREROLL;
    for (uint32_t i = 0; i < own->lines; i++)
        memcpy(state + i * width, own->line[i], width * sizeof *state);
    return HT_OK;
}

static ht_status_t floyd_give_state(ht_engine_t *engine, uint64_t row,
                                    const int16_t *state)
{
    struct floyd_engine *own = engine->own;
    size_t width = engine->page.width;

    own->host.place.row = row + HT_PREROLL;
    for (uint32_t i = 0; i < own->lines; i++)
        memcpy(own->line[i], state + i * width, width * sizeof *state);
    return HT_OK;
}

/* An engine for each instruction set. */
#define ENGINE(set, text, runs_here)                                           \
    static bool set##_available(const ht_page_t *page)                         \
    {                                                                          \
        return runs_here && page->method == HT_FLOYD_STEINBERG;                \
    }                                                                          \
    static ht_status_t set##_open(ht_engine_t *engine)                         \
    {                                                                          \
        return open_with(engine, &ht_floyd_##set);                             \
    }                                                                          \
    const struct ht_engine_ops ht_floyd_##set##_engine = {                     \
        .name = text,                                                          \
        .levels = HT_MAX_LEVELS,                                               \
        .available = set##_available,                                          \
        .open = set##_open,                                                    \
        .close = floyd_close,                                                  \
        .submit = floyd_submit,                                                \
        .end = floyd_end,                                                      \
        .ready = ht_host_ready,                                                \
        .collect = ht_host_collect,                                            \
        .take_state = floyd_take_state,                                        \
        .give_state = floyd_give_state,                                        \
    };
HT_SETS(ENGINE)
