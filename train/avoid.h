/*
 * avoid.h - finds how strongly inks should avoid each other at each tone.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef TRAIN_AVOID_H
#define TRAIN_AVOID_H

#include "train/inks.h"

/*
 * Sets `avoid` of tones [HT_TONES]: at a few key tones the strength with the
 * least cost for two inks at equal tones, and four up to 15 % of ink, and
 * straight lines between. The cost is, of what inks_together() measures,
 *   4 x overprint above 0.95 of what is allowed: 0.05 of chance up to 20 % of
 * ink, 0.3 at 30 %, 0.6 at 40 %, 0.93 at 51 %, and straight lines between,
 * twice the ink's own HVS error and texture above 1.05 of alone and the sum's
 * error above 0.97 of independent inks', and a tenth of the overprint and of
 * what the ink's own HVS error is above that of alone. No strength takes a
 * threshold out of 0..1. The thresholds are those of balance_thresholds():
 * inks look at each other's errors. `best` are all references [256]. False
 * when a print fails.
 */
bool avoid_find(ht_tone_t *tones, ht_method_t method, uint32_t segment,
                const uint8_t *pattern, const struct reference *best,
                uint32_t jobs);

/* Up to this tone four inks find room side by side. */
#define AVOID_FOUR_FIT 38

/* The overprint that is allowed, in shares of chance. */
double avoid_allowed(int tone);

/* A strength as files have it, which takes no threshold of tone `number` or of
 * its mirror out of 0..1, not even where it rises. */
double avoid_held(double wanted, int number, const ht_tone_t *tone);

/* The cost above. */
double avoid_cost(const struct together *together, int tone);

#endif
