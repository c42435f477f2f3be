/*
 * schedule.h - halftones some swaths at the same time: a segment may run as
 * soon as the segments above it are done, whichever swath they belong to.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HT_TDFED_SCHEDULE_H
#define HT_TDFED_SCHEDULE_H

#include "halftone/pool.h"
#include "halftone/tdfed/strips.h"

#define HT_TDFED_SWATHS 32 /* at once: 128 rows of TDFED4, 32 of TDFED1 */

struct ht_tdfed_schedule;

/*
 * Opens the schedule of a page, which stays the caller's, with segments of
 * `length` columns (at least the page's width for unbroken rows). Uses up to
 * `threads`, and no more than the page can keep busy. With a `guest`, and
 * several threads, one of them is the one that calls ht_tdfed_schedule_help().
 * Close it with ht_tdfed_schedule_close(). HT_ERR_MEMORY.
 */
ht_status_t ht_tdfed_schedule_open(struct ht_tdfed_schedule **out,
                                   const struct ht_tdfed_page *page,
                                   uint32_t length, unsigned threads,
                                   bool guest);

void ht_tdfed_schedule_close(struct ht_tdfed_schedule *schedule); /* or NULL */

/* Halftones `swaths` [1..HT_TDFED_SWATHS], one below the other, which have the
 * same number of rows; `shifts` are their ht_place.shift. Without `helpers` the
 * caller's thread and the guest do it all. Returns when it is done. */
void ht_tdfed_schedule_run(struct ht_tdfed_schedule *schedule,
                           const struct ht_tdfed_swath *swaths,
                           const uint32_t *shifts, unsigned count,
                           bool helpers);

/* ht_engine_help(), in the guest's thread. */
void ht_tdfed_schedule_help(struct ht_tdfed_schedule *schedule,
                            bool (*enough)(void *context), void *context);

#endif
