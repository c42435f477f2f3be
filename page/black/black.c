/*
 * black.c - finds black, and prints it in black ink alone.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <string.h>

#include "page/black/black.h"
#include "page/bytes.h"

/* In 1/255. */
#define BLACK_REACH 16u /* from black: no black any more */
#define TEXT_REACH 40u  /* the same of text */
#define TEXT_LEAST 219u /* 86 %: the same where K is the only ink */
#define DARK_LEAST 156u /* 61 %: beside text it is lighter */
#define DARK_INKS 200u  /* the same of K and the mean of the other inks */

void black_init(struct black *b, const uint8_t kcmy[4], uint32_t inks,
                uint32_t width, uint32_t bits)
{
    unsigned shift = bits - 8;

    *b = (struct black){.inks = inks, .width = width, .bits = bits};
    for (uint32_t k = 0; k < 4; k++) {
        const int most = kcmy[k] + (int)BLACK_REACH - 1;
        const int least = kcmy[k] - ((int)BLACK_REACH - 1);

        b->level[k] = (uint16_t)(kcmy[k] << shift);
        b->least[k] = (uint8_t)(least < 0 ? 0 : least);
        b->most[k] = (uint8_t)(most > UINT8_MAX ? UINT8_MAX : most);
    }
    b->span = (uint16_t)((1u << shift) - 1);
}

