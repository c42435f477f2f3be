/*
 * srgb.h - sRGB to linear light and back (IEC 61966-2-1).
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef TOOLS_SRGB_H
#define TOOLS_SRGB_H

#include <stdint.h>

#define SRGB_STEPS 65536 /* of linear light; finer than sRGB near black */

/* Bytes of sRGB by linear light: pow() would be most of a picture's time. */
struct srgb {
    uint8_t of_light[SRGB_STEPS];
};

void srgb_fill(struct srgb *srgb);

/* Returns the linear light, 0..1, of a value of sRGB, 0..1. */
double srgb_to_light(double value);

/* Returns the value of sRGB, 0..255, of linear light: below 0 it is 0, above 1
 * 255. */
uint8_t srgb_from_light(const struct srgb *srgb, double light);

#endif
