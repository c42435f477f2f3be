/*
 * compare.c - the engine of the methods Threshold and Screen: compares samples,
 * whose tones rise with them, with the least ones that have a dot.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "halftone/engines.h"
#include "halftone/host.h"
#include "halftone/least.h"
#include "halftone/simd/dots.h"

struct compare {
    struct ht_host host;
    uint8_t *least; /* ht_find_least() */
};

static bool available(const ht_page_t *page)
{
    return page->method == HT_THRESHOLD || page->method == HT_SCREEN;
}

static void compare_close(ht_engine_t *engine)
{
    struct compare *own = engine->own;

    if (own == NULL)
        return;
    ht_host_free(&own->host);
    free(own->least);
    free(own);
    engine->own = NULL;
}

/* Flips the top bits of `bytes` samples of 8 bits or 16. */
static void flip(uint8_t *samples, size_t bytes, uint32_t bits)
{
    for (size_t i = 0; i < bytes / (bits / 8); i++)
        if (bits == 8)
            samples[i] ^= 0x80;
        else
            ((uint16_t *)(void *)samples)[i] ^= 0x8000;
}

static ht_status_t compare_open(ht_engine_t *engine)
{
    const ht_page_t *page = &engine->page;
    struct compare *own = engine->own = calloc(1, sizeof *own);

    if (own == NULL)
        return HT_ERR_MEMORY;
    own->least = calloc(1, ht_least_bytes(page));
    if (own->least == NULL)
        return HT_ERR_MEMORY;
    ht_find_least(page, engine->ranks, own->least);
    if (page->levels > 2)
        flip(own->least, ht_least_bytes(page), page->bits);
    ht_status_t status = ht_host_init(&own->host, engine, 0);
    own->host.place.row = HT_PREROLL; /* no row inherits anything */
    return status;
}

/* ---- A row of an ink --------------------------------------------------- */

/* Says which of 16 samples have a dot, the first in the lowest bit. */
static inline uint64_t dots_of_16(const uint8_t *samples, const uint8_t *least,
                                  uint32_t bits)
{
    ht_bytes v, limit;
    ht_words a, b, limit_a, limit_b;

    if (bits == 8) {
        memcpy(&v, samples, sizeof v);
        memcpy(&limit, least, sizeof limit);
        return ht_top_bits((ht_bytes)(v >= limit));
    }
    memcpy(&a, samples, sizeof a);
    memcpy(&b, samples + sizeof a, sizeof b);
    memcpy(&limit_a, least, sizeof limit_a);
    memcpy(&limit_b, least + sizeof limit_a, sizeof limit_b);
    return ht_top_bits(
        ht_join_masks((ht_words)(a >= limit_a), (ht_words)(b >= limit_b)));
}

static inline uint64_t dots_of_64(const uint8_t *samples, const uint8_t *least,
                                  uint32_t bits)
{
    uint64_t dots = 0;

    for (unsigned i = 0; i < 4; i++) {
        size_t at = 16 * i * (bits / 8);

        dots |= dots_of_16(samples + at, least + at, bits) << 16 * i;
    }
    return ht_mirrored(dots);
}

/* Samples [width] become dots [(width+7)/8]. */
static inline __attribute__((always_inline)) void
print_row(const uint8_t *samples, const uint8_t *least, uint32_t bits,
          uint32_t width, uint8_t *dots)
{
    uint8_t rest[64 * sizeof(uint16_t)] = {0}, last[8];
    uint32_t x = 0;

    for (; x + 64 <= width; x += 64, dots += 8)
        ht_dots_to_bytes(
            dots, dots_of_64(samples + x * (bits / 8),
                             least + x % HT_SCREEN_SIZE * (bits / 8), bits));
    memcpy(rest, samples + x * (bits / 8), (width - x) * (bits / 8));
    ht_dots_to_bytes(
        last, dots_of_64(rest, least + x % HT_SCREEN_SIZE * (bits / 8), bits));
    memcpy(dots, last, (width - x + 7) / 8);
}

/* ---- A row of several sizes --------------------------------------------- */

/* Least samples that rows are compared with, as signed numbers, since one
 * instruction compares these. */
struct limits {
    const uint8_t *least; /* of the smallest size, in column 0, flipped */
    size_t of_size;       /* bytes from a size's to the next one's */
    uint32_t sizes;       /* 2 to 5 */
    uint32_t bits;
};

typedef int8_t signed_bytes __attribute__((vector_size(16)));
typedef int16_t signed_words __attribute__((vector_size(16)));

/* Returns the sizes of 16 samples that lie `at` bytes behind column 0 of the
 * limits: how many of these they reach. */
