/*
 * threshold.c - the engine of the method Threshold: compares samples, whose
 * tones rise with them, with the least one that has a dot.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "halftone/definition.h"
#include "halftone/engines.h"
#include "halftone/host.h"
#include "halftone/simd/dots.h"

struct threshold {
    struct ht_host host;
    uint32_t least[HT_MAX_INKS]; /* sample of each ink that has a dot */
};

static bool available(const ht_page_t *page)
{
    return page->method == HT_THRESHOLD;
}

static void threshold_close(ht_engine_t *engine)
{
    struct threshold *own = engine->own;

    if (own == NULL)
        return;
    ht_host_free(&own->host);
    free(own);
    engine->own = NULL;
}

static int tone_of(const ht_page_t *page, uint32_t ink, uint32_t sample)
{
    if (page->curves != NULL)
        return ht_tone_of(page->curves[ink][sample], UINT16_MAX);
    return ht_tone_of(sample, page->bits == 8 ? UINT8_MAX : UINT16_MAX);
}

/* Solid ink always has a dot. */
static uint32_t least_sample(const ht_page_t *page, uint32_t ink)
{
    uint32_t sample = 0;

    while (tone_of(page, ink, sample) < HT_ONE / 2)
        sample++;
    return sample;
}

static ht_status_t threshold_open(ht_engine_t *engine)
{
    struct threshold *own = engine->own = calloc(1, sizeof *own);

    if (own == NULL)
        return HT_ERR_MEMORY;
    for (uint32_t ink = 0; ink < engine->page.inks; ink++)
        own->least[ink] = least_sample(&engine->page, ink);
    ht_status_t status = ht_host_init(&own->host, engine, 0);
    own->host.place.row = HT_PREROLL; /* no row inherits anything */
    return status;
}

/* ---- A row of an ink --------------------------------------------------- */

/* Says which of 16 samples have a dot, the first in the lowest bit. */
static inline uint64_t dots_of_16(const uint8_t *samples, uint32_t bits,
                                  uint32_t least)
{
    ht_bytes v;
    ht_words a, b;

    if (bits == 8) {
        memcpy(&v, samples, sizeof v);
        return ht_top_bits((ht_bytes)(v >= (uint8_t)least));
    }
    memcpy(&a, samples, sizeof a);
    memcpy(&b, samples + sizeof a, sizeof b);
    return ht_top_bits(ht_join_masks((ht_words)(a >= (uint16_t)least),
                                     (ht_words)(b >= (uint16_t)least)));
}

static inline uint64_t dots_of_64(const uint8_t *samples, uint32_t bits,
                                  uint32_t least)
{
    uint64_t dots = 0;

    for (unsigned i = 0; i < 4; i++)
        dots |= dots_of_16(samples + i * 16 * (bits / 8), bits, least)
                << 16 * i;
    return ht_mirrored(dots);
}

/* Samples [width] become dots [(width+7)/8]. */
static inline __attribute__((always_inline)) void
print_row(const uint8_t *samples, uint32_t bits, uint32_t least, uint32_t width,
          uint8_t *dots)
{
    uint8_t rest[64 * sizeof(uint16_t)] = {0}, last[8];
    uint32_t x = 0;

    for (; x + 64 <= width; x += 64, dots += 8)
        ht_dots_to_bytes(dots,
                         dots_of_64(samples + x * (bits / 8), bits, least));
    memcpy(rest, samples + x * (bits / 8), (width - x) * (bits / 8));
    ht_dots_to_bytes(last, dots_of_64(rest, bits, least));
    memcpy(dots, last, (width - x + 7) / 8);
}

static ht_status_t threshold_submit(ht_engine_t *engine, const void *tones,
                                    const uint16_t *inked, size_t rows)
{
    struct threshold *own = engine->own;
    const ht_page_t *page = &engine->page;
    const uint8_t *samples = tones;
    struct ht_place *place = &own->host.place;

    (void)inked;
    for (; rows > 0; rows--, ht_place_next(&own->host.scan, place)) {
        uint8_t *dots = ht_host_add_row(&own->host, place->row);

        for (uint32_t ink = 0; ink < page->inks; ink++) {
            if (page->bits == 8)
                print_row(samples, 8, own->least[ink], page->width, dots);
            else
                print_row(samples, 16, own->least[ink], page->width, dots);
            samples += (size_t)page->width * (page->bits / 8);
            dots += ((size_t)page->width + 7) / 8;
        }
    }
    return HT_OK;
}

const struct ht_engine_ops ht_threshold_engine = {
    .name = "cpu-plain",
    .available = available,
    .open = threshold_open,
    .close = threshold_close,
    .submit = threshold_submit,
    .ready = ht_host_ready,
    .collect = ht_host_collect,
    .take_state = ht_host_take_state,
    .give_state = ht_host_give_state,
};
