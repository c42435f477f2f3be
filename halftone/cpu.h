/*
 * cpu.h - between the CPU engine (cpu.c) and its kernels, one an instruction
 * set (cpu_kernel.h): work on the segments of a swath, which have nothing to
 * do with each other, so that each is a lane of a vector.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HT_CPU_H
#define HT_CPU_H

#include "halftone/internal.h"

#define HT_CPU_MAX_LANES 16
#define HT_CPU_REACH 3 /* columns -3..+1 of the next row */
#define HT_CPU_SWATH 4 /* most rows of a swath */

/* What a pixel needs, by level and by what the pattern says there. The
 * threshold is lowered by one for a comparison by "greater". */
enum ht_cpu_field {
    HT_CPU_RIGHT, /* weight (0,+1) */
    HT_CPU_P1,    /* weights (1,+1), (1,-1), (1,-2), (1,-3) */
    HT_CPU_M1,
    HT_CPU_M2,
    HT_CPU_M3,
    HT_CPU_THRESHOLD, /* t - 1, or one of the next two */
    HT_CPU_AVOID,
    HT_CPU_TONE, /* of 8-bit samples */
    HT_CPU_FIELDS
};

#define HT_CPU_WHITE 32767     /* a threshold that no pixel reaches */
#define HT_CPU_SOLID (-HT_ONE) /* one that every solid pixel reaches */

struct ht_cpu_pixel {
    _Alignas(16) int16_t field[HT_CPU_FIELDS];
};

/* A segment in the swath at hand, in scan order. */
struct ht_cpu_lane {
    uint32_t first;  /* column */
    uint32_t length; /* columns */
};

/* The swath at hand. */
struct ht_cpu_swath {
    const struct ht_cpu_pixel *pixels; /* [2][HT_LEVELS], 1 = pattern dot */
    uint32_t width, inks;
    uint32_t rows;           /* 1..HT_CPU_SWATH */
    int step;                /* +1 going right, -1 going left */
    bool blank[HT_MAX_INKS]; /* all of the lanes: white, nothing inherited */
    const uint16_t *index;   /* [rows][inks][width] into pixels */
    const int16_t *tone;     /* [rows][inks][width], NULL for 8-bit samples */
    int16_t *error;          /* [inks][width] inherited; then left behind */
    uint8_t *dots[HT_CPU_SWATH]; /* [inks][(width+7)/8] of each row, zeroed */
    void *scratch; /* [inks][ht_cpu_stride()] vectors, aligned to 64 bytes */
};

/* A kernel halftones up to `lanes` segments of a swath. */
struct ht_cpu_kernel {
    const char *name;
    unsigned lanes;
    void (*run)(const struct ht_cpu_swath *swath,
                const struct ht_cpu_lane *lane, unsigned count);
};

/* Vectors of errors that an ink of a group takes: up to seven white columns
 * behind the longest segment, and what its first columns could reach back. */
static inline size_t ht_cpu_stride(uint32_t longest)
{
    return (size_t)longest + 7 + HT_CPU_REACH;
}

extern const struct ht_cpu_kernel ht_cpu_plain;
extern const struct ht_cpu_kernel ht_cpu_avx2;

#endif
