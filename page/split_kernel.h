/*
 * split_kernel.h - a line's samples, SPAN pixels at a time. Before it, `bytes`
 * is a vector, and these are functions of it: load(), any_bit(), and
 *
 *   void split_span(const uint8_t *from, uint8_t *const to[4], size_t at,
 *                   bytes any[4]);
 *
 * which takes SPAN pixels apart to to[channel] + at, and adds the bits of each
 * channel's samples to any[channel].
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <string.h>

static inline bool all_zero(const uint8_t *from)
{
    bytes some = {0};

    for (unsigned i = 0; i < 4 * SPAN; i += sizeof some)
        some |= load(from + i);
    return !any_bit(some);
}

/* Clears SPAN pixels of the channels that are not `zeros` already. */
static inline void clear_span(uint8_t *const to[4], size_t at, unsigned zeros)
{
    for (unsigned i = 0; i < 4; i++)
        if ((zeros >> i & 1) == 0)
            memset(to[i] + at, 0, SPAN);
}

static unsigned split_line(const uint8_t *from, uint32_t width,
                           uint8_t *const to[4], unsigned zeros)
{
    bytes any[4] = {{0}};
    uint8_t rest[4] = {0};
    unsigned inked = 0;
    uint32_t x = 0;

    for (; width - x >= SPAN; x += SPAN, from += 4 * SPAN) {
        if (zeros != 0 && all_zero(from))
            clear_span(to, x, zeros);
        else
            split_span(from, to, x, any);
    }
    for (; x < width; x++, from += 4)
        for (unsigned i = 0; i < 4; i++) {
            to[i][x] = from[i];
            rest[i] |= from[i];
        }
    for (unsigned i = 0; i < 4; i++)
        inked |= (any_bit(any[i]) || rest[i] != 0 ? 1u : 0u) << i;
    return inked;
}
