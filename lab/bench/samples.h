/*
 * samples.h - moves the samples of a page only: a copy, which no engine can be
 * much faster than, and ht_sharpen().
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef BENCH_SAMPLES_H
#define BENCH_SAMPLES_H

#include "lab/bench/content.h"
#include "lab/bench/contest.h"

/*
 * Enters both for a page of `rows` rows, one thread. Returns what they need
 * until the contest is over, to be given to free(); NULL without memory.
 *
 *   samples  from content_make()
 *   budget   seconds a result
 */
struct moves *moves_enter(struct contest *contest, enum content content,
                          const uint8_t *samples, uint32_t inks, uint32_t rows,
                          double budget);

#endif
