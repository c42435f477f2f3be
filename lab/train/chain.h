/*
 * chain.h - trains one set of offsets, tone after tone.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef TRAIN_CHAIN_H
#define TRAIN_CHAIN_H

#include "lab/train/cost.h"
#include "lab/train/printer.h"

/* Parameters of a training; the same settings give the same result. */
struct train_chain {
    ht_method_t method;     /* HT_TDFED4 or HT_TDFED1 */
    uint32_t segment;       /* columns */
    int column[HT_TAPS];    /* +1, two of the next row, 0 */
    const uint8_t *pattern; /* [HT_PATTERN_BYTES] */
    enum cost_kind cost;
    bool pattern_search; /* instead of downhill */
    uint64_t seed;
    int first, last;                      /* tones, from high to low, 1..127 */
    const struct reference *usual, *best; /* [256] */
};

/* A finished tone. */
struct trained {
    ht_tone_t tone;
    double cost; /* without the step from the neighbour */
};

/*
 * Trains tones first, first - 1 .. last. Each starts from its neighbour's
 * optimum and from random places, and the best is polished. Every finished
 * tone is added to the file at `path`; those found there are not trained
 * again, so that a stopped training goes on. out [128], by tone; `label` is
 * for the progress. False with a message when something cannot be written.
 */
bool chain_train(const struct train_chain *chain, const char *path,
                 const char *label, struct trained *out);

/* Reads the finished tones of a file; cost is -1 for those not there. */
void chain_read(const struct train_chain *chain, const char *path,
                struct trained *out);

/* Rounded as tables are written: 5 decimals, the last weight gets the rest, or
 * the largest gives it when it is less than 0. */
ht_tone_t chain_rounded(const ht_tone_t *tone);

#endif
