/*
 * blank.c - strips with nothing but white and solid.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <string.h>

#include "halftone/simd/dots.h"
#include "halftone/tdfed/blank.h"

/* ---- Samples and errors ------------------------------------------------- */

/* The bits that any of some samples has, and that any sample plus 1 has: white
 * and solid plus 1 are 1 and 0. */
struct look {
    ht_bytes any, next;
};

static inline bool any_bit(ht_bytes v)
{
    uint64_t half[2];

    memcpy(half, &v, sizeof half);
    return (half[0] | half[1]) != 0;
}

/* Adds 16 bytes of samples of `bits`. */
static inline void look_at(struct look *look, const void *samples,
                           uint32_t bits)
{
    ht_bytes v;

    memcpy(&v, samples, sizeof v);
    look->any |= v;
    look->next |= bits == 8 ? v + 1 : (ht_bytes)((ht_words)v + 1);
}

static inline bool extreme(const struct look *look, uint32_t bits)
{
    return !any_bit(bits == 8 ? look->next & 0xfe
                              : (ht_bytes)((ht_words)look->next & 0xfffe));
}

#define AHEAD 256 /* bytes: where the next segment will look */

/* Says whether every sample of `size` bytes is white or solid, and sets `*some`
 * if one is solid. Mostly the first few already say no. */
static inline __attribute__((always_inline)) bool
only_extremes(const uint8_t *samples, size_t size, uint32_t bits, bool *some)
{
    uint8_t rest[16] = {0};
    struct look look = {{0}, {0}};

    for (; size >= 64; size -= 64, samples += 64) {
        __builtin_prefetch(samples + AHEAD);
        for (unsigned i = 0; i < 64; i += 16)
            look_at(&look, samples + i, bits);
        if (!extreme(&look, bits))
            return false;
    }
    for (; size >= 16; size -= 16, samples += 16)
        look_at(&look, samples, bits);
    memcpy(rest, samples, size);
    look_at(&look, rest, bits);
    *some |= any_bit(look.any);
    return extreme(&look, bits);
}

bool ht_tdfed_no_error(const int16_t *error, uint32_t count)
{
    struct look look = {{0}, {0}};

    for (; count >= 32; count -= 32, error += 32) {
        for (unsigned i = 0; i < 32; i += 8)
            look_at(&look, error + i, 16);
        if (any_bit(look.any))
            return false;
    }
    for (; count > 0; count--, error++)
        if (*error != 0)
            return false;
    return true;
}

/* ---- Dots ---------------------------------------------------------------- */

/* Says which of 16 samples, each white or solid, are solid: the leftmost in the
 * lowest bit. */
static inline uint64_t solid_16(const uint8_t *samples, uint32_t bits)
{
    ht_bytes v;
    ht_words first, second;

    if (bits == 8) {
        memcpy(&v, samples, sizeof v);
        return ht_top_bits(v);
    }
    memcpy(&first, samples, sizeof first);
    memcpy(&second, samples + sizeof first, sizeof second);
    return ht_top_bits(ht_join_masks(first, second));
}

/* Returns the dots of 64 samples, each white or solid. */
static inline uint64_t solid_64(const uint8_t *samples, uint32_t bits)
{
    const size_t size = 16 * (bits / 8);

    return ht_mirrored(solid_16(samples, bits) |
                       solid_16(samples + size, bits) << 16 |
                       solid_16(samples + 2 * size, bits) << 32 |
                       solid_16(samples + 3 * size, bits) << 48);
}

/* Fills a line whose samples are all white or solid; may read samples of the
 * row beside them. */
static inline __attribute__((always_inline)) void
fill_line(struct ht_tdfed_line *line, const uint8_t *samples, uint32_t bits,
          uint32_t width)
{
    uint32_t x = line->begin / 64 * 64;
    uint8_t *to = line->byte, rest[64 * 2] = {0};

    for (; x < line->end && x + 64 <= width; x += 64, to += 8)
        ht_dots_to_bytes(to, solid_64(samples + x * (bits / 8), bits));
    if (x < line->end) {
        memcpy(rest, samples + x * (bits / 8), (width - x) * (bits / 8));
        ht_dots_to_bytes(to, solid_64(rest, bits));
    }
}

void ht_tdfed_fill_line(const struct ht_tdfed_page *page,
                        struct ht_tdfed_line *line, const uint8_t *samples)
{
    fill_line(line, samples, 8, page->width);
}

