/*
 * light.h - the ink of a picture, by its own profile, to light; and profiles of
 * spaces of light that are known by numbers.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef COLOR_LIGHT_H
#define COLOR_LIGHT_H

#include <stddef.h>
#include <stdint.h>

#include "page/color/profile.h"

struct color_light;

/* Prepares for samples of CMYK, 8 bits, by that profile; 255 is no ink, as in
 * JPEG. The darkest becomes black. NULL where lcms2 cannot. Close in any case.
 */
struct color_light *color_light_open(const struct profile *cmyk);
void color_light_close(struct color_light *light);

/* Makes sRGB [width][3] of a line [width][4]. */
void color_light_line(const struct color_light *light, const uint8_t *ink,
                      uint32_t width, uint8_t *rgb);

/* Colors of red, green and blue. */
struct color_rgb {
    double white[2], primaries[3][2]; /* x and y of CIE 1931 */
    double gamma;                     /* of the tones; 0 = sRGB's curve */
};

extern const struct color_rgb color_adobe_rgb;

/* Makes an ICC profile of `size` bytes, to be freed; NULL of numbers that are
 * no colors, or without memory. */
uint8_t *color_rgb_icc(const struct color_rgb *rgb, size_t *size);

#endif
