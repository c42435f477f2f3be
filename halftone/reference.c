/*
 * reference.c - the engine that every other one is compared with: feeds the
 * definition row by row, in the thread of the caller. Where errors are
 * diffused it keeps rows until it has a whole swath and the row below it.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "halftone/engines.h"
#include "halftone/host.h"
#include "halftone/method.h"
#include "halftone/sizes.h"
#include "halftone/together.h"

struct reference_engine {
    struct ht_host host;
    int16_t *tone;  /* [width] */
    uint8_t *level; /* [width] */
    int16_t *below; /* [width], being filled */
    /* For methods that diffuse: */
    uint8_t *next;  /* [width], levels of the row below */
    int16_t *aside; /* [width] */
    uint8_t *took;  /* [inks][width], of the row before */
    uint8_t *kept;  /* [swath][inks][width], samples of rows that wait */
    size_t swath;   /* rows of a whole one, */
    size_t wait;    /* and how many wait */
    bool meet;      /* inks have rules together: */
    struct ht_together inks;
};

static bool available(const ht_page_t *page)
{
    (void)page;
    return true;
}

static void reference_close(ht_engine_t *engine)
{
    struct reference_engine *own = engine->own;

    if (own == NULL)
        return;
    free(own->tone);
    free(own->level);
    free(own->below);
    free(own->next);
    free(own->aside);
    free(own->took);
    free(own->kept);
    ht_together_free(&own->inks);
    ht_host_free(&own->host);
    free(own);
    engine->own = NULL;
}

/* Returns the bytes of a row of samples, all inks. */
static size_t row_bytes(const ht_page_t *page)
{
    return (size_t)page->inks * page->width * (page->bits / 8);
}

/* Allocates what methods that diffuse need on top. */
static ht_status_t open_diffusing(ht_engine_t *engine)
{
    const ht_page_t *page = &engine->page;
    struct reference_engine *own = engine->own;
    size_t width = page->width;

    own->next = calloc(width, sizeof *own->next);
    own->aside = calloc(width, sizeof *own->aside);
    own->took = calloc(page->inks, width);
    own->kept = calloc(own->swath, row_bytes(page));
    if (!own->next || !own->aside || !own->took || !own->kept)
        return HT_ERR_MEMORY;
    own->meet = ht_inks_meet(page);
    if (!own->meet)
        return HT_OK;
    int16_t *company = own->host.error + page->inks * width;
    int16_t *light = company + (page->inks - 1) * width;
    const struct ht_meeting_rules rules = ht_rules_of(page);
    bool room = ht_together_init(&own->inks, &rules, page->inks, page->width,
                                 company, light);
    return room ? HT_OK : HT_ERR_MEMORY;
}

static ht_status_t reference_open(ht_engine_t *engine)
{
    const ht_page_t *page = &engine->page;
    size_t width = page->width;
    struct reference_engine *own = engine->own = calloc(1, sizeof *own);

    if (own == NULL)
        return HT_ERR_MEMORY;
    own->tone = calloc(width, sizeof *own->tone);
    own->level = calloc(width, sizeof *own->level);
    own->below = calloc(width, sizeof *own->below);
    if (!own->tone || !own->level || !own->below)
        return HT_ERR_MEMORY;
    const bool diffuses = ht_info_of(page)->diffuses;
    own->swath = ht_swath_rows(page);
    ht_status_t status =
        ht_host_init(&own->host, engine, diffuses ? own->swath : 0);
    if (status == HT_OK && diffuses)
        status = open_diffusing(engine);
    return status;
}

/* Turns samples [width] of an ink into tones and levels [width]. */
static void make_tones(const ht_page_t *page, uint32_t ink,
                       const uint8_t *samples, int16_t *tone, uint8_t *level)
{
    if (page->curves != NULL)
        ht_tones_from_curve(samples, page->curves[ink], page->width, tone,
                            level);
    else
        ht_tones_from_samples(samples, page->bits, page->width, tone, level);
}

/* Returns the ranks of the row for a method that has any, else NULL. */
static const int16_t *ranks_of_row(const ht_engine_t *engine, uint32_t ink)
{
    const struct reference_engine *own = engine->own;
    uint64_t row = own->host.place.row - HT_PREROLL;

    if (engine->ranks == NULL)
        return NULL;
    return engine->ranks +
           (ink * HT_SCREEN_SIZE + row % HT_SCREEN_SIZE) * HT_SCREEN_SIZE;
}

