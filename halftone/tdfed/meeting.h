/*
 * meeting.h - inks together: what a section's inks have to know of each other
 * to a run and back.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HT_TDFED_MEETING_H
#define HT_TDFED_MEETING_H

#include "halftone/tdfed/tape.h"

/* Lays what the inks of the run's turns inherit from the rows above. */
void ht_tdfed_lay_meeting(const struct ht_tdfed_section *section,
                          const struct ht_tdfed_run *run,
                          struct ht_tdfed_space *space);

/* Puts what the inks leave each other. Those of which one did not run leave
 * nothing. */
void ht_tdfed_put_meeting(const struct ht_tdfed_section *section,
                          const struct ht_tdfed_space *space,
                          const struct ht_tdfed_run *run);

#endif
