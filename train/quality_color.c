/*
 * quality_color.c - the musts on inks that are seen as one picture.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <math.h>
#include <stdio.h>

#include "train/boxes.h"
#include "train/gradient.h"
#include "train/mixture.h"
#include "train/quality.h"
#include "train/scene.h"

static void inform(struct quality *q, const char *name, const char *what,
                   double value)
{
    char text[80];

    snprintf(text, sizeof text, "%s: %s", name, what);
    quality_inform(q, text, value);
}

/* Without a printer, of joint direct binary search. */
static bool add_mixtures(struct quality *q, const struct printer *printer)
{
    double grain = 0, worst_grain = 0, distance = 0, worst = 0, shifted = 0;
    struct mixed mixed[MIXTURES];

    for (int i = 0; i < MIXTURES; i++) {
        const char *name = mixtures[i].name;
        const struct mixed *m = &mixed[i];

        if (!mixture_measure(&mixed[i], printer, &mixtures[i]))
            return false;
        inform(q, name, "grain L*", m->grain[0]);
        inform(q, name, "grain a*", m->grain[1]);
        inform(q, name, "grain b*", m->grain[2]);
        inform(q, name, "distance from Demichel's color", m->distance);
        grain += m->grain[0] / MIXTURES;
        worst_grain = fmax(worst_grain, m->grain[0]);
        distance += m->distance / MIXTURES;
        worst = fmax(worst, m->distance);
        shifted = fmax(shifted, m->misregistered);
    }
    quality_add(q, "grain L*, mean of nine mixtures", grain, 0.48, false);
    quality_add(q, "grain L*, worst", worst_grain, 1, false);
    quality_add(q, "grain L*, C=M=Y of 10 %", mixed[0].grain[0], 0.14, false);
    quality_add(q, "distance from Demichel's color, mean", distance, 0.3,
                false);
    quality_add(q, "distance from Demichel's color, worst", worst, 1, false);
    quality_add(q, "M shifted by a pixel, largest change of color", shifted, 1,
                false);
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
    quality_inform(q, "C=M=Y boxes: first and last rows from the middle, mean",
                   boxes.ends);
    quality_inform(q, "C=M=Y boxes: first and last rows from the middle, worst",
                   boxes.worst_end);
    quality_add(q, "C=M=Y boxes under white: distance of 8 rows",
                boxes.distance, 3, false);
    return true;
}

bool quality_color(struct quality *q, const struct printer *printer)
{
    return add_mixtures(q, printer) && add_directions(q, printer) &&
           add_gradients(q, printer) && add_boxes(q, printer) &&
           add_scenes(q, printer);
}

void quality_color_floor(struct quality *q)
{
    add_mixtures(q, NULL);
}
