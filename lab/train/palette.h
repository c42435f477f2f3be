/*
 * palette.h - sequences of colors as the RIP makes them, for gradients and
 * scenes.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef TRAIN_PALETTE_H
#define TRAIN_PALETTE_H

#include "lab/train/color.h"

#define PALETTE_STOPS 17

/* C, M, Y, K, 0..255, from light to dark; linear between stops. */
struct palette {
    const char *name;
    int stops;
    uint8_t stop[PALETTE_STOPS][COLOR_INKS];
};

/* RGB colors, by Ghostscript's profiles (gs -sDEVICE=pamcmyk32). */
extern const struct palette palette_gray, palette_skin, palette_sky,
    palette_leaves;

/* C = M = Y, and C = M alone. */
extern const struct palette palette_equal, palette_two;

/* The tones K, C, M, Y, 0..255, at `along`, 0..1. */
void palette_tones(const struct palette *palette, double along,
                   uint8_t tones[COLOR_INKS]);

/* Planes of tones [COLOR_INKS], K, C, M, Y, at `along` [height][width]; the
 * caller's. */
void palette_planes(struct plane *planes, const struct palette *palette,
                    int width, int height, const double *along);

#endif
