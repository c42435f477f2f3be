/*
 * tdfed.h - the CPU engine of TDFED: the words and sizes that its files share.
 *
 *   engine.c    rows to swaths; opens and closes
 *   schedule.c  finds tasks whose segments are ready, and runs them in threads
 *   marks.c     marks columns of a swath with toned, white and solid pixels
 *   blank.c     does segments with nothing but white and solid pixels
 *   strips.c    fills strips with segments, and runs them chunk by chunk
 *   gather.c    finds the columns of a segment that have to be diffused
 *   tape.c      lays a chunk's samples on tapes; chunk.h finds its columns,
 *               lay_targets.c lays targets of shares, meeting.c inks together,
 *               put.c takes dots from tapes, lines.c errors
 *   lookup.c    makes a pixel's parameters, by level, view and position;
 *               spans.c for pixels of 16 bits and drops of several sizes
 *   kernel.c    diffuses the tapes; mark.h marks levels, lay.h makes their
 *               indices, fetch.h transposes, targets.h keeps shares to toned
 *               pixels, sizes.h has drops of several sizes, meet.h and
 *               vectors.h have inks together
 *
 * A strip is what one ink has in segments of some swaths, one segment after the
 * other: up to four rows of a few hundred columns. Its rows are four
 * neighbouring lanes of a vector; each is some columns behind the row above,
 * so that the errors that a row inherits come out of the lane beside it just in
 * time. A vector holds several strips: of an ink alone other segments, of inks
 * that meet the same ones.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HT_TDFED_TDFED_H
#define HT_TDFED_TDFED_H

#include "halftone/definition.h"

#define HT_TDFED_ROWS 4                   /* of a strip: lanes */
#define HT_TDFED_REACH 4                  /* columns -4..+1 of the next row */
#define HT_TDFED_LAG (HT_TDFED_REACH + 1) /* columns from row to row */

#define HT_TDFED_MAX_STRIPS 4
#define HT_TDFED_MAX_LANES (HT_TDFED_MAX_STRIPS * HT_TDFED_ROWS)

/* Strips of inks that meet, a multiple of HT_TDFED_QUARTET: with more of them,
 * rows lag further behind. */
#define HT_TDFED_QUARTET 4
#define HT_TDFED_PLACES                                                        \
    ((HT_MAX_INKS + HT_TDFED_QUARTET - 1) / HT_TDFED_QUARTET * HT_TDFED_QUARTET)
#define HT_TDFED_MAX_VECTORS                                                   \
    (HT_TDFED_PLACES / 2) /* of two strips at least                            \
                           */

/* Segments that a thread runs at the same time. */
#define HT_TDFED_MAX_SEGMENTS (4 * HT_TDFED_MAX_STRIPS)

/* Steps of a tape: 512 columns, the quarter that segments may be longer, and
 * the lag of their rows. */
#define HT_TDFED_STEPS 1280
/* Steps that may be laid: with what the row above needs to know of the next
 * ones, the largest lag and one more, and what is written at once. */
#define HT_TDFED_SLACK 32
#define HT_TDFED_LAID                                                          \
    (HT_TDFED_STEPS + HT_TDFED_PLACES + 2 + 2 * HT_TDFED_SLACK)
#define HT_TDFED_BLOCK 16 /* steps: 16 bits of dots */
/* Words of a lane's dots, which may have four bits each. */
#define HT_TDFED_WORDS ((4 * HT_TDFED_STEPS + 63) / 64)

#endif
