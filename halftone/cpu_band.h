/*
 * cpu_band.h - halftones some swaths at once: a segment may run as soon as
 * the segments above it are done, whatever swath they and it belong to.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HT_CPU_BAND_H
#define HT_CPU_BAND_H

#include "halftone/cpu_strip.h"
#include "halftone/pool.h"

#define HT_CPU_BAND_SWATHS 32 /* at once: 128 rows, or as many of one */

struct ht_cpu_band;

/* For a page cut into segments of `length` columns (at least the page's width
 * for unbroken rows); `page` stays the caller's. `threads` are the most, of
 * which there are no more than the page can use. With a `guest` one of several
 * is that which calls ht_cpu_band_help(). HT_ERR_MEMORY. */
ht_status_t ht_cpu_band_open(struct ht_cpu_band **out,
                             const struct ht_cpu_page *page, uint32_t length,
                             unsigned threads, bool guest);

void ht_cpu_band_close(struct ht_cpu_band *band); /* NULL is allowed */

/* Halftones swaths [1..HT_CPU_BAND_SWATHS], one below the other, that have
 * the same number of rows; `shifts` are their first cuts, struct ht_place.
 * `alone`: in the caller's thread. */
void ht_cpu_band_run(struct ht_cpu_band *band,
                     const struct ht_cpu_swath *swaths, const uint32_t *shifts,
                     unsigned count, bool alone);

/* ht_engine_help(), in the guest's thread. */
void ht_cpu_band_help(struct ht_cpu_band *band, bool (*enough)(void *context),
                      void *context);

#endif
