/*
 * sharpness.h - measures the strength of a halftone's fine detail.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef TRAIN_SHARPNESS_H
#define TRAIN_SHARPNESS_H

#include <stdint.h>

#include "lab/train/plane.h"

enum sharpness_direction {
    SHARPNESS_HORIZONTAL, /* the waves follow each other from left to right */
    SHARPNESS_VERTICAL,
    SHARPNESS_DIAGONAL, /* both ways down */
    SHARPNESS_DIRECTIONS
};

#define SHARPNESS_WAVES 3 /* pictures of each direction */

/*
 * Waves of about 1/4 cycle a pixel, a plane of 512 x 512 tones. Along the
 * crests the mean goes from `low` to `high`, so that no texture of a single
 * tone locks in; `swing` is the amplitude, and means less that much are tones,
 * too. Waves 0..SHARPNESS_WAVES-1 differ a little in frequency and direction.
 */
struct plane sharpness_waves(enum sharpness_direction direction, int wave,
                             int low, int high, int swing);

/* The amplitude of that wave in the dots over that in the tones: 1 is
 * faithful. */
double sharpness_transfer(const struct plane *dots, const struct plane *tones,
                          enum sharpness_direction direction, int wave);

/* A picture in place of a photo, 512 x 512: clouds with detail of every size,
 * and round things with soft edges. No tone is 0 or 255. */
struct plane sharpness_picture(void);

/* Returns the tones after ht_sharpen(), a new plane. */
struct plane sharpness_apply(const struct plane *tones, uint32_t sharpness);

#endif
