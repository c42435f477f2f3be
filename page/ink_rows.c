/*
 * ink_rows.c - changes rows of samples to rows of ink.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <string.h>

#include "page/bytes.h"
#include "page/gray.h"
#include "page/ink.h"
#include "page/pixel_curve.h"

/* Looks samples up, backwards, as each becomes wider where it stands. Returns
 * whether some are not 0. */
static bool look_up_8(const uint16_t *table, const uint8_t *in, uint16_t *out,
                      uint32_t width)
{
    uint16_t all = 0;

    for (uint32_t x = width; x-- > 0;) {
        out[x] = table[in[x]];
        all |= out[x];
    }
    return all != 0;
}

static bool look_up_16(const uint16_t *table, const uint16_t *in, uint16_t *out,
                       uint32_t width)
{
    uint16_t all = 0;

    for (uint32_t x = 0; x < width; x++) {
        out[x] = table[in[x]];
        all |= out[x];
    }
    return all != 0;
}

/* Makes the inks that leave of those that come, the last one first: none is
 * made of one behind it. */
static uint16_t look_up(const struct ink *ink, void *row, uint16_t inked)
{
    const size_t width = ink->width;
    uint16_t now = 0;

    for (uint32_t k = ink->out_inks; k-- > 0;) {
        const unsigned from = ink->source[k];
        uint16_t *out = (uint16_t *)row + k * width;
        bool any = false;

        if (from == INK_NONE || (inked >> from & 1) == 0)
            memset(out, 0, width * sizeof *out);
        else if (ink->in_bits == 8)
            any = look_up_8(ink->table[k], (uint8_t *)row + from * width, out,
                            ink->width);
        else
            any = look_up_16(ink->table[k], (uint16_t *)row + from * width, out,
                             ink->width);
        now |= (uint16_t)((unsigned)any << k);
    }
    return now;
}

/* Looks ranks up, where samples stay as wide. Returns whether some are not 0.
 */
static bool look_up_rank(const uint8_t *rank, const uint8_t *in, uint8_t *out,
                         uint32_t width)
{
    uint8_t all = 0;

    for (uint32_t x = 0; x < width; x++) {
        out[x] = rank[in[x]];
        all |= out[x];
    }
    return all != 0;
}

/* look_up() of ranks, or without tables. */
static uint16_t spread(const struct ink *ink, uint8_t *row, uint16_t inked)
{
    const size_t plane = (size_t)ink->width * (ink->bits / 8);
    uint16_t now = 0;

    for (uint32_t k = ink->out_inks; k-- > 0;) {
        const unsigned from = ink->source[k];
        bool any = from != INK_NONE && (inked >> from & 1) != 0;

        if (!any)
            memset(row + k * plane, 0, plane);
        else if (ink->rank[k] != NULL)
            any = look_up_rank(ink->rank[k], row + from * plane,
                               row + k * plane, ink->width);
        else if (from != k)
            memmove(row + k * plane, row + from * plane, plane);
        now |= (uint16_t)((unsigned)any << k);
    }
    return now;
}

/* Lowers samples as lower() does tables. */
static void lower_row(const struct ink *ink, uint8_t *row, uint16_t inked)
{
    const uint32_t width = ink->width;

    inked &= ink->lowered;
    for (; inked != 0; inked >>= 1, row += width) {
        uint32_t x = 0;

        for (; inked % 2 != 0 && x + BYTES <= width; x += BYTES) {
            bytes v = load(row + x);

            v += (bytes)(v > 1);
            memcpy(row + x, &v, sizeof v);
        }
        for (; inked % 2 != 0 && x < width; x++)
            row[x] = (uint8_t)(row[x] - (row[x] > 1));
    }
}

static uint16_t scaled(uint16_t sample, uint32_t room, uint32_t sum)
{
    return (uint16_t)((uint64_t)sample * room / sum);
}

static void limit_row(const struct ink *ink, uint16_t *row)
{
    bool black = ink->inks == 4;
    uint16_t *c = row + (black ? ink->width : 0);
    uint16_t *m = c + ink->width, *y = m + ink->width;

    for (uint32_t x = 0; x < ink->width; x++) {
        uint32_t sum = (uint32_t)c[x] + m[x] + y[x];
        uint32_t k = black ? row[x] : 0;
        uint32_t room = ink->limit > k ? ink->limit - k : 0;

        if (sum <= room)
            continue;
        c[x] = scaled(c[x], room, sum);
        m[x] = scaled(m[x], room, sum);
        y[x] = scaled(y[x], room, sum);
    }
}

/* The inks that have samples other than 0. */
static uint16_t inks_in(const struct ink *ink, const void *row, uint32_t bits)
{
    size_t plane = (size_t)ink->width * (bits / 8);
    const uint8_t *from = row;
    uint16_t inked = 0;

    for (unsigned k = 0; k < ink->inks; k++, from += plane)
        if (from[0] != 0 || memcmp(from, from + 1, plane - 1) != 0)
            inked |= (uint16_t)(1u << k);
    return inked;
}

uint16_t ink_inked(const struct ink *ink, const void *row)
{
    return inks_in(ink, row, ink->in_bits);
}

uint16_t ink_gray(const struct ink *ink, void *row, uint16_t inked)
{
    if (ink->grays != NULL && (inked & 1) != 0)
        gray_row(ink->grays, row, ink->width, ink->in_bits);
    if (ink->mixed != NULL && (inked & 0xe) != 0 &&
        mixed_grays_row(ink->mixed, row, ink->width, ink->in_bits))
        return ink_inked(ink, row);
    return inked;
}

uint16_t ink_apply(const struct ink *ink, void *row, uint16_t inked)
{
    if (!ink->gray_first)
        inked = ink_gray(ink, row, inked);
    if (ink->pixels != NULL && inked != 0)
        pixel_curve_row(ink->pixels, row, ink->inks, ink->width, ink->in_bits);
    if (ink->lowered != 0)
        lower_row(ink, row, inked);
    if (ink->curved)
        return ink_moves(ink) ? spread(ink, row, inked) : inked;
    if (ink->table[0] != NULL || (ink_moves(ink) && !ink->cut))
        inked = look_up(ink, row, inked);
    if (ink->limit > 0 && ink->out_inks > ink->inks)
        shades_limit(ink->shades, ink->out_inks, ink->limit, row, ink->width);
    else if (ink->limit > 0)
        limit_row(ink, row);
    if (ink->cut && inked != 0) {
        two_level_row(&ink->two_level, row, ink->width, ink->bits);
        inked = inks_in(ink, row, ink->bits);
    }
    return ink->cut && ink_moves(ink) ? spread(ink, row, inked) : inked;
}
