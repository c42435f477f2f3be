/*
 * black.c - what becomes black ink alone.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <string.h>

#include "page/black.h"
#include "page/bytes.h"

/* In 1/255. */
#define BLACK_REACH 16u /* from black: no black any more */
#define TEXT_REACH 40u  /* the same of runs, which are text */
#define TEXT_LEAST 219u /* 86 %: the same where K is the only ink */
#define EDGE 64u        /* how much lighter it is on both sides of a run */

void black_init(struct black *b, const uint8_t kcmy[4], uint32_t inks,
                uint32_t width, uint32_t bits)
{
    unsigned shift = bits - 8;

    *b = (struct black){.inks = inks, .width = width, .bits = bits};
    for (uint32_t k = 0; k < 4; k++)
        b->level[k] = (uint16_t)(kcmy[k] << shift);
    b->span = (uint16_t)((1u << shift) - 1);
}

/* ---- Pixels near black ------------------------------------------------- */

/* The next functions are for rows of 8 and of 16 bits; callers give `bits` as a
 * constant, so that the compiler makes one of each. */
static inline uint32_t sample(const void *plane, uint32_t bits, size_t x)
{
    return bits == 8 ? ((const uint8_t *)plane)[x]
                     : ((const uint16_t *)plane)[x];
}

static inline void set_sample(void *plane, uint32_t bits, size_t x, uint32_t v)
{
    if (bits == 8)
        ((uint8_t *)plane)[x] = (uint8_t)v;
    else
        ((uint16_t *)plane)[x] = (uint16_t)v;
}

/* Returns how far a sample of ink k is from black. */
static inline uint32_t from_black(const struct black *b, size_t k, uint32_t v)
{
    uint32_t least = b->level[k], most = least + b->span;

    return v < least ? least - v : v > most ? v - most : 0;
}

/* Draws the row's pixels first..end-1 towards black; whether any changed. */
static inline bool blacken(const struct black *b, void *row, uint32_t bits,
                           size_t first, size_t end)
{
    const uint32_t full = bits == 8 ? UINT8_MAX : UINT16_MAX;
    const uint32_t unit = full / UINT8_MAX, reach = BLACK_REACH * unit;
    const uint32_t range = reach - unit;
    bool any = false;

    for (size_t x = first; x < end; x++) {
        uint32_t d = 0;

        for (size_t k = 0; k < 4 && d < reach; k++) {
            uint32_t v = sample(row, bits, k * b->width + x);
            uint32_t off = from_black(b, k, v);

            d = off > d ? off : d;
        }
        if (d >= reach)
            continue;
        any = true;
        for (size_t k = 0; k < 4; k++) {
            size_t at = k * b->width + x;
            uint32_t v = k == 0 ? full : 0;

            if (d > unit)
                v = ((d - unit) * sample(row, bits, at) + (reach - d) * v +
                     range / 2) /
                    range;
            set_sample(row, bits, at, v);
        }
    }
    return any;
}

typedef uint16_t words __attribute__((vector_size(16)));
#define WORDS 8u

/* All ones where a sample is at most `most` away from `middle`. */
static inline bytes near(bytes v, unsigned middle, unsigned most)
{
    uint8_t low = (uint8_t)(middle < most ? 0 : middle - most);
    uint8_t high =
        (uint8_t)(middle + most > UINT8_MAX ? UINT8_MAX : middle + most);

    return (bytes)(v - low <= (uint8_t)(high - low));
}

/* Does blacken() for sizeof(bytes) pixels from `x`. Nearly all are either black
 * to the last bit or far from it. */
static inline bool blacken_bytes(const struct black *b, uint8_t *row, size_t x)
{
    bytes close = near(load(row + x), b->level[0], BLACK_REACH - 1);
    bytes black = ~(bytes){0};

    if (!any_bit(close))
        return false;
    for (size_t k = 0; k < 4; k++) {
        bytes v = load(row + k * b->width + x);

        close &= near(v, b->level[k], BLACK_REACH - 1);
        black &= near(v, b->level[k], 1);
    }
    if (any_bit(close ^ black))
        return blacken(b, row, 8, x, x + sizeof black);
    for (size_t k = 0; k < 4; k++) {
        bytes v = load(row + k * b->width + x);

        v = k == 0 ? v | black : v & ~black;
        memcpy(row + k * b->width + x, &v, sizeof v);
    }
    return any_bit(black);
}

