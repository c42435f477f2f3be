/*
 * peers.h - what others halftone with, on the same gray page where they take
 * one.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef BENCH_PEERS_H
#define BENCH_PEERS_H

#include "bench/content.h"
#include "bench/contest.h"

/*
 * Enters zimg's error diffusion, 8 bits to 1 (a byte a pixel leaves), in this
 * process and with one thread, on `inks` planes of a page of rows that repeat.
 * Returns what it needs until the contest is over, for zimg_leave(); NULL,
 * and says so in the report, when there is no library.
 */
struct zimg;
struct zimg *zimg_enter(struct contest *contest, struct report *report,
                        enum content content, const uint8_t *samples,
                        uint32_t inks, double budget);
void zimg_leave(struct zimg *zimg);

/*
 * Enters programs, from a file with a gray page to /dev/null, as whole
 * processes: with all that they do beside halftoning. Those that are not
 * installed, or do not work, are reported as missing. Returns what they need
 * until the contest is over, for peers_leave(); NULL without memory.
 *
 *   folder   for the page in the forms that they take
 *   samples  from content_make(), one ink
 */
struct peers;
struct peers *peers_enter(struct contest *contest, struct report *report,
                          const char *folder, enum content content,
                          const uint8_t *samples, double budget);
void peers_leave(struct peers *peers);

#endif
