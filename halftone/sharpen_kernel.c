/*
 * sharpen_kernel.c - sharpens a row, doc/dev/halftone.md "Sharpness"; compiled
 * once an instruction set, simd/sets.h.
 *
 * A vector of the compiler's holds samples, and two vectors of half as many
 * elements their sums: 10 * 4 * 255 is less than 2^15.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <stddef.h>

#include "halftone/sharpen.h"

#define SHIFT 6 /* strengths are in 1/64 */

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

#define VECTOR (2 * HT_LANES) /* bytes */

typedef uint8_t bytes __attribute__((vector_size(VECTOR)));
typedef uint16_t words __attribute__((vector_size(VECTOR)));
typedef int16_t shorts __attribute__((vector_size(VECTOR)));
typedef uint32_t longs __attribute__((vector_size(VECTOR)));
typedef int32_t ints __attribute__((vector_size(VECTOR)));

/* At any address. The compiler copies 32 bytes by memcpy() in two halves, for
 * which the vector would have to wait. */
typedef bytes bytes_there __attribute__((aligned(1), may_alias));
typedef words words_there __attribute__((aligned(1), may_alias));

/* Defines a function that sharpens a vector of samples from `x`, which have
 * neighbors on all sides: every other sample in an element of twice its bits,
 * then those between. Until the end they are one less than they become, which
 * makes 0 the least. */
#define DEFINE_SHARPEN(name, sample, vector, element, wide, unsigned_wide)     \
    static inline wide name##_half(vector v, int half)                         \
    {                                                                          \
        return (wide)(half ? (unsigned_wide)v >> 8 * sizeof(sample)            \
                           : (unsigned_wide)v & (sample)~0);                   \
    }                                                                          \
    static inline void name(const void *above, const void *row,                \
                            const void *below, size_t x, int16_t strength,     \
                            void *out)                                         \
    {                                                                          \
        const sample full = (sample)~0, *middle = (const sample *)row + x;     \
        const sample *const from[] = {middle - 1, middle + 1,                  \
                                      (const sample *)above + x,               \
                                      (const sample *)below + x};              \
        const element most = (sample)(full - 2);                               \
        vector v, n[4], extreme, kept;                                         \
        unsigned_wide both = {0};                                              \
                                                                               \
        v = *(const vector##_there *)middle;                                   \
        kept = (vector)(v == 0) | (vector)(v == full);                         \
        for (int i = 0; i < 4; i++) {                                          \
            n[i] = *(const vector##_there *)from[i];                           \
            extreme = (vector)(n[i] == 0) | (vector)(n[i] == full);            \
            n[i] = (n[i] & ~extreme) | (v & extreme);                          \
        }                                                                      \
        for (int half = 0; half < 2; half++) {                                 \
            wide w = name##_half(v, half), sum = w << 2, over;                 \
                                                                               \
            for (int i = 0; i < 4; i++)                                        \
                sum -= name##_half(n[i], half);                                \
            w += (strength * sum + (1 << SHIFT) / 2 - (1 << SHIFT)) >> SHIFT;  \
            w &= ~(w >> (16 * sizeof(sample) - 1));                            \
            over = most - w;                                                   \
            w += over & over >> (16 * sizeof(sample) - 1);                     \
            both |= (unsigned_wide)w << (half ? 8 * sizeof(sample) : 0);       \
        }                                                                      \
        v = (v & kept) | (((vector)both + 1) & ~kept);                         \
        *(vector##_there *)((sample *)out + x) = v;                            \
    }

DEFINE_SHARPEN(sharpen_bytes, uint8_t, bytes, int16_t, shorts, words)
DEFINE_SHARPEN(sharpen_words, uint16_t, words, int32_t, ints, longs)

static inline void sharpen_vector(const void *above, const void *row,
                                  const void *below, uint32_t bits, size_t x,
                                  int16_t strength, void *out)
{
    if (bits == 8)
        sharpen_bytes(above, row, below, x, strength, out);
    else
        sharpen_words(above, row, below, x, strength, out);
}

/* The last vector of a row begins where it still fits. */
static inline void sharpen_row(const void *above, const void *row,
                               const void *below, uint32_t bits, uint32_t width,
                               int16_t strength, void *out)
{
    const size_t lanes = 8 * VECTOR / bits;
    size_t x = 1;

    sharpen_pixel(above, row, below, bits, 0, width, strength, out);
    for (; x + lanes < width; x += lanes)
        sharpen_vector(above, row, below, bits, x, strength, out);
    if (width >= lanes + 2 && x + 1 < width) {
        x = width - 1;
        sharpen_vector(above, row, below, bits, x - lanes, strength, out);
    }
    for (; x < width; x++)
        sharpen_pixel(above, row, below, bits, x, width, strength, out);
}

void HT_KERNEL(sharpen)(const void *above, const void *row, const void *below,
                        uint32_t bits, uint32_t width, int16_t strength,
                        void *out)
{
    if (bits == 8)
        sharpen_row(above, row, below, 8, width, strength, out);
    else
        sharpen_row(above, row, below, 16, width, strength, out);
}
