/*
 * tdfed.h - the CPU engine of TDFED: the words and sizes that its files share.
 *
 *   engine.c    rows to swaths; opens and closes
 *   schedule.c  which segments may run, and the threads that run them
 *   blank.c     strips with nothing but white and solid
 *   strips.c    the strips of some segments, section by section
 *   gather.c    segments without most of their white and solid columns
 *   tape.c      a section's samples to tapes, dots from them; part.h says which
 *               columns, lines.c has what rows leave, kept.c targets of shares,
 *               meeting.c inks together
 *   lookup.c    a pixel's parameters, by level, view and position
 *   kernel.c    diffuses what lies on the tapes; lay.h makes their indices,
 *               fetch.h transposes, keep.h keeps shares to toned pixels, meet.h
 *               and turns.h have inks together
 *   rows.c      samples and dots of the page's rows
 *
 * A strip is what one ink has in one segment of one swath: up to four rows of a
 * few hundred columns. Its rows are four neighbouring lanes of a vector; each
 * runs HT_TDFED_LAG columns behind the row above, so that the errors that a row
 * inherits come out of the lane beside it just in time. A vector holds several
 * strips of one ink. In a strip's lanes one segment follows another.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HT_TDFED_TDFED_H
#define HT_TDFED_TDFED_H

#include "halftone/definition.h"

#define HT_TDFED_ROWS 4  /* of a strip: lanes */
#define HT_TDFED_REACH 4 /* columns -4..+1 of the next row */
#define HT_TDFED_LAG (HT_TDFED_REACH + 1)

#define HT_TDFED_MAX_STRIPS 4
#define HT_TDFED_MAX_LANES (HT_TDFED_MAX_STRIPS * HT_TDFED_ROWS)

/* Segments that a thread runs at the same time: two a strip. */
#define HT_TDFED_MAX_SEGMENTS (2 * HT_TDFED_MAX_STRIPS)

/* Steps of a tape: two segments of 256 columns, the quarter that they may be
 * longer, and the lag of their rows. */
#define HT_TDFED_STEPS 640
#define HT_TDFED_BLOCK 16                           /* steps: 16 bits of dots */
#define HT_TDFED_WORDS ((HT_TDFED_STEPS + 63) / 64) /* of a lane's dots */

#endif
