/*
 * sharpen.c - sharper samples for the engines: doc/dev/halftone.md,
 * "Sharpness".
 *
 * Vectors of the compiler's hold a row's samples, and vectors of half as many
 * elements the sums: 10 * 4 * 255 is less than 2^15.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <assert.h>
#include <string.h>

#include "halftone/halftone.h"

#define SHIFT 6 /* strengths are in 1/64 */

static const int16_t strengths[HT_MAX_SHARPNESS + 1] = {0, 4, 7, 10};

/* ---- One by one --------------------------------------------------------- */

/* The next functions are for samples of 8 and of 16 bits; callers give `bits`
 * as a constant, so that the compiler makes one of each. */
static inline int32_t sample(const void *row, uint32_t bits, size_t x)
{
    return bits == 8 ? ((const uint8_t *)row)[x] : ((const uint16_t *)row)[x];
}

static inline void sharpen_pixel(const void *above, const void *row,
                                 const void *below, uint32_t bits, size_t x,
                                 uint32_t width, int32_t strength, void *out)
{
    const int32_t full = bits == 8 ? UINT8_MAX : UINT16_MAX;
    int32_t v = sample(row, bits, x), sum = 0;
    const int32_t neighbor[] = {x > 0 ? sample(row, bits, x - 1) : v,
                                x + 1 < width ? sample(row, bits, x + 1) : v,
                                sample(above, bits, x), sample(below, bits, x)};

    for (int i = 0; i < 4; i++)
        if (neighbor[i] != 0 && neighbor[i] != full)
            sum += v - neighbor[i];
    if (v != 0 && v != full) {
        v += (strength * sum + (1 << SHIFT) / 2) >> SHIFT;
        v = v < 1 ? 1 : v >= full ? full - 1 : v;
    }
    if (bits == 8)
        ((uint8_t *)out)[x] = (uint8_t)v;
    else
        ((uint16_t *)out)[x] = (uint16_t)v;
}

/* ---- Many at once ------------------------------------------------------- */

typedef uint8_t bytes __attribute__((vector_size(16)));
typedef uint16_t words __attribute__((vector_size(16)));
typedef int16_t shorts __attribute__((vector_size(16)));
typedef int32_t ints __attribute__((vector_size(16)));

/* Defines a function that sharpens a vector of samples from `x`, which have
 * neighbors on all sides: every other sample in an element of twice its bits,
 * then those between. */
#define DEFINE_SHARPEN(name, sample, vector, element, wide)                    \
    static inline wide name##_half(vector v, int half)                         \
    {                                                                          \
        return (wide)v >> (half ? 8 * (int)sizeof(sample) : 0) &               \
               (element)(sample)-1;                                            \
    }                                                                          \
    static inline void name(const void *above, const void *row,                \
                            const void *below, size_t x, element strength,     \
                            void *out)                                         \
    {                                                                          \
        const sample full = (sample)-1, *middle = (const sample *)row + x;     \
        const sample *const from[] = {middle - 1, middle + 1,                  \
                                      (const sample *)above + x,               \
                                      (const sample *)below + x};              \
        const element most = (sample)(full - 1);                               \
        vector v, n[4], extreme, kept;                                         \
        wide both = {0};                                                       \
                                                                               \
        memcpy(&v, middle, sizeof v);                                          \
        kept = (vector)(v == 0) | (vector)(v == full);                         \
        for (int i = 0; i < 4; i++) {                                          \
            memcpy(&n[i], from[i], sizeof n[i]);                               \
            extreme = (vector)(n[i] == 0) | (vector)(n[i] == full);            \
            n[i] = (n[i] & ~extreme) | (v & extreme);                          \
        }                                                                      \
        for (int half = 0; half < 2; half++) {                                 \
            wide w = name##_half(v, half), sum = w << 2;                       \
                                                                               \
            for (int i = 0; i < 4; i++)                                        \
                sum -= name##_half(n[i], half);                                \
            w += (strength * sum + (1 << SHIFT) / 2) >> SHIFT;                 \
            w = (w & (w >= 1)) | (1 & (w < 1));                                \
            w = (w & (w <= most)) | (most & (w > most));                       \
            both |= w << (half ? 8 * (int)sizeof(sample) : 0);                 \
        }                                                                      \
        v = (v & kept) | ((vector)both & ~kept);                               \
        memcpy((sample *)out + x, &v, sizeof v);                               \
    }

DEFINE_SHARPEN(sharpen_bytes, uint8_t, bytes, int16_t, shorts)
DEFINE_SHARPEN(sharpen_words, uint16_t, words, int32_t, ints)

static inline void sharpen_row(const void *above, const void *row,
                               const void *below, uint32_t bits, uint32_t width,
                               int16_t strength, void *out)
{
    const size_t lanes = 8 * sizeof(bytes) / bits;
    size_t x = 1;

    sharpen_pixel(above, row, below, bits, 0, width, strength, out);
    for (; x + lanes < width; x += lanes)
        if (bits == 8)
            sharpen_bytes(above, row, below, x, strength, out);
        else
            sharpen_words(above, row, below, x, strength, out);
    for (; x < width; x++)
        sharpen_pixel(above, row, below, bits, x, width, strength, out);
}

void ht_sharpen(const void *above, const void *row, const void *below,
                uint32_t bits, uint32_t width, uint32_t sharpness, void *out)
{
    assert(width > 0 && sharpness <= HT_MAX_SHARPNESS);
    above = above != NULL ? above : row;
    below = below != NULL ? below : row;
    if (bits == 8)
        sharpen_row(above, row, below, 8, width, strengths[sharpness], out);
    else
        sharpen_row(above, row, below, 16, width, strengths[sharpness], out);
}
