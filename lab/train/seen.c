/*
 * seen.c - judges pictures of dots beside their tones.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <stdlib.h>

#include "lab/train/seen.h"

#define EDGE 16    /* pixels, not judged */
#define CLASSES 15 /* of tones 1..254 */

static const double whole[HT_MAX_LEVELS] = {0, 1, 1, 1, 1, 1};

/* Returns what dots of one ink cover of each pixel, 0..1; free() it. */
static double *covered(const struct plane *dots, int ink,
                       const struct look *look)
{
    struct plane none = plane_new(dots->width, dots->height), alone[COLOR_INKS];
    const double paper = color_primaries[0][1],
                 solid = color_primaries[1 << ink][1];

    for (int i = 0; i < COLOR_INKS; i++)
        alone[i] = i == ink ? *dots : none;
    struct colors colors = round_dots(alone, whole, look);
    double *area = colors.plane[1];
    for (int i = 0; i < dots->width * dots->height; i++)
        area[i] = (paper - area[i]) / (paper - solid);
    colors.plane[1] = NULL;
    colors_free(&colors);
    plane_free(&none);
    return area;
}

/* Fits what all 256 tones cover: straight lines between paper, the means of
 * classes of tones, and solid ink. */
static void fit(double *curve, const struct plane *tones, const double *area)
{
    double count[CLASSES] = {0}, at[CLASSES + 2] = {0}, mean[CLASSES + 2] = {0};
    int last = 0;

    for (int i = 0; i < tones->width * tones->height; i++) {
        const int tone = tones->value[i], k = (tone - 1) * CLASSES / 254;

        if (tone > 0 && tone < 255) {
            count[k]++;
            at[k + 1] += tone;
            mean[k + 1] += area[i];
        }
    }
    for (int k = 0; k < CLASSES; k++)
        if (count[k] > 0) {
            at[++last] = at[k + 1] / count[k];
            mean[last] = mean[k + 1] / count[k];
        }
    at[++last] = 255;
    mean[last] = 1;
    for (int tone = 0, k = 0; tone < 256; tone++) {
        while (tone > at[k + 1])
            k++;
        curve[tone] = mean[k] + (mean[k + 1] - mean[k]) * (tone - at[k]) /
                                    (at[k + 1] - at[k]);
    }
}

void seen_distances(const struct plane *dots, const struct plane *tones,
                    const struct look *look, const struct sight *sight,
                    int count, double *distance)
{
    double curve[COLOR_INKS][256];

    for (int ink = 0; ink < COLOR_INKS; ink++) {
        double *area = covered(&dots[ink], ink, look);

        fit(curve[ink], &tones[ink], area);
        free(area);
    }
    struct colors is = round_dots(dots, whole, look),
                  wanted = colors_of_tones(tones, curve);
    for (int i = 0; i < count; i++) {
        struct colors a = colors_copy(&is), b = colors_copy(&wanted);

        scielab_see_at(&a, sight[i]);
        scielab_see_at(&b, sight[i]);
        distance[i] = colors_distance(&a, &b, EDGE);
        colors_free(&a);
        colors_free(&b);
    }
    colors_free(&is);
    colors_free(&wanted);
}
