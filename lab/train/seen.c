/*
 * seen.c - judges pictures of dots beside their tones.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <math.h>
#include <stdlib.h>

#include "lab/train/seen.h"

#define EDGE 16    /* pixels, not judged */
#define CLASSES 15 /* of tones 1..254 */

/* Returns what dots of one ink cover of each pixel, 0..1; free() it. */
static double *covered(const struct plane *dots, const double *area, int ink,
                       const struct look *look)
{
    struct plane none = plane_new(dots->width, dots->height), alone[COLOR_INKS];
    const double paper = color_primaries[0][1],
                 solid = color_primaries[1 << ink][1];

    for (int i = 0; i < COLOR_INKS; i++)
        alone[i] = i == ink ? *dots : none;
    struct colors colors = round_dots(alone, area, look);
    double *cover = colors.plane[1];
    for (int i = 0; i < dots->width * dots->height; i++)
        cover[i] = (paper - cover[i]) / (paper - solid);
    colors.plane[1] = NULL;
    colors_free(&colors);
    plane_free(&none);
    return cover;
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

void seen_distances(const struct plane *dots, const double *area,
                    const struct plane *tones, const struct look *look,
                    const struct sight *sight, int count, double *distance)
{
    double curve[COLOR_INKS][256];

    for (int ink = 0; ink < COLOR_INKS; ink++) {
        double *cover = covered(&dots[ink], area, ink, look);

        fit(curve[ink], &tones[ink], cover);
        free(cover);
    }
    struct colors is = round_dots(dots, area, look),
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

/* A copy of one of the prints in a picture, without its first eighth. */
static struct colors print_of(const struct colors *picture, int prints, int n)
{
    const int height = picture->height / prints, first = height / 8;
    const int at = (n * height + first) * picture->width;
    const struct colors part = {picture->width,
                                height - first,
                                {picture->plane[0] + at, picture->plane[1] + at,
                                 picture->plane[2] + at}};

    return colors_copy(&part);
}

void seen_grain(const struct plane *dots, const double *area,
                const struct look *look, const struct sight *sight, int count,
                int prints, double *grain)
{
    struct colors is = round_dots(dots, area, look);

    for (int i = 0; i < count; i++) {
        struct colors seen = colors_copy(&is);

        scielab_see_at(&seen, sight[i]);
        struct colors mean = print_of(&seen, prints, 0);
        for (int n = 1; n < prints; n++) {
            struct colors next = print_of(&seen, prints, n);

            for (int c = 0; c < 3; c++)
                for (int at = 0; at < mean.width * mean.height; at++)
                    mean.plane[c][at] +=
                        (next.plane[c][at] - mean.plane[c][at]) / (n + 1);
            colors_free(&next);
        }
        grain[i] = 0;
        for (int n = 0; n < prints; n++) {
            struct colors one = print_of(&seen, prints, n),
                          other = colors_copy(&mean);

            grain[i] += colors_distance(&one, &other, EDGE) / prints;
            colors_free(&one);
            colors_free(&other);
        }
        grain[i] *= sqrt(prints / (prints - 1.));
        colors_free(&seen);
        colors_free(&mean);
    }
    colors_free(&is);
}
