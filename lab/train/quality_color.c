/*
 * quality_color.c - the musts on inks that are seen as one picture.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <math.h>
#include <stdio.h>

#include "lab/train/boxes.h"
#include "lab/train/gradient.h"
#include "lab/train/mixture.h"
#include "lab/train/quality.h"
#include "lab/train/scene.h"

static void inform(struct quality *q, const char *name, const char *what,
                   double value)
{
    char text[80];

    snprintf(text, sizeof text, "%s: %s", name, what);
    quality_inform(q, text, value);
}

/* Summary of the nine mixtures: means and maxima. */
struct mixed_all {
    double grain, worst_grain, distance, worst_distance, shifted;
};

/* Measures a mixture and adds it to `all`; without a printer, of joint direct
 * binary search. */
static bool take_mixture(struct mixed_all *all, struct mixed *mixed,
                         const struct printer *printer, int i,
                         const struct look *look)
{
    if (!mixture_measure(mixed, printer, &mixtures[i], look))
        return false;
    all->grain += mixed->grain[0] / MIXTURES;
    all->worst_grain = fmax(all->worst_grain, mixed->grain[0]);
    all->distance += mixed->distance / MIXTURES;
    all->worst_distance = fmax(all->worst_distance, mixed->distance);
    all->shifted = fmax(all->shifted, mixed->misregistered);
    return true;
}

/* Without a printer, of joint direct binary search. */
static bool add_mixtures(struct quality *q, const struct printer *printer,
                         const struct look *look)
{
    struct mixed_all all = {.grain = 0};
    double least_tone = 0; /* grain of the first mixture */

    for (int i = 0; i < MIXTURES; i++) {
        const char *name = mixtures[i].name;
        struct mixed m;

        if (!take_mixture(&all, &m, printer, i, look))
            return false;
        inform(q, name, "grain L*", m.grain[0]);
        inform(q, name, "grain a*", m.grain[1]);
        inform(q, name, "grain b*", m.grain[2]);
        inform(q, name, "distance from Demichel's color", m.distance);
        least_tone = i == 0 ? m.grain[0] : least_tone;
    }
    quality_add(q, "grain L*, mean of nine mixtures", all.grain, 0.447, false);
    quality_add(q, "grain L*, worst", all.worst_grain, 0.645, false);
    quality_add(q, "grain L*, C=M=Y of 10 %", least_tone, 0.23, false);
    quality_add(q, "distance from Demichel's color, mean", all.distance, 1.35,
                false);
    quality_add(q, "distance from Demichel's color, worst", all.worst_distance,
                2.82, false);
    quality_add(q, "M shifted by a pixel, largest change of color", all.shifted,
                5.15, false);
    return true;
}

/* Adds the mixtures by Floyd-Steinberg, which has a table of its own. */
static bool add_floyd_steinberg(struct quality *q,
                                const struct printer *printer)
{
    const struct printer floyd = {.method = HT_FLOYD_STEINBERG,
                                  .engine = printer->engine};
    struct mixed_all all = {.grain = 0};
    struct mixed m;

    for (int i = 0; i < MIXTURES; i++)
        if (!take_mixture(&all, &m, &floyd, i, &look_square))
            return false;
    quality_add(q, "Floyd-Steinberg: grain L*, mean of nine mixtures",
                all.grain, 0.6, false);
    quality_inform(q, "Floyd-Steinberg: grain L*, worst", all.worst_grain);
    quality_add(q, "Floyd-Steinberg: distance from Demichel's color, mean",
                all.distance, 0.3, false);
    quality_add(q, "Floyd-Steinberg: distance from Demichel's color, worst",
                all.worst_distance, 1, false);
    return true;
}

static bool add_directions(struct quality *q, const struct printer *printer)
{
    double worst = -100, more;

    for (int i = 0; i < MIXTURES; i++) {
        if (!mixture_direction(&more, printer, &mixtures[i]))
            return false;
        inform(q, mixtures[i].name, "anisotropy / darkest ink's, dB", more);
        worst = fmax(worst, more);
    }
    quality_add(q, "anisotropy / darkest ink's, worst, dB", worst, 1, false);
    return true;
}

static bool add_gradients(struct quality *q, const struct printer *printer)
{
    double shift[GRADIENT_PARTS][3];

    for (int i = 0; i < GRADIENTS; i++) {
        char text[80];

        if (!gradient_shifts(shift, printer, gradients[i]))
            return false;
        snprintf(text, sizeof text, "gradient %s: unevenness",
                 gradients[i]->name);
        quality_add(q, text, gradient_unevenness(shift, GRADIENT_PARTS), 0.5,
                    false);
    }
    return true;
}

static bool add_scenes(struct quality *q, const struct printer *printer)
{
    for (int i = 0; i < SCENES; i++) {
        char text[80];
        double distance;

        if (!scene_measure(&distance, printer, i))
            return false;
        snprintf(text, sizeof text, "scene %s: S-CIELAB distance",
                 scene_name[i]);
        quality_inform(q, text, distance);
    }
    return true;
}

static bool add_boxes(struct quality *q, const struct printer *printer)
{
    struct boxes boxes;

    if (!boxes_measure(&boxes, printer))
        return false;
    quality_add(q, "C=M=Y boxes of 10 %, round: top, 12 in", boxes.top[0], 1.1,
                false);
    quality_add(q, "C=M=Y boxes of 10 %, round: top, 6 in", boxes.top[1], 3.4,
                false);
    quality_add(q, "C=M=Y boxes: first and last 2 rows from the middle, mean",
                boxes.two_rows.mean, 1.5, false);
    quality_add(q, "C=M=Y boxes: first and last 2 rows from the middle, worst",
                boxes.two_rows.worst, 2.5, false);
    quality_inform(q, "C=M=Y boxes: first and last 4 rows, mean",
                   boxes.four_rows.mean);
    quality_inform(q, "C=M=Y boxes: first and last 4 rows, worst",
                   boxes.four_rows.worst);
    quality_add(q, "C=M=Y boxes under white: distance of 8 rows",
                boxes.distance, 3, false);
    return true;
}

bool quality_color(struct quality *q, const struct printer *printer)
{
    if (!add_mixtures(q, printer, &look_round))
        return false;
    quality_square(q, true);
    bool ok = add_mixtures(q, printer, &look_square);
    quality_square(q, false);
    return ok && add_floyd_steinberg(q, printer) &&
           add_directions(q, printer) && add_gradients(q, printer) &&
           add_boxes(q, printer) && add_scenes(q, printer);
}

void quality_color_floor(struct quality *q)
{
    add_mixtures(q, NULL, &look_round);
    quality_square(q, true);
    add_mixtures(q, NULL, &look_square);
    quality_square(q, false);
}
