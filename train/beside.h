/*
 * beside.h - fits tones to pages where other inks are beside.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef TRAIN_BESIDE_H
#define TRAIN_BESIDE_H

#include "train/chain.h"

/*
 * Searches once more at tones 12..63, from what was found for an ink by
 * itself, and where that has equal thresholds from unequal ones, too. The cost
 * is that of the chain, and of four inks of the tone, which look at each other
 * about as strongly as avoid_find() will have them, with their HVS errors at S,
 *   0.05  x the mean of max(0, ln(error / the best DBS's)),
 *   0.05  x the mean overprint of two inks, over chance, and as long as four
 *           inks find room side by side
 *   0.25  x what the worst error over that of the ink alone is above 1.02,
 *   0.5   x the overprint above 0.95 of what is allowed.
 * The thresholds of tones [HT_TONES] are balanced, before and after; strengths
 * are 0. cost [HT_TONES] becomes the chain's for what was found. False when
 * something cannot be printed.
 */
bool beside_fit(const struct chain *chain, uint32_t jobs, ht_tone_t *tones,
                double *cost);

#endif
