/*
 * cpu_idle.h - segments of which the CPU engine makes short work: those with
 * nothing but white and solid (doc/halftone.md, "What may be skipped").
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HT_CPU_IDLE_H
#define HT_CPU_IDLE_H

#include "halftone/cpu_rows.h"

/* Whether `count` errors are all 0. */
bool ht_cpu_no_error(const int16_t *error, uint32_t count);

/*
 * Sees which inks of a segment have nothing but white and solid samples and
 * inherit no error: their dots are the samples, and they leave no error.
 * Puts those dots and leaves the other inks in segment->inks.
 */
void ht_cpu_do_idle_inks(const struct ht_cpu_page *page,
                         struct ht_cpu_segment *segment);

#endif
