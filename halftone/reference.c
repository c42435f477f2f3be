/*
 * reference.c - the engine that every other one is compared with: feeds the
 * definition in diffuse.c row by row, in the thread of the caller.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "halftone/internal.h"
#include "halftone/queue.h"

struct reference {
    struct ht_scan scan;
    struct ht_place place;
    int16_t *tone;   /* [width] */
    uint8_t *level;  /* [width] */
    int16_t *error;  /* [inks][width], for the next row */
    int16_t *below;  /* [width], being filled */
    int32_t *before; /* [width] */
    uint8_t *unseen; /* [inks][(width+7)/8], the pre-roll's dots */
    struct ht_queue queue;
};

static bool available(const ht_page_t *page)
{
    (void)page;
    return true;
}

static void reference_close(ht_engine_t *engine)
{
    struct reference *own = engine->own;

    if (own == NULL)
        return;
    free(own->tone);
    free(own->level);
    free(own->error);
    free(own->below);
    free(own->before);
    free(own->unseen);
    ht_queue_free(&own->queue);
    free(own);
    engine->own = NULL;
}

static ht_status_t reference_open(ht_engine_t *engine)
{
    const ht_page_t *page = &engine->page;
    size_t width = page->width;
    struct reference *own = engine->own = calloc(1, sizeof *own);

    if (own == NULL)
        return HT_ERR_MEMORY;
    own->scan = ht_scan_of(page);
    ht_place_first(&own->scan, &own->place);
    own->tone = calloc(width, sizeof *own->tone);
    own->level = calloc(width, sizeof *own->level);
    own->error = calloc(width * page->inks, sizeof *own->error);
    own->below = calloc(width, sizeof *own->below);
    own->before = calloc(width, sizeof *own->before);
    own->unseen = calloc(page->inks, (width + 7) / 8);
    if (!own->tone || !own->level || !own->error || !own->below ||
        !own->before || !own->unseen)
        return HT_ERR_MEMORY;
    return ht_queue_init(&own->queue, page, 0);
}

static void threshold_row(const int16_t *tone, uint32_t width, uint8_t *dots)
{
    memset(dots, 0, ((size_t)width + 7) / 8);
    for (uint32_t x = 0; x < width; x++)
        if (tone[x] >= HT_ONE / 2)
            dots[x / 8] |= (uint8_t)(0x80 >> x % 8);
}

/* One row of all inks: samples [inks][width], dots [inks][(width+7)/8]. */
static void print_row(ht_engine_t *engine, const uint8_t *samples,
                      uint8_t *dots)
{
    struct reference *own = engine->own;
    const ht_page_t *page = &engine->page;
    size_t width = page->width;

    memset(own->before, 0, width * sizeof *own->before);
    for (uint32_t ink = 0; ink < page->inks; ink++) {
        int16_t *error = own->error + ink * width;

        ht_tones_from_samples(samples, page->bits, page->width, own->tone,
                              own->level);
        if (page->method == HT_THRESHOLD) {
            threshold_row(own->tone, page->width, dots);
        } else {
            ht_diffuse_row(&own->scan, &own->place, ink, own->tone, own->level,
                           error, own->below, own->before, dots);
            memcpy(error, own->below, width * sizeof *error);
        }
        samples += width * (page->bits / 8);
        dots += (width + 7) / 8;
    }
    ht_place_next(&own->scan, &own->place);
}

static ht_status_t reference_submit(ht_engine_t *engine, const void *tones,
                                    size_t rows)
{
    struct reference *own = engine->own;
    const ht_page_t *page = &engine->page;
    const uint8_t *samples = tones;

    while (own->place.row < HT_PREROLL)
        print_row(engine, samples, own->unseen);
    for (size_t row = 0; row < rows; row++) {
        print_row(engine, samples, ht_queue_append(&own->queue));
        samples += (size_t)page->inks * page->width * (page->bits / 8);
    }
    return HT_OK;
}

static ht_status_t reference_end(ht_engine_t *engine)
{
    (void)engine;
    return HT_OK;
}

static size_t reference_ready(const ht_engine_t *engine)
{
    const struct reference *own = engine->own;

    return own->queue.rows;
}

static ht_status_t reference_collect(ht_engine_t *engine, uint8_t *dots,
                                     size_t rows)
{
    struct reference *own = engine->own;

    ht_queue_take(&own->queue, dots, rows);
    return HT_OK;
}

static ht_status_t reference_take_state(ht_engine_t *engine, uint64_t *row,
                                        int16_t *errors)
{
    const struct reference *own = engine->own;

    *row = own->place.row - HT_PREROLL;
    memcpy(errors, own->error,
           (size_t)engine->page.inks * engine->page.width * sizeof *errors);
    return HT_OK;
}

static ht_status_t reference_give_state(ht_engine_t *engine, uint64_t row,
                                        const int16_t *errors)
{
    struct reference *own = engine->own;

    while (own->place.row < row + HT_PREROLL)
        ht_place_next(&own->scan, &own->place);
    memcpy(own->error, errors,
           (size_t)engine->page.inks * engine->page.width * sizeof *errors);
    return HT_OK;
}

const struct ht_engine_ops ht_reference_engine = {
    .name = "reference",
    .available = available,
    .open = reference_open,
    .submit = reference_submit,
    .end = reference_end,
    .ready = reference_ready,
    .collect = reference_collect,
    .take_state = reference_take_state,
    .give_state = reference_give_state,
    .close = reference_close,
};