/* Puts the dots of a segment whose samples are all white or solid. */
static void put_solid(const struct ht_tdfed_page *page,
                      struct ht_tdfed_segment *segment, uint32_t row,
                      uint32_t ink)
{
    const uint32_t at_once = 256;
    const uint8_t *samples = ht_tdfed_samples(page, segment->swath, row, ink);
    struct ht_tdfed_line line = {.end = segment->begin};

    while (line.end < segment->end) {
        line.begin = line.end;
        line.end = line.begin / at_once * at_once + at_once;
        line.end = line.end < segment->end ? line.end : segment->end;
        if (page->bits == 8)
            fill_line(&line, samples, 8, page->width);
        else
            fill_line(&line, samples, 16, page->width);
        ht_tdfed_put_line(page, segment, row, ink, &line);
    }
}

/* ---- What comes below ---------------------------------------------------- */

static uint32_t level_at(const struct ht_tdfed_page *page,
                         const uint8_t *samples, uint32_t x)
{
    uint16_t sample;

    if (page->bits == 8)
        return samples[x];
    memcpy(&sample, samples + 2 * x, sizeof sample);
    return (uint32_t)ht_level_of(sample);
}

/* Gives noise to the tints that begin in the row below a swath, whose last row
 * is white and solid. Says whether there are any. */
static bool begin_tints(const struct ht_tdfed_page *page,
                        const struct ht_tdfed_segment *segment, uint32_t ink)
{
    const struct ht_tdfed_swath *swath = segment->swath;
    const uint8_t *below = ht_tdfed_samples(page, swath, swath->rows, ink);
    size_t size = page->bits / 8;
    int16_t *error = page->error + (size_t)ink * page->width;
    uint32_t line = ht_noise_line(swath->row + swath->rows - 1, ink);
    bool some = false;

    if (only_extremes(below + segment->begin * size,
                      (segment->end - segment->begin) * size, page->bits,
                      &some))
        return false;
    for (uint32_t x = segment->begin; x < segment->end; x++) {
        uint32_t level = level_at(page, below, x);

        if (ht_toned((uint8_t)level))
            error[x] = (int16_t)ht_weighted(ht_noise(line, x),
                                            page->lookup[ink].noise[level]);
    }
    return true;
}

/* ---- Inks -----------------------------------------------------------------
 */

enum content {
    NOTHING = 0,
    SOLID = 1,  /* some pixels */
    ERRORS = 2, /* that the tints below begin with */
    TONES = 4
};

/* Finds what an ink has in a segment; puts its dots unless there are tones. */
static unsigned look_at_ink(const struct ht_tdfed_page *page,
                            struct ht_tdfed_segment *segment, uint32_t ink)
{
    const struct ht_tdfed_swath *swath = segment->swath;
    uint32_t begin = segment->begin, end = segment->end;
    size_t size = page->bits / 8;
    bool some = false;

    if (!ht_tdfed_no_error(page->error + (size_t)ink * page->width + begin,
                           end - begin))
        return TONES;
    if ((swath->inks >> ink & 1) == 0)
        return NOTHING;
    for (uint32_t row = 0; row < swath->rows; row++) {
        const uint8_t *samples = ht_tdfed_samples(page, swath, row, ink);

        samples += begin * size;
        if (!(page->bits == 8
                  ? only_extremes(samples, end - begin, 8, &some)
                  : only_extremes(samples, (end - begin) * size, 16, &some)))
            return TONES;
    }
    for (uint32_t row = 0; some && row < swath->rows; row++)
        if (swath->dots[row] != NULL)
            put_solid(page, segment, row, ink);
    return some ? SOLID : NOTHING;
}

/* Says whether any of `count` 16-bit samples is white or solid. */
static bool any_extreme(const uint8_t *samples, uint32_t count)
{
    ht_words found = {0}, v;

    for (; count >= 8; count -= 8, samples += sizeof v) {
        memcpy(&v, samples, sizeof v);
        found |= (ht_words)((v == 0) | (v == UINT16_MAX));
    }
    v = (ht_words){0} + 1;
    memcpy(&v, samples, count * sizeof(uint16_t));
    found |= (ht_words)((v == 0) | (v == UINT16_MAX));
    return any_bit((ht_bytes)found);
}

/* Says which pixels an ink has in the rows of a segment and in the row below.
 */