static inline __attribute__((always_inline)) ht_bytes
sizes_of_16(const uint8_t *samples, const struct limits *limits, size_t at)
{
    const uint8_t *least = limits->least + at;
    ht_bytes v, limit, size = (ht_bytes){0} + (uint8_t)limits->sizes;
    ht_words a, b, limit_a, limit_b;

    if (limits->bits == 8) {
        memcpy(&v, samples, sizeof v);
        v ^= 0x80;
#pragma GCC unroll 5
        for (uint32_t i = 0; i < limits->sizes; i++) {
            memcpy(&limit, least + i * limits->of_size, sizeof limit);
            size += (ht_bytes)((signed_bytes)limit > (signed_bytes)v);
        }
        return size;
    }
    memcpy(&a, samples, sizeof a);
    memcpy(&b, samples + sizeof a, sizeof b);
    a ^= 0x8000;
    b ^= 0x8000;
#pragma GCC unroll 5
    for (uint32_t i = 0; i < limits->sizes; i++) {
        memcpy(&limit_a, least + i * limits->of_size, sizeof limit_a);
        memcpy(&limit_b, least + i * limits->of_size + sizeof a, sizeof b);
        size +=
            ht_join_masks((ht_words)((signed_words)limit_a > (signed_words)a),
                          (ht_words)((signed_words)limit_b > (signed_words)b));
    }
    return size;
}

/* Puts the sizes of 64 samples, the first in column x, into 16 bytes, or 24. */
static inline __attribute__((always_inline)) void
put_64(const uint8_t *samples, const struct limits *limits, uint32_t x,
       uint8_t *dots)
{
    const size_t bytes = limits->bits / 8, at = x % HT_SCREEN_SIZE * bytes;
    ht_bytes size[4], packed;

#pragma GCC unroll 4
    for (unsigned i = 0; i < 4; i++)
        size[i] =
            sizes_of_16(samples + 16 * i * bytes, limits, at + 16 * i * bytes);
    for (unsigned i = 0; limits->sizes > 3 && i < 4; i++) {
        uint64_t fours = 0;

        for (unsigned k = 0; k < 16; k++)
            fours = fours << 4 | size[i][k];
        ht_put_threes(dots + 6 * i, fours);
    }
    if (limits->sizes > 3)
        return;
    packed = ht_packed_pairs(size);
    memcpy(dots, &packed, sizeof packed);
}

/* Samples [width] become dots [ht_row_bytes()]. */
static inline __attribute__((always_inline)) void
print_sizes(const uint8_t *samples, const struct limits limits, uint32_t width,
            uint8_t *dots)
{
    uint8_t rest[64 * sizeof(uint16_t)] = {0}, last[24];
    const size_t bytes = limits.bits / 8, dot_bits = limits.sizes > 3 ? 3 : 2;
    uint32_t x = 0;

    for (; x + 64 <= width; x += 64, dots += 8 * dot_bits)
        put_64(samples + x * bytes, &limits, x, dots);
    memcpy(rest, samples + x * bytes, (width - x) * bytes);
    put_64(rest, &limits, x, last);
    memcpy(dots, last, ((width - x) * dot_bits + 7) / 8);
}

/* ---- Rows ---------------------------------------------------------------- */

/* Prints a row of an ink. */
static void print_ink(const ht_page_t *page, const uint8_t *samples,
                      const uint8_t *least, uint8_t *dots)
{
    const size_t of_size = ht_least_bytes_of_size(page);
    const uint32_t width = page->width;

#define SIZES(sizes, bits)                                                     \
    print_sizes(samples, (struct limits){least, of_size, sizes, bits}, width,  \
                dots)
    if (page->levels == 2 && page->bits == 8)
        print_row(samples, least, 8, width, dots);
    else if (page->levels == 2)
        print_row(samples, least, 16, width, dots);
    else if (page->levels == 3 && page->bits == 8)
        SIZES(2, 8);
    else if (page->levels == 3)
        SIZES(2, 16);
    else if (page->levels == 4 && page->bits == 8)
        SIZES(3, 8);
    else if (page->levels == 4)
        SIZES(3, 16);
    else
        SIZES(page->levels - 1, page->bits);
#undef SIZES
}

static ht_status_t compare_submit(ht_engine_t *engine, const void *tones,
                                  const uint16_t *inked, size_t rows)
{
    struct compare *own = engine->own;
    const ht_page_t *page = &engine->page;
    const uint8_t *samples = tones;
    struct ht_place *place = &own->host.place;
    size_t bytes = page->bits / 8;

    (void)inked;
    for (; rows > 0; rows--, ht_place_next(&own->host.scan, place)) {
        uint8_t *dots = ht_host_add_row(&own->host, place->row);
        const uint8_t *least = own->least + (place->row - HT_PREROLL) %
                                                HT_SCREEN_SIZE *
                                                HT_SCREEN_SIZE * bytes;

        for (uint32_t ink = 0; ink < page->inks; ink++) {
            print_ink(page, samples, least, dots);
            samples += page->width * bytes;
            least += HT_TILE_PIXELS * bytes;
            dots += ht_row_bytes(page);
        }
    }
    return HT_OK;
}

const struct ht_engine_ops ht_compare_engine = {
    .name = "cpu-plain",
    .levels = HT_MAX_LEVELS,
    .available = available,
    .open = compare_open,
    .close = compare_close,
    .submit = compare_submit,
    .ready = ht_host_ready,
    .collect = ht_host_collect,
    .take_state = ht_host_take_state,
    .give_state = ht_host_give_state,
};