void black_lift(struct black *b, const struct shadows *shadows)
{
    b->shadows = shadows;
    for (int k = 0; k < 4; k++) {
        if (shadows->least[k] < b->least[k])
            b->least[k] = shadows->least[k];
        if (shadows->most[k] > b->most[k])
            b->most[k] = shadows->most[k];
    }
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

/* Changes the row's pixels first..end-1 as black_row() does; whether any. */
static inline bool blacken(const struct black *b, void *row, uint32_t bits,
                           size_t first, size_t end)
{
    const uint32_t full = bits == 8 ? UINT8_MAX : UINT16_MAX;
    const uint32_t unit = full / UINT8_MAX, reach = BLACK_REACH * unit;
    const uint32_t range = reach - unit;
    bool any = false;

    for (size_t x = first; x < end; x++) {
        uint32_t pixel[4], d = 0;

        for (size_t k = 0; k < 4; k++) {
            pixel[k] = sample(row, bits, k * b->width + x);
            const uint32_t off = from_black(b, k, pixel[k]);

            d = off > d ? off : d;
        }
        const bool lifted =
            b->shadows != NULL && shadows_lift(b->shadows, pixel, unit);
        if (d >= reach && !lifted)
            continue;
        any = true;
        for (size_t k = 0; k < 4; k++) {
            const uint32_t black = k == 0 ? full : 0;

            if (d <= unit)
                pixel[k] = black;
            else if (d < reach)
                pixel[k] =
                    ((d - unit) * pixel[k] + (reach - d) * black + range / 2) /
                    range;
            set_sample(row, bits, k * b->width + x, pixel[k]);
        }
    }
    return any;
}

typedef uint16_t words __attribute__((vector_size(16)));
#define WORDS 8u

/* All ones where a sample is from `low` to `high`. */
static inline bytes within(bytes v, uint8_t low, uint8_t high)
{
    return (bytes)(v - low <= (uint8_t)(high - low));
}

/* All ones where a sample is at most `most` away from `middle`. */
static inline bytes near(bytes v, unsigned middle, unsigned most)
{
    return within(
        v, (uint8_t)(middle < most ? 0 : middle - most),
        (uint8_t)(middle + most > UINT8_MAX ? UINT8_MAX : middle + most));
}

/* Says whether any of sizeof(bytes) pixels from `x` becomes blacker. */
static inline bool has_near_black(const struct black *b, const uint8_t *row,
                                  size_t x)
{
    bytes close = ~(bytes){0};

    for (size_t k = 0; k < 4; k++)
        close &=
            near(load(row + k * b->width + x), b->level[k], BLACK_REACH - 1);
    return any_bit(close);
}

/* Does blacken() for sizeof(bytes) pixels from `x`. Nearly all are either black
 * to the last bit or far from it. */
static inline bool blacken_bytes(const struct black *b, uint8_t *row, size_t x)
{
    bytes close = within(load(row + x), b->least[0], b->most[0]);
    bytes black = ~(bytes){0};

    if (!any_bit(close))
        return false;
    for (size_t k = 0; k < 4; k++) {
        bytes v = load(row + k * b->width + x);

        close &= within(v, b->least[k], b->most[k]);
        black &= near(v, b->level[k], 1);
    }
    if (any_bit(close ^ black))
        return b->shadows == NULL || has_near_black(b, row, x)
                   ? blacken(b, row, 8, x, x + sizeof black)
                   : shadows_lift_bytes(b->shadows, row + x, b->width);
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
    const uint16_t low = (uint16_t)(b->least[0] << 8);
    const uint16_t high = (uint16_t)(b->most[0] << 8 | UINT8_MAX);
    words v;

    memcpy(&v, row + x, sizeof v);
    return any_bit((bytes)(v - low <= (uint16_t)(high - low))) &&
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

/* ---- Pixels of text ------------------------------------------------------ */

bool black_is_near(const struct black *b, const void *row, size_t x)
{
    const uint32_t unit = (b->bits == 8 ? UINT8_MAX : UINT16_MAX) / UINT8_MAX;
    const uint32_t v = sample(row, b->bits, x);

    if (b->inks == 1)
        return v >= TEXT_LEAST * unit && v < UINT8_MAX * unit;
    for (size_t k = 0; k < 4; k++)
        if (from_black(b, k, sample(row, b->bits, k * b->width + x)) >
            TEXT_REACH * unit)
            return false;
    return true;
}

void black_fill(const struct black *b, void *row, size_t first, size_t end)
{
    const size_t unit = b->bits / 8, plane = b->width * unit;
    uint8_t *at = (uint8_t *)row + first * unit;

    for (size_t k = 0; k < b->inks; k++, at += plane)
        memset(at, k == 0 ? UINT8_MAX : 0, (end - first) * unit);
}

/* Returns the upper 8 bits of a sample of ink k. */
static inline unsigned upper(const struct black *b, const void *row,
                             uint32_t bits, size_t k, size_t x)
{
    return sample(row, bits, k * b->width + x) >> (bits - 8);
}

static inline bool is_dark(const struct black *b, const void *row,
                           uint32_t bits, size_t x)
{
    const unsigned k = upper(b, row, bits, 0, x);

    if (b->inks == 1)
        return k >= DARK_LEAST;
    return k + upper(b, row, bits, 1, x) / 4 + upper(b, row, bits, 2, x) / 2 +
               upper(b, row, bits, 3, x) / 4 >=
           DARK_INKS;
}

/* Tells of BYTES pixels from `x` which are dark, with 1. */
static inline bytes dark_bytes(const struct black *b, const uint8_t *row,
                               size_t x)
{
    const bytes k = load(row + x);

    if (b->inks == 1)
        return (bytes)(k >= (uint8_t)DARK_LEAST) & 1;
    row += x;
    bytes others = (load(row + b->width) >> 2) +
                   (load(row + 2 * (size_t)b->width) >> 1) +
                   (load(row + 3 * (size_t)b->width) >> 2);
    const bytes full = (bytes)(others > (uint8_t)DARK_INKS);
    others = (others & ~full) | (full & (uint8_t)DARK_INKS);
    return (bytes)(k >= (uint8_t)DARK_INKS - others) & 1;
}

/* Tells which of BYTES samples of K may be those of text. */
static inline bytes near_bytes(const struct black *b, bytes k)
{
    if (b->inks == 1)
        return (bytes)(k - (uint8_t)TEXT_LEAST <
                       (uint8_t)(UINT8_MAX - TEXT_LEAST));
    return near(k, b->level[0], TEXT_REACH);
}

bool black_find_dark(const struct black *b, const void *row, uint8_t *dark,
                     bool *text)
{
    bytes any = {0}, close = {0};
    bool some = false;
    size_t x = 0;

    for (; b->bits == 8 && x + BYTES <= b->width; x += BYTES) {
        const bytes now = dark_bytes(b, row, x);

        any |= now;
        close |= near_bytes(b, load((const uint8_t *)row + x));
        memcpy(dark + x, &now, sizeof now);
    }
    *text = any_bit(close);
    for (; x < b->width; x++) {
        dark[x] = b->bits == 8 ? is_dark(b, row, 8, x) : is_dark(b, row, 16, x);
        some |= dark[x] != 0;
        *text |= dark[x] != 0 && black_is_near(b, row, x);
    }
    return some || any_bit(any);
}

bool black_row(const struct black *b, void *row)
{
    return b->inks == 4 && blacken_row(b, row);
}
