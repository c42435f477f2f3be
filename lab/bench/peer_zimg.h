/*
 * peer_zimg.h - zimg's error diffusion, on the same pages.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef BENCH_PEER_ZIMG_H
#define BENCH_PEER_ZIMG_H

#include "lab/bench/content.h"
#include "lab/bench/contest.h"

/*
 * Enters zimg's error diffusion, 8 bits to 1 (a byte a pixel leaves), in this
 * process and with one thread, on `inks` planes of a page of rows that repeat.
 * Returns what it needs until the contest is over, for zimg_leave(); NULL,
 * and says so in the report, when there is no library.
 */
struct zimg;
struct zimg *zimg_enter(struct contest *contest, struct bench_report *report,
                        enum content content, const uint8_t *samples,
                        uint32_t inks, double budget);
void zimg_leave(struct zimg *zimg);

#endif
