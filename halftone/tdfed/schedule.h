/*
 * schedule.h - halftones the swaths of a page with some threads: a segment may
 * run as soon as the segments above it are done, whichever swath they belong
 * to.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HT_TDFED_SCHEDULE_H
#define HT_TDFED_SCHEDULE_H

#include "halftone/halftone.h"
#include "halftone/tdfed/strips.h"

#define HT_TDFED_SWATHS 128u /* in progress: 512 rows of TDFED4 */

struct ht_tdfed_schedule;

/*
 * Opens the schedule of a page, which stays the caller's, with segments of
 * `segment` columns, 0 = unbroken rows. Uses up to
 * `threads`, at least 1, and no more than the page can keep busy. With a
 * `guest` one of them is the one that calls ht_tdfed_schedule_help(). A caller
 * that `lends` bands leaves swaths undone while it does something else; any
 * other waits for all that it adds. Close it with ht_tdfed_schedule_close().
 * HT_ERR_MEMORY.
 */
ht_status_t ht_tdfed_schedule_open(struct ht_tdfed_schedule **out,
                                   const struct ht_tdfed_page *page,
                                   uint32_t segment, unsigned threads,
                                   bool guest, bool lends);

/* Waits for the segments that are at work, not for those that are not begun.
 * NULL is allowed. */
void ht_tdfed_schedule_close(struct ht_tdfed_schedule *schedule);

/* The calls below but the last are for one thread, the caller's. */

/* Returns the place of the next swath, to be filled in for
 * ht_tdfed_schedule_add(). Works until there is one. */
struct ht_tdfed_swath *
ht_tdfed_schedule_next(struct ht_tdfed_schedule *schedule);

/* Adds the swath of ht_tdfed_schedule_next(), whose first cut is ht_place.shift
 * `shift`. Other threads may begin with it at once: what it points to has to
 * stay until it is done. */
void ht_tdfed_schedule_add(struct ht_tdfed_schedule *schedule, uint32_t shift);

/* Returns how many swaths were added, and how many of them are done, up to the
 * first that is not. */
uint32_t ht_tdfed_schedule_added(const struct ht_tdfed_schedule *schedule);
uint32_t ht_tdfed_schedule_done(const struct ht_tdfed_schedule *schedule);

/* Works until the first `swaths` of those that were added are done. If that is
 * `urgent`, wakes helper threads: all, or beside a caller that lends bands one
 * for each batch that it had to do itself. */
void ht_tdfed_schedule_work(struct ht_tdfed_schedule *schedule, uint32_t swaths,
                            bool urgent);

/* Does what ht_engine_help() promises, in the guest's thread. */
void ht_tdfed_schedule_help(struct ht_tdfed_schedule *schedule,
                            bool (*enough)(void *context), void *context);

#endif
