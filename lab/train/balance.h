/*
 * balance.h - thresholds that leave no error on average.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef TRAIN_BALANCE_H
#define TRAIN_BALANCE_H

#include "halftone/halftone.h"

/*
 * The mean error e (doc/dev/halftone.md, "A pixel") of a flat patch of `tone`,
 * 1..254, in dots, printed with a table and in segments of so many columns, 0 =
 * unbroken rows. False with a message when it cannot be printed.
 */
bool balance_mean_error(ht_method_t method, const ht_table_t *table,
                        uint32_t segment, int tone, double *mean);

/*
 * Shifts both thresholds of each of tones [HT_TONES] by what makes the mean
 * error 0, within 0..1; lab/doc/quality.md, "Balance". Tone 0 gets tone 1's.
 * False with a message when something cannot be printed.
 */
bool balance_thresholds(ht_tone_t *tones, ht_method_t method, uint32_t segment,
                        const uint8_t *pattern);

#endif
