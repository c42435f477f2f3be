/*
 * table_file.h - writes tone tables (doc/dev/table-format.md).
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef TRAIN_TABLE_FILE_H
#define TRAIN_TABLE_FILE_H

#include "halftone/halftone.h"

/* Where a table comes from. */
struct table_note {
    const char *name, *made_by;
    uint32_t seed;
    double cost;
};

/* Rounds a tone to what a file has, its weights so that they sum to 1. */
ht_tone_t table_rounded(const ht_tone_t *tone);

/* Writes rounded tones [HT_TONES]; false with a message when it cannot. */
bool table_write(const char *path, const struct table_note *note,
                 const ht_tone_t *tones);

#endif
