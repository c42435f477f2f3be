/*
 * black.c - tells black, and colors that print darker than black ink alone.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <string.h>

#include "page/black/black.h"
#include "page/bytes.h"

/* Ghostscript's gray of CMYK 0 0 0 100 %. */
#define GRAY_OF_K 223
#define GRAY_DARK 156u /* 61 %: lighter beside what becomes solid */

/* The least darkness of an ink mixture. Of 32,768 colors in Ghostscript's
 * profile none under 280 has a lower L* than solid K; from 360 on all have. */
#define DARK_LEAST 272u

void black_init(struct black *b, const uint8_t kcmy[4], uint32_t inks,
                uint32_t width, uint32_t bits)
{
    *b = (struct black){.inks = inks, .width = width, .bits = bits};
    if (inks == 1)
        b->least[0] = GRAY_OF_K;
    for (uint32_t k = 0; inks == 4 && k < inks; k++) {
        const int least = kcmy[k] > 0 ? kcmy[k] - 1 : 0;
        const int most = kcmy[k] < UINT8_MAX ? kcmy[k] + 1 : UINT8_MAX;

        b->least[k] = (uint8_t)least;
        b->span[k] = (uint8_t)(most - least);
    }
    for (uint32_t k = 0; k < inks; k++)
        b->needs |= (uint16_t)((b->least[k] > 0) << k);
}

/* ---- Pixel by pixel ----------------------------------------------------- */

/* Returns the upper 8 bits of a sample of ink k. `bits` is a constant of each
 * caller, so that the compiler makes a function for each. */
static inline unsigned upper(const struct black *b, const void *row,
                             uint32_t bits, size_t k, size_t x)
{
    const size_t at = k * b->width + x;

    return bits == 8 ? ((const uint8_t *)row)[at]
                     : ((const uint16_t *)row)[at] >> 8;
}

static inline bool is_black(const struct black *b, const void *row,
                            uint32_t bits, size_t x)
{
    for (size_t k = 0; k < b->inks; k++)
        if ((uint8_t)(upper(b, row, bits, k, x) - b->least[k]) > b->span[k])
            return false;
    return true;
}

static inline bool is_dark(const struct black *b, const void *row,
                           uint32_t bits, size_t x)
{
    const unsigned k = upper(b, row, bits, 0, x);

    if (b->inks == 1)
        return k >= GRAY_DARK;
    return k + upper(b, row, bits, 1, x) / 4 + upper(b, row, bits, 2, x) / 2 +
               upper(b, row, bits, 3, x) / 4 >=
           DARK_LEAST;
}

static inline bool find(const struct black *b, const void *row, uint32_t bits,
                        size_t x, uint8_t *black, uint8_t *dark)
{
    bool any = false;

    for (; x < b->width; x++) {
        black[x] = is_black(b, row, bits, x);
        dark[x] = black[x] == 0 && is_dark(b, row, bits, x);
        any |= dark[x] != 0;
    }
    return any;
}

static bool is_in_words(const struct black *b, const uint16_t *row, size_t x)
{
    const uint16_t least = (uint16_t)(b->least[0] << 8);
    const uint16_t span = (uint16_t)(b->span[0] << 8 | UINT8_MAX);

    for (; x < b->width; x++)
        if ((uint16_t)(row[x] - least) <= span && is_black(b, row, 16, x))
            return true;
    return false;
}

/* ---- Pixels side by side ------------------------------------------------ */

/* Gives all ones where a pixel of BYTES from `x` is black. */
static inline bytes black_bytes(const struct black *b, const uint8_t *row,
                                size_t x)
{
    bytes black = ~(bytes){0};

    for (size_t k = 0; k < b->inks; k++)
        black &=
            (bytes)(load(row + k * b->width + x) - b->least[k] <= b->span[k]);
    return black;
}

/* Gives all ones where a pixel of BYTES from `x` is dark, black or not. C, M
 * and Y come to 253 at most; with K they would not fit. */
static inline bytes dark_bytes(const struct black *b, const uint8_t *row,
                               size_t x)
{
    const bytes k = load(row + x);

    if (b->inks == 1)
        return (bytes)(k >= (uint8_t)GRAY_DARK);
    row += x;
    const bytes others = (load(row + b->width) >> 2) +
                         (load(row + 2 * (size_t)b->width) >> 1) +
                         (load(row + 3 * (size_t)b->width) >> 2);

    return (bytes)(others > (uint8_t)(DARK_LEAST - 256)) &
           (bytes)(k >= (uint8_t)(DARK_LEAST - 256) - others);
}

/* Looks at K first: most rows have nothing near its black. */
bool black_is_in(const struct black *b, const void *row)
{
    enum { PIXELS = 4 * BYTES };
    const uint8_t *k = row;
    size_t x = 0;

    if (b->bits == 16)
        return is_in_words(b, row, 0);
    for (; x + PIXELS <= b->width; x += PIXELS) {
        bytes close = {0};

        for (size_t i = x; i < x + PIXELS; i += BYTES)
            close |= (bytes)(load(k + i) - b->least[0] <= b->span[0]);
        for (size_t i = x; any_bit(close) && i < x + PIXELS; i += BYTES)
            if (any_bit(black_bytes(b, row, i)))
                return true;
    }
    for (; x < b->width; x++)
        if (is_black(b, row, 8, x))
            return true;
    return false;
}

bool black_find(const struct black *b, const void *row, uint8_t *black,
                uint8_t *dark)
{
    bytes any = {0};
    size_t x = 0;

    if (b->bits == 16)
        return find(b, row, 16, 0, black, dark);
    for (; x + BYTES <= b->width; x += BYTES) {
        const bytes is = black_bytes(b, row, x);
        const bytes close = dark_bytes(b, row, x) & ~is;
        const bytes marks[2] = {is & 1, close & 1};

        any |= close;
        memcpy(black + x, &marks[0], sizeof marks[0]);
        memcpy(dark + x, &marks[1], sizeof marks[1]);
    }
    return find(b, row, 8, x, black, dark) || any_bit(any);
}

void black_fill(const struct black *b, void *row, size_t first, size_t end)
{
    const size_t unit = b->bits / 8, plane = b->width * unit;
    uint8_t *at = (uint8_t *)row + first * unit;

    for (size_t k = 0; k < b->inks; k++, at += plane)
        memset(at, k == 0 ? UINT8_MAX : 0, (end - first) * unit);
}
