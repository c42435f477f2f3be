/*
 * cpu_rows.h - the rows of a page that the fast CPU engine works on.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HT_CPU_ROWS_H
#define HT_CPU_ROWS_H

#include <string.h>

#include "halftone/cpu.h"

/* What an ink's samples say. */
struct ht_cpu_look_up {
    const struct ht_cpu_pixel *pixels; /* [HT_CPU_PIXELS] */
    struct ht_cpu_levels middle;       /* ht_cpu_middle() */
    uint8_t near_extremity;            /* ht_cpu_near_extremity() */
};

/* What is the same for a whole page. */
struct ht_cpu_page {
    const struct ht_cpu_kernel *kernel;
    uint32_t width, inks, bits;
    int16_t *error;         /* [inks][width] */
    const uint8_t *pattern; /* [2][HT_PATTERN_SIZE][HT_CPU_PATTERN_ROW] */
    struct ht_cpu_look_up look_up[HT_MAX_INKS];
};

/* A swath that is halftoned now. */
struct ht_cpu_swath {
    const uint8_t *samples[HT_CPU_ROWS]; /* of each row, [inks][width] */
    uint8_t *dots[HT_CPU_ROWS]; /* [inks][(width+7)/8], zeros; NULL: unwanted */
    uint32_t inks;              /* that have samples other than 0, a bit each */
    uint32_t calm;              /* inks that have none and inherit no error */
    uint64_t number;            /* of the page's swaths */
    uint64_t row;               /* number of the first, with the pre-roll */
    uint32_t rows;              /* 1..HT_CPU_ROWS */
    int step;                   /* +1 going right, -1 going left */
};

struct ht_cpu_segment {
    const struct ht_cpu_swath *swath;
    uint32_t begin, end; /* columns begin..end-1 */
    uint32_t inks;       /* that have work, a bit each: ht_cpu_do_idle_inks() */
    /* The dots in the first and last byte, where neighbours may have some
     * too: they are held back for ht_cpu_join_edges(). Zeros at first. */
    uint8_t edge[HT_MAX_INKS][2][HT_CPU_ROWS];
};

const uint8_t *ht_cpu_samples(const struct ht_cpu_page *page,
                              const struct ht_cpu_swath *swath, uint32_t row,
                              uint32_t ink);

/* 64 dots, the last first. */
static inline uint64_t ht_cpu_mirrored(uint64_t v)
{
    v = (v >> 1 & 0x5555555555555555) | (v & 0x5555555555555555) << 1;
    v = (v >> 2 & 0x3333333333333333) | (v & 0x3333333333333333) << 2;
    v = (v >> 4 & 0x0f0f0f0f0f0f0f0f) | (v & 0x0f0f0f0f0f0f0f0f) << 4;
    return __builtin_bswap64(v);
}

/* 64 dots, the leftmost in the top bit, to eight bytes of a row. */
static inline void ht_cpu_dots_to_bytes(uint8_t *bytes, uint64_t dots)
{
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    dots = __builtin_bswap64(dots);
#endif
    memcpy(bytes, &dots, sizeof dots);
}

/* Dots of a row at columns begin..end-1, as they lie in the row from the last
 * column on that is a multiple of 64; beside them there may be anything. */
struct ht_cpu_line {
    uint8_t byte[(HT_CPU_STEPS / 64 + 2) * 8];
    uint32_t begin, end; /* at least one column */
};

/* Puts dots of a segment into a row, where there are none yet. Changes those
 * of the line that are beside its own. */
void ht_cpu_put_line(const struct ht_cpu_page *page,
                     struct ht_cpu_segment *segment, uint32_t row, uint32_t ink,
                     struct ht_cpu_line *line);

/* Puts the dots that were held back. Not at the same time as for another
 * segment. */
void ht_cpu_join_edges(const struct ht_cpu_page *page,
                       const struct ht_cpu_segment *segment);

#endif