/* Does blacken() for WORDS pixels from `x`, if there may be black. */
static inline bool blacken_words(const struct black *b, uint16_t *row, size_t x)
{
    const unsigned reach = BLACK_REACH * (UINT16_MAX / UINT8_MAX);
    unsigned k = b->level[0], most = k + b->span + reach;
    unsigned low = k < reach ? 0 : k - reach;
    unsigned high = most > UINT16_MAX ? UINT16_MAX : most;
    words v;

    memcpy(&v, row + x, sizeof v);
    return any_bit((bytes)(v - (uint16_t)low <= (uint16_t)(high - low))) &&
           blacken(b, row, 16, x, x + WORDS);
}

static bool blacken_row(const struct black *b, void *row)
{
    size_t x = 0;
    bool any = false;

    if (b->bits == 16) {
        for (; x + WORDS <= b->width; x += WORDS)
            any |= blacken_words(b, row, x);
        return blacken(b, row, 16, x, b->width) || any;
    }
    for (; x + sizeof(bytes) <= b->width; x += sizeof(bytes))
        any |= blacken_bytes(b, row, x);
    return blacken(b, row, 8, x, b->width) || any;
}

/* ---- Runs, which are text ----------------------------------------------- */

static inline bool is_candidate(const struct black *b, const void *row,
                                uint32_t bits, size_t x)
{
    const uint32_t unit = (bits == 8 ? UINT8_MAX : UINT16_MAX) / UINT8_MAX;
    const uint32_t v = sample(row, bits, x);

    if (b->inks == 1)
        return v >= TEXT_LEAST * unit && v < UINT8_MAX * unit;
    for (size_t k = 0; k < 4; k++)
        if (from_black(b, k, sample(row, bits, k * b->width + x)) >
            TEXT_REACH * unit)
            return false;
    return true;
}

static inline bool is_same(const struct black *b, const void *row,
                           uint32_t bits, size_t x, size_t y)
{
    for (size_t k = 0; k < b->inks; k++)
        if (sample(row, bits, k * b->width + x) !=
            sample(row, bits, k * b->width + y))
            return false;
    return true;
}

/* Whether the sample of K at `x` is much lighter than that at `y`. */
static inline bool is_lighter(const void *row, uint32_t bits, size_t x,
                              size_t y)
{
    const uint32_t unit = (bits == 8 ? UINT8_MAX : UINT16_MAX) / UINT8_MAX;

    return sample(row, bits, x) + EDGE * unit <= sample(row, bits, y);
}

/* Makes the run that begins at `x` black, if it is one of text; where it ends.
 */
static inline size_t take_run(const struct black *b, void *row, uint32_t bits,
                              size_t x, bool *any)
{
    const uint32_t full = bits == 8 ? UINT8_MAX : UINT16_MAX;
    size_t end = x + 1;

    if (!is_candidate(b, row, bits, x))
        return end;
    while (end < b->width && is_same(b, row, bits, x, end))
        end++;
    if ((x > 0 && !is_lighter(row, bits, x - 1, x)) ||
        (end < b->width && !is_lighter(row, bits, end, x)))
        return end;
    *any = true;
    for (size_t k = 0; k < b->inks; k++)
        for (size_t i = x; i < end; i++)
            set_sample(row, bits, k * b->width + i, k == 0 ? full : 0);
    return end;
}

/* Whether there may be a candidate in the BYTES pixels from `x`. */
static inline bool may_have_text(const struct black *b, const uint8_t *row,
                                 size_t x)
{
    bytes k = load(row + x);

    if (b->inks == 1)
        return any_bit((bytes)(k - (uint8_t)TEXT_LEAST <
                               (uint8_t)(UINT8_MAX - TEXT_LEAST)));
    return any_bit(near(k, b->level[0], TEXT_REACH));
}

static bool take_text(const struct black *b, void *row)
{
    bool any = false;
    size_t x = 0;

    while (x < b->width)
        if (b->bits == 16)
            x = take_run(b, row, 16, x, &any);
        else if (x + BYTES <= b->width && !may_have_text(b, row, x))
            x += BYTES;
        else
            x = take_run(b, row, 8, x, &any);
    return any;
}

bool black_row(const struct black *b, void *row)
{
    bool text = take_text(b, row);

    return (b->inks == 4 && blacken_row(b, row)) || text;
}