static enum ht_tdfed_content pixels_of(const struct ht_tdfed_page *page,
                                       const struct ht_tdfed_segment *segment,
                                       uint32_t ink)
{
    const struct ht_tdfed_swath *swath = segment->swath;
    const uint32_t count = segment->end - segment->begin;
    const size_t at = (size_t)ink * page->width + segment->begin;
    bool any = false;

    if (page->bits == 8)
        return page->kernel->look(swath->samples, swath->rows + 1, at, count,
                                  page->lookup[ink].near_extremity);
    for (uint32_t row = 0; row <= swath->rows; row++)
        any = any || any_extreme(swath->samples[row] + 2 * at, count);
    return any ? HT_TDFED_KEPT : HT_TDFED_FAR_TOO;
}

/* ---- Inks together --------------------------------------------------------
 */

/* Drops the company that inks inherit in a segment, other than `inks`. */
static void drop_company(const struct ht_tdfed_page *page,
                         const struct ht_tdfed_segment *segment, uint32_t inks)
{
    uint32_t begin = segment->begin, count = segment->end - segment->begin;

    for (uint32_t ink = 1; ink < page->inks; ink++)
        if ((inks >> ink & 1) == 0)
            memset(ht_tdfed_company(page, ink) + begin, 0,
                   count * sizeof *page->company);
}

static void drop_light(const struct ht_tdfed_page *page,
                       const struct ht_tdfed_segment *segment)
{
    memset(page->light + segment->begin, 0,
           (segment->end - segment->begin) * sizeof *page->light);
}

/* Says whether a segment's only ink that is not blank inherits company or
 * light. */
static bool has_company(const struct ht_tdfed_page *page,
                        const struct ht_tdfed_segment *segment)
{
    uint32_t ink = (uint32_t)__builtin_ctz(segment->inks);
    uint32_t count = segment->end - segment->begin;

    return !ht_tdfed_no_error(page->light + segment->begin, count) ||
           (ink > 0 &&
            !ht_tdfed_no_error(ht_tdfed_company(page, ink) + segment->begin,
                               count));
}

/* Decides whether the inks run with their rules together: where several are
 * not blank, or one is that inherits company or light or has a solid ink before
 * it. Then solid ones run with them. What others inherit is dropped. */
static void decide_together(const struct ht_tdfed_page *page,
                            struct ht_tdfed_segment *segment, uint32_t solid)
{
    const uint32_t inks = segment->inks, first = inks & -inks;
    bool inherits = page->light != NULL && segment->together;

    segment->together = page->light != NULL && inks != 0 &&
                        (inks != first || (solid & (first - 1)) != 0 ||
                         (inherits && has_company(page, segment)));
    if (segment->together) {
        segment->inks |= solid;
        segment->forced |= solid;
    }
    if (inherits)
        drop_company(page, segment, segment->together ? segment->inks : 0);
    if (inherits && !segment->together)
        drop_light(page, segment);
}

void ht_tdfed_prefetch(const struct ht_tdfed_page *page,
                       const struct ht_tdfed_segment *segment)
{
    const struct ht_tdfed_swath *swath = segment->swath;
    const size_t line = 64, size = page->bits / 8;
    const size_t begin = segment->begin * size, end = segment->end * size;

    for (uint32_t ink = 0; ink < page->inks; ink++) {
        if (((swath->inks & ~segment->calm) >> ink & 1) == 0)
            continue;
        for (uint32_t row = 0; row <= swath->rows; row++) {
            const uint8_t *samples = ht_tdfed_samples(page, swath, row, ink);

            for (size_t at = begin; at < end; at += line)
                __builtin_prefetch(samples + at);
        }
    }
}

void ht_tdfed_do_blank(const struct ht_tdfed_page *page,
                       struct ht_tdfed_segment *segment)
{
    const uint32_t some = segment->swath->inks & ~segment->calm;
    uint32_t solid = 0;

    segment->inks = segment->forced = segment->far = 0;
    for (uint32_t ink = 0; ink < page->inks; ink++) {
        enum content content = (segment->calm >> ink & 1) != 0
                                   ? NOTHING
                                   : look_at_ink(page, segment, ink);
        uint32_t bit = 1u << ink;

        if (content == SOLID)
            solid |= bit;
        if (content != TONES)
            continue;
        segment->inks |= bit;
        enum ht_tdfed_content pixels = pixels_of(page, segment, ink);
        if (pixels == HT_TDFED_KEPT)
            segment->forced |= bit;
        if (pixels != HT_TDFED_NEAR)
            segment->far |= bit;
    }
    decide_together(page, segment, solid);
    segment->uneasy = segment->inks;
    for (uint32_t ink = 0; ink < page->inks; ink++)
        if (((some & ~segment->inks) >> ink & 1) != 0 &&
            begin_tints(page, segment, ink))
            segment->uneasy |= 1u << ink;
}
