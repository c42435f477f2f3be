/*
 * chain.h - trains one set of offsets, tone after tone.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef TRAIN_CHAIN_H
#define TRAIN_CHAIN_H

#include "train/cost.h"
#include "train/printer.h"

/* What is trained and how; the same settings give the same result. */
struct chain {
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
bool chain_train(const struct chain *chain, const char *path, const char *label,
                 struct trained *out);

/* Reads the finished tones of a file; cost is -1 for those not there. */
void chain_read(const struct chain *chain, const char *path,
                struct trained *out);

/* The numbers that are searched: the weights (0,+1) and of the next row, and
 * t_u; t_l = 1 - t_u, and the fourth weight, straight down, is left. */
#define CHAIN_FREE 4

/* The tone of x [CHAIN_FREE]; with `even` t_u is 1/2 whatever x says. */
ht_tone_t chain_tone(const int column[HT_TAPS], const double *x, bool even);

/* A table that has this tone at all tones; free it with ht_table_free(). NULL
 * when errors could leave 16 bits. */
ht_table_t *chain_table(const struct chain *chain, const ht_tone_t *tone);

#define CHAIN_INKS 4 /* at most */

/* Prints a tone (1..127) in `inks` inks with its chain_table() and cuts out
 * what is judged: patch [inks] of across x across squares of COST_SIDE, which
 * plane_free() frees. False when it cannot be printed. */
bool chain_print(const struct chain *chain, int number, const ht_tone_t *tone,
                 int inks, int across, struct plane *patch);

/* Square i of the across x across of such a patch, in reading order; free it
 * with plane_free(). */
struct plane chain_square(const struct plane *patch, int across, int i);

/* How far a tone's weights and t_u are outside their bounds; 0 = inside. */
double chain_outside(const ht_tone_t *tone);

/* A cost without its last bits, which differ between processors. */
double chain_round(double cost);

/* Rounded as tables are written: 5 decimals, the last weight gets the rest, or
 * the largest gives it when it is less than 0. */
ht_tone_t chain_rounded(const ht_tone_t *tone);

#endif
