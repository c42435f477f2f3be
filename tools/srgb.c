/*
 * srgb.c - sRGB to linear light and back.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <math.h>

#include "tools/srgb.h"

void srgb_fill(struct srgb *srgb)
{
    for (int i = 0; i < SRGB_STEPS; i++) {
        double v = (double)i / (SRGB_STEPS - 1);

        v = v <= 0.0031308 ? v * 12.92 : 1.055 * pow(v, 1.0 / 2.4) - 0.055;
        srgb->of_light[i] = (uint8_t)(v * 255.0 + 0.5);
    }
}

double srgb_to_light(double value)
{
    return value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4);
}

uint8_t srgb_from_light(const struct srgb *srgb, double light)
{
    if (light <= 0)
        return srgb->of_light[0];
    if (light >= 1)
        return srgb->of_light[SRGB_STEPS - 1];
    return srgb->of_light[(int)(light * (SRGB_STEPS - 1) + 0.5)];
}