/* Prints a row of an ink: samples [width] of it and, for methods that diffuse,
 * of the row below; dots [ht_row_bytes()]. */
static void print_ink(ht_engine_t *engine, uint32_t ink, const uint8_t *samples,
                      const uint8_t *next, uint8_t *dots)
{
    struct reference_engine *own = engine->own;
    struct ht_host *host = &own->host;
    const ht_page_t *page = &engine->page;
    int16_t *error = host->error + (size_t)ink * page->width;

    if (own->next != NULL) /* the tones are written over below */
        make_tones(page, ink, next, own->tone, own->next);
    make_tones(page, ink, samples, own->tone, own->level);
    if (!ht_info_of(page)->diffuses) {
        ht_method_of(page->method)
            ->print_row(page, own->tone, ranks_of_row(engine, ink), dots);
        return;
    }
    struct ht_row row = {.copy = ht_copy_of_ink(ink, page->inks),
                         .tone = own->tone,
                         .level = own->level,
                         .error = error,
                         .below = own->below,
                         .dots = dots,
                         .ink = ink,
                         .left_out =
                             ht_size_left_out(ink, page->inks, page->levels),
                         .next = own->next,
                         .aside = own->aside,
                         .took = own->took + (size_t)ink * page->width,
                         .inks = own->meet ? &own->inks : NULL};
    ht_diffuse_row(&host->scan, &host->place, &row);
    memcpy(error, own->below, page->width * sizeof *error);
}

/* Prints a row of all inks: samples [inks][width] of it and, for methods that
 * diffuse, of the row below. */
static void print_row(ht_engine_t *engine, const uint8_t *samples,
                      const uint8_t *next)
{
    struct reference_engine *own = engine->own;
    struct ht_host *host = &own->host;
    const ht_page_t *page = &engine->page;
    size_t plane = (size_t)page->width * (page->bits / 8);
    uint8_t *dots = ht_host_add_row(host, host->place.row);

    if (own->meet)
        ht_together_begin(&own->inks);
    for (uint32_t ink = 0; ink < page->inks; ink++)
        print_ink(engine, ink, samples + ink * plane, next + ink * plane,
                  dots + ink * ht_row_bytes(page));
    if (own->meet)
        ht_together_end(&own->inks);
    ht_place_next(&host->scan, &host->place);
}

/* Prints the first rows that wait, as many as `printed`, which have `below`
 * below them. */
static void print_waiting(ht_engine_t *engine, size_t printed,
                          const uint8_t *below)
{
    struct reference_engine *own = engine->own;
    const size_t bytes = row_bytes(&engine->page);

    for (size_t row = 0; row < printed; row++)
        print_row(engine, own->kept + row * bytes,
                  row + 1 < printed ? own->kept + (row + 1) * bytes : below);
}

/* Keeps a row, and prints the swath that it is below. */
static void keep_row(ht_engine_t *engine, const uint8_t *samples)
{
    struct reference_engine *own = engine->own;
    const size_t bytes = row_bytes(&engine->page);

    if (own->wait == own->swath) {
        print_waiting(engine, own->wait, samples);
        own->wait = 0;
    }
    memcpy(own->kept + own->wait++ * bytes, samples, bytes);
}

static ht_status_t reference_submit(ht_engine_t *engine, const void *tones,
                                    const uint16_t *inked, size_t rows)
{
    struct reference_engine *own = engine->own;
    const ht_page_t *page = &engine->page;
    const uint8_t *samples = tones;

    (void)inked;
    while (own->host.place.row < HT_PREROLL)
        print_row(engine, samples, samples);
    for (size_t row = 0; row < rows; row++, samples += row_bytes(page))
        if (own->kept != NULL)
            keep_row(engine, samples);
        else
            print_row(engine, samples, samples);
    return HT_OK;
}

/* Prints the last row as if another one like it were below. */
static ht_status_t reference_end(ht_engine_t *engine)
{
    struct reference_engine *own = engine->own;

    if (own->wait > 0)
        print_waiting(engine, own->wait,
                      own->kept + (own->wait - 1) * row_bytes(&engine->page));
    own->wait = 0;
    return HT_OK;
}

const struct ht_engine_ops ht_reference_engine = {
    .name = "reference",
    .levels = HT_MAX_LEVELS,
    .available = available,
    .open = reference_open,
    .submit = reference_submit,
    .end = reference_end,
    .ready = ht_host_ready,
    .collect = ht_host_collect,
    .take_state = ht_host_take_state,
    .give_state = ht_host_give_state,
    .close = reference_close,
};
