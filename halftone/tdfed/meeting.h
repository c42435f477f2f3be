/*
 * meeting.h - lays what the inks of a chunk have to know of each other on the
 * tapes, and puts it back.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HT_TDFED_MEETING_H
#define HT_TDFED_MEETING_H

#include "halftone/tdfed/chunk.h"

/* Lays the company and the light that the strips inherit. */
void ht_tdfed_lay_meeting(const struct ht_tdfed_chunk *chunk,
                          struct ht_tdfed_run *run,
                          struct ht_tdfed_meeting *meeting);

/* Puts what they leave. */
void ht_tdfed_put_meeting(const struct ht_tdfed_chunk *chunk,
                          const struct ht_tdfed_run *run);

#endif
