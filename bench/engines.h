/*
 * engines.h - the library's engines on whole pages in memory.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef BENCH_ENGINES_H
#define BENCH_ENGINES_H

#include "bench/content.h"
#include "bench/contest.h"

/*
 * Enters every engine that is available on pages of these samples, with each
 * method, one thread and all `cpus`. The reference, whose speed does not
 * depend on the page, only on photos, and more threads only on photos and
 * text. Returns what they need until the contest is over, to be given to
 * free(); NULL without memory.
 *
 *   samples  from content_make()
 *   rows     of a page
 *   budget   seconds a result
 */
struct engines *engines_enter(struct contest *contest, enum content content,
                              const uint8_t *samples, uint32_t inks,
                              uint32_t rows, uint32_t cpus, double budget);

#endif
