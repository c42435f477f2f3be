/*
 * choose.h - picks a set of offsets for each tone, and writes tables.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef TRAIN_CHOOSE_H
#define TRAIN_CHOOSE_H

#include "lab/train/chain.h"

#define CHOOSE_MAX 8 /* sets */

/*
 * The sets, tone by tone, whose costs and changes together are least, by
 * dynamic programming: trained [sets][128], a change from one tone to the
 * next costs CHOOSE_CHANGE. choice [128] for tones 1..127; [0] = [1].
 */
#define CHOOSE_CHANGE 0.002

void choose_sets(int sets, const struct trained *trained, int *choice);

/* Notes in a table file. */
struct table_note {
    const char *name;
    const char *made_by; /* the command */
    uint64_t seed;
    const char *const *comment; /* lines, NULL at the end */
};

/* Writes the text of a table (doc/dev/table-format.md): tones [128] of the sets
 * choice [128], whose columns are column [sets][HT_TAPS]; cost is the mean
 * over tones 1..127. False with a message when it cannot be written. */
bool choose_write(const char *path, const struct table_note *note, int sets,
                  const int column[][HT_TAPS], const int *choice,
                  const ht_tone_t *tones, double cost);

#endif
