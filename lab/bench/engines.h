/*
 * engines.h - the library's engines on whole pages in memory.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef BENCH_ENGINES_H
#define BENCH_ENGINES_H

#include "lab/bench/content.h"
#include "lab/bench/contest.h"
#include "halftone/halftone.h"

#define ENGINE_BAND 64u /* rows */
/* Bytes of dots of one size. */
#define ENGINE_DOTS(inks) ((size_t)2 * ENGINE_BAND * PAGE_WIDTH / 8 * (inks))
_Static_assert(PAGE_WIDTH % 8 == 0, "rows of dots have no bits to spare");

/* A page of rows that repeat, for one engine. */
struct engine_page {
    const char *engine;
    ht_page_t shape;
    const uint8_t *samples; /* [CONTENT_ROWS][inks][PAGE_WIDTH] */
    uint32_t rows;
    uint8_t *dots;   /* [ENGINE_DOTS(inks)], twice as many if there are several
                        sizes; written over */
    double *seconds; /* of each band, while it was submitted; or NULL */
};

/* Whether its engine does pages of this kind here. */
bool engine_can_do(const struct engine_page *page);

/* Halftones a struct engine_page and returns the seconds from the engine's
 * opening to its close; negative, after a line on standard error, when it
 * failed. */
double engine_run_page(void *page);

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
