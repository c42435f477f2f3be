/*
 * cpu_wavefront.h - between the CPU engine for Floyd-Steinberg
 * (cpu_wavefront.c) and its kernels, one an instruction set
 * (cpu_wavefront_kernel.h): work on a group of rows at a time, each row a
 * lane of a vector and HT_WAVEFRONT_LAG columns behind the row above.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HT_CPU_WAVEFRONT_H
#define HT_CPU_WAVEFRONT_H

#include "halftone/definition.h"

#define HT_WAVEFRONT_MAX_LANES 32

/* Floyd-Steinberg needs 2; with 8 the dots of all rows start at a byte, and
 * what a row hands down has long arrived when the row below asks for it. */
#define HT_WAVEFRONT_LAG 8

#define HT_WAVEFRONT_CHUNK 32 /* columns prepared at a time */

/* Samples and errors outside the page, on both sides of a row of a kernel
 * with so many lanes: what its lanes touch before and behind the page. */
#define HT_WAVEFRONT_PAD(lanes)                                                \
    (HT_WAVEFRONT_LAG * ((size_t)(lanes) + 2) + HT_WAVEFRONT_CHUNK)

struct ht_wavefront_group {
    uint32_t width, inks, bits;
    uint32_t rows; /* 1..lanes; those behind are white */
    bool foreign;  /* the errors came from outside: any, not a page's */
    /* Column 0 of the first row of the first ink; a row behind the other, all
     * of an ink and then the next ink's; 0 in the padding. */
    const void *samples;
    size_t row_samples; /* from a row to the next */
    /* [inks], what the group inherits; then what it leaves. Column 0; the
     * padding is 0 and stays so. */
    int16_t *const *error;
    uint8_t *dots[HT_WAVEFRONT_MAX_LANES]; /* [inks][(width+7)/8] of each row */
};

struct ht_wavefront_kernel {
    unsigned lanes;
    void (*run)(const struct ht_wavefront_group *group);
};

extern const struct ht_wavefront_kernel ht_wavefront_plain;
extern const struct ht_wavefront_kernel ht_wavefront_avx2;
extern const struct ht_wavefront_kernel ht_wavefront_avx512;

#endif
