/*
 * scene.h - pictures made by program, in the inks that the RIP makes of them:
 * a face's skin, a sky with clouds, leaves.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef TRAIN_SCENE_H
#define TRAIN_SCENE_H

#include "lab/train/palette.h"
#include "lab/train/printer.h"

#define SCENES 3
extern const char *const scene_name[SCENES];

/* The tones [COLOR_INKS], 512 x 512, of scene 0..SCENES-1; the caller's. */
void scene_planes(struct plane *planes, int scene);

/* S-CIELAB distance of drops [COLOR_INKS] of these areas (colors_of_drops())
 * from their tones, the mean of the pixels at least 32 from every edge. */
double scene_distance(const struct plane *drops, const double *area,
                      const struct plane *tones);

/* Prints a scene and gives that distance. False after a complaint. */
bool scene_measure(double *distance, const struct printer *printer, int scene);

#endif
