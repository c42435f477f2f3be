/*
 * blank.c - strips with nothing but white and solid.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <string.h>

#include "halftone/tdfed/blank.h"
#include "halftone/tdfed/marks.h"

/* ---- Errors -------------------------------------------------------------- */

bool ht_tdfed_no_error(const int16_t *error, uint32_t count)
{
    uint64_t some[8], any = 0;

    for (; count >= 32; count -= 32, error += 32) {
        memcpy(some, error, sizeof some);
        for (unsigned i = 0; i < 8; i++)
            any |= some[i];
        if (any != 0)
            return false;
    }
    for (; count > 0; count--)
        any |= (uint16_t)*error++;
    return any == 0;
}

/* ---- The row below ------------------------------------------------------- */

/* Gives noise to the tints that begin in the row below a swath, whose last row
 * is white and solid. Says whether there are any. */
static bool begin_tints(const struct ht_tdfed_page *page,
                        const struct ht_tdfed_segment *segment, uint32_t ink)
{
    const struct ht_tdfed_swath *swath = segment->swath;
    const uint8_t *below = ht_tdfed_samples(page, swath, swath->rows, ink);
    const uint64_t *marks =
        ht_tdfed_line_of(page, swath, ink, HT_TDFED_HAS_TONED_BELOW);
    int16_t *error = page->error + (size_t)ink * page->width;
    uint32_t line = ht_noise_line(swath->row + swath->rows - 1, ink);

    if (!ht_tdfed_marked(marks, segment->begin, segment->end))
        return false;
    for (uint32_t x = segment->begin; x < segment->end; x++)
        if ((marks[x / 64] >> x % 64 & 1) != 0)
            error[x] = (int16_t)ht_weighted(
                ht_noise(line, x),
                page->lookup[ink].noise[ht_tdfed_level_at(page, below, x)]);
    return true;
}

/* ---- Inks -----------------------------------------------------------------
 */

enum content {
    NOTHING = 0,
    SOLID = 1, /* some pixels */
    TONES = 2  /* or errors */
};

static bool has(const struct ht_tdfed_page *page,
                const struct ht_tdfed_segment *segment, uint32_t ink,
                enum ht_tdfed_mark mark)
{
    return ht_tdfed_marked(ht_tdfed_line_of(page, segment->swath, ink, mark),
                           segment->begin, segment->end);
}

/* Finds what an ink has in a segment. */
static enum content content_of(const struct ht_tdfed_page *page,
                               const struct ht_tdfed_segment *segment,
                               uint32_t ink)
{
    const int16_t *error =
        page->error + (size_t)ink * page->width + segment->begin;

    if ((segment->inherits >> ink & 1) != 0 &&
        !ht_tdfed_no_error(error, segment->end - segment->begin))
        return TONES;
    if ((segment->swath->inks >> ink & 1) == 0)
        return NOTHING;
    if (has(page, segment, ink, HT_TDFED_HAS_TONED))
        return TONES;
    return has(page, segment, ink, HT_TDFED_HAS_SOLID) ? SOLID : NOTHING;
}

/* Says whether an ink may have white or solid pixels in a segment, also in the
 * row below. */
static bool is_forced(const struct ht_tdfed_page *page,
                      const struct ht_tdfed_segment *segment, uint32_t ink)
{
    return (segment->swath->whole >> ink & 1) == 0 ||
           has(page, segment, ink, HT_TDFED_HAS_FORCED);
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

/* Decides whether inks are diffused with their rules together: if several are
 * toned in a column, or the state above has company or light. Then solid inks
 * take part, too. Errors that other inks inherit are dropped. */
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

/* Fetches the samples of a segment's inks into the nearest cache. */
static void prefetch(const struct ht_tdfed_page *page,
                     const struct ht_tdfed_segment *segment)
{
    const struct ht_tdfed_swath *swath = segment->swath;
    const size_t line = 64, size = page->bits / 8;
    const size_t begin = segment->begin * size, end = segment->end * size;

    for (uint32_t left = segment->inks; left != 0; left &= left - 1) {
        const uint32_t ink = (uint32_t)__builtin_ctz(left);
        const uint32_t rows = swath->rows + (segment->forced >> ink & 1);

        for (uint32_t row = 0; row < rows; row++) {
            const uint8_t *samples = ht_tdfed_samples(page, swath, row, ink);

            for (size_t at = begin; at < end; at += line)
                __builtin_prefetch(samples + at);
        }
    }
}

void ht_tdfed_do_blank(const struct ht_tdfed_page *page,
                       struct ht_tdfed_segment *segment)
{
    const uint32_t some = segment->swath->inks;
    uint32_t solid = 0;

    segment->inks = segment->forced = segment->far = 0;
    for (uint32_t left = some | segment->inherits, bit; left != 0;
         left -= bit) {
        uint32_t ink = (uint32_t)__builtin_ctz(left);
        enum content content = content_of(page, segment, ink);

        bit = (uint32_t)1 << ink;
        if (content == SOLID)
            solid |= bit;
        if (content != TONES)
            continue;
        segment->inks |= bit;
        if (is_forced(page, segment, ink))
            segment->forced |= bit;
        else if (has(page, segment, ink, HT_TDFED_HAS_FAR))
            segment->far |= bit;
    }
    decide_together(page, segment, solid);
    prefetch(page, segment);
    segment->uneasy = segment->inks;
    for (uint32_t ink = 0; ink < page->inks; ink++)
        if (((some & ~segment->inks) >> ink & 1) != 0 &&
            begin_tints(page, segment, ink))
            segment->uneasy |= 1u << ink;
}
