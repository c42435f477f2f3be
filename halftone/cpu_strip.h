/*
 * cpu_strip.h - some segments of a page, from samples to dots, through a
 * kernel.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HT_CPU_STRIP_H
#define HT_CPU_STRIP_H

#include "halftone/cpu_rows.h"

/* What a thread needs for itself, aligned to 64 bytes. */
struct ht_cpu_space {
    struct ht_cpu_tape tape;
    struct ht_cpu_chain chain[HT_MAX_INKS];
    int16_t tone[HT_CPU_STEPS];
    uint8_t level[HT_CPU_STEPS];
};

/* Halftones the busy inks of 1..kernel->strips segments, of swaths of the
 * same number of rows. */
void ht_cpu_run_segments(const struct ht_cpu_page *page,
                         struct ht_cpu_segment *segments, unsigned count,
                         struct ht_cpu_space *space);

#endif
