/*
 * anchors.h - a tone table on straight lines between anchors, and the search
 * for the anchors whose tints have the least grain.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef TRAIN_ANCHORS_H
#define TRAIN_ANCHORS_H

#include "halftone/halftone.h"
#include "lab/train/grain.h"

#define ANCHORS_MOST 64
#define ANCHORS_SETS 4

/* The numbers of an anchor: weights of taps 0 to 2, t_u - t_l and h. */
enum { ANCHOR_WEIGHTS = 3, ANCHOR_SPREAD = 3, ANCHOR_FEEDBACK, ANCHOR_NUMBERS };

/* Tones that have the same columns in the next row. */
struct anchor_set {
    int column[2];
    int first, last;
};

struct anchors {
    ht_method_t method;
    uint32_t segment;
    const uint8_t *pattern; /* [HT_PATTERN_BYTES] */
    bool feedback;          /* h may be more than 0 */
    struct grain_judge judge;
    double weight[GRAIN_DOTS]; /* of the kinds of dots in the cost */
    double near;               /* of what is seen at 6 inches */
    double most[HT_REACH + 2]; /* the largest weights at the next row's columns
                                  -6..+1, but for the one straight down */
    int sets, count;
    struct anchor_set set[ANCHORS_SETS];
    int tone[ANCHORS_MOST]; /* increasing */
    int draws;              /* random places of each anchor at first, */
    int search;             /* evaluations from each of the best of them, */
    int polish;             /* and in each of these: */
    int sweeps;             /* over all anchors */
    uint32_t jobs;          /* at a time */
    uint64_t seed;
    const ht_tone_t *start; /* [HT_TONES] that it begins with, or NULL; */
    int from;               /* anchors before this tone then stay */
    double x[ANCHORS_MOST][ANCHOR_NUMBERS]; /* the result */
    double cost; /* and its mean over the tones from the first anchor on */
};

/* Puts anchors at every `step`-th tone of the sets, and at their ends. */
void anchors_place(struct anchors *anchors, int step);

/* Finds the anchors' numbers. False when memory or processes are out. */
bool anchors_search(struct anchors *anchors);

/* Returns the parameters of a tone, tone[0]..127, with thresholds around a
 * smooth curve, not yet balanced. */
ht_tone_t anchors_tone(const struct anchors *anchors, int tone);

#endif
