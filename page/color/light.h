/*
 * light.h - the ink of a picture, by its own profile, to light.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef COLOR_LIGHT_H
#define COLOR_LIGHT_H

#include <stdbool.h>
#include <stdint.h>

#include "page/color/profile.h"

struct color_light;

/* Prepares for samples of CMYK, 8 bits, by that profile; `inverted`: 255 is no
 * ink, as in Adobe's JPEG. The darkest becomes black. NULL where lcms2 cannot.
 * Close in any case. */
struct color_light *color_light_open(const struct profile *cmyk, bool inverted);
void color_light_close(struct color_light *light);

/* Makes sRGB [width][3] of a line [width][4]. */
void color_light_line(const struct color_light *light, const uint8_t *ink,
                      uint32_t width, uint8_t *rgb);

#endif
