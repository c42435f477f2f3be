/*
 * share.h - the share of the processors that a job's pages take.
 *
 * Jobs of one process, as the printer application has them, leave each other
 * some; and where one thread takes longer to read a page than a few to halftone
 * it, more would only cost time of processors that others may want.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef PAGE_SHARE_H
#define PAGE_SHARE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

struct share {
    atomic_bool few; /* threads keep up with what is read */
};

/* Begins a job; share_end() ends one. Any thread may call these. */
void share_begin(struct share *share);
void share_end(void);

/* Returns how many threads the next page should have, an ht_page_t.threads. */
uint32_t share_threads(const struct share *share);

/* Says whether the CPU halftones pages like the last ones as fast as they are
 * read: nothing prints them faster. */
bool share_keeps_up(const struct share *share);

/* Learns from a page that the CPU has halftoned: the seconds that its reader
 * was busy `reading`, and those that it was `waiting` as halftoning was behind.
 */
void share_learn(struct share *share, double reading, double waiting);

#endif
