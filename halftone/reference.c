/*
 * reference.c - the engine that every other one is compared with: feeds the
 * definition row by row, in the thread of the caller.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "halftone/engines.h"
#include "halftone/host.h"
#include "halftone/method.h"

struct reference {
    struct ht_host host;
    int16_t *tone;   /* [width] */
    uint8_t *level;  /* [width] */
    int16_t *below;  /* [width], being filled */
    int16_t *before; /* [width] */
    uint8_t *toned;  /* [width] */
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
    free(own->below);
    free(own->before);
    free(own->toned);
    ht_host_free(&own->host);
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
    own->tone = calloc(width, sizeof *own->tone);
    own->level = calloc(width, sizeof *own->level);
    own->below = calloc(width, sizeof *own->below);
    own->before = calloc(width, sizeof *own->before);
    own->toned = calloc(width, sizeof *own->toned);
    if (!own->tone || !own->level || !own->below || !own->before || !own->toned)
        return HT_ERR_MEMORY;
    return ht_host_init(&own->host, engine, 0);
}

/* Returns the ranks of the row for a method that has any, else NULL. */
static const int16_t *ranks_of_row(const ht_engine_t *engine, uint32_t ink)
{
    const struct reference *own = engine->own;
    uint64_t row = own->host.place.row - HT_PREROLL;

    if (engine->ranks == NULL)
        return NULL;
    return engine->ranks +
           (ink * HT_SCREEN_SIZE + row % HT_SCREEN_SIZE) * HT_SCREEN_SIZE;
}

/* Prints a row of an ink: samples [width], dots [(width+7)/8]. */
static void print_ink(ht_engine_t *engine, uint32_t ink, const uint8_t *samples,
                      uint8_t *dots)
{
    struct reference *own = engine->own;
    struct ht_host *host = &own->host;
    const ht_page_t *page = &engine->page;
    int16_t *error = host->error + (size_t)ink * page->width;

    if (page->curves != NULL)
        ht_tones_from_curve(samples, page->curves[ink], page->width, own->tone,
                            own->level);
    else
        ht_tones_from_samples(samples, page->bits, page->width, own->tone,
                              own->level);
    if (!ht_info_of(page)->diffuses) {
        ht_method_of(page->method)
            ->print_row(own->tone, ranks_of_row(engine, ink), page->width,
                        dots);
        return;
    }
    struct ht_row row = {.copy = ht_copy_of_ink(ink, page->inks),
                         .tone = own->tone,
                         .level = own->level,
                         .error = error,
                         .below = own->below,
                         .before = own->before,
                         .toned = own->toned,
                         .dots = dots};
    ht_diffuse_row(&host->scan, &host->place, &row);
    memcpy(error, own->below, page->width * sizeof *error);
}

/* Prints a row of all inks: samples [inks][width]. */
static void print_row(ht_engine_t *engine, const uint8_t *samples)
{
    struct reference *own = engine->own;
    struct ht_host *host = &own->host;
    const ht_page_t *page = &engine->page;
    size_t plane = (size_t)page->width * (page->bits / 8);
    uint8_t *dots = ht_host_add_row(host, host->place.row);

    memset(own->before, 0, page->width * sizeof *own->before);
    memset(own->toned, 0, page->width * sizeof *own->toned);
    for (uint32_t turn = 0; turn < page->inks; turn++) {
        uint32_t ink = ht_ink_of_turn(turn, page->inks,
                                      ht_swath(&host->scan, &host->place));

        print_ink(engine, ink, samples + ink * plane,
                  dots + ink * (((size_t)page->width + 7) / 8));
    }
    ht_place_next(&host->scan, &host->place);
}

static ht_status_t reference_submit(ht_engine_t *engine, const void *tones,
                                    const uint16_t *inked, size_t rows)
{
    struct reference *own = engine->own;
    const ht_page_t *page = &engine->page;
    const uint8_t *samples = tones;

    (void)inked;
    while (own->host.place.row < HT_PREROLL)
        print_row(engine, samples);
    for (size_t row = 0; row < rows; row++) {
        print_row(engine, samples);
        samples += (size_t)page->inks * page->width * (page->bits / 8);
    }
    return HT_OK;
}

const struct ht_engine_ops ht_reference_engine = {
    .name = "reference",
    .available = available,
    .open = reference_open,
    .submit = reference_submit,
    .ready = ht_host_ready,
    .collect = ht_host_collect,
    .take_state = ht_host_take_state,
    .give_state = ht_host_give_state,
    .close = reference_close,
};
