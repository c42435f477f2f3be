/*
 * quality_together.c - the musts on how even mixtures of inks look.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <math.h>
#include <stdio.h>

#include "lab/train/bands.h"
#include "lab/train/quality.h"
#include "lab/train/ramps.h"

/* Summary of a list of mixtures. */
struct summary {
    double grain, worst, bands; /* the mean, and the most */
};

static void take(struct summary *out, const struct evenness *even, int count)
{
    out->grain += even->grain / count;
    out->worst = fmax(out->worst, even->grain);
    out->bands = fmax(out->bands, even->bands);
}

static bool summarize(struct summary *out, struct quality *q,
                      const struct printer *printer,
                      const struct mixture_list *list, const struct look *look)
{
    *out = (struct summary){.grain = 0};
    for (int i = 0; i < list->count; i++) {
        struct evenness even;
        char text[80];

        if (!bands_measure(&even, printer, &list->mixture[i], look))
            return false;
        snprintf(text, sizeof text, "%s: bands, L*", list->mixture[i].name);
        quality_inform(q, text, even.bands);
        take(out, &even, list->count);
    }
    return true;
}

/* Judges the list with M half a pixel to the right, down, and both. */
static bool summarize_moved(struct summary *out, const struct printer *printer,
                            const struct mixture_list *list,
                            const struct look *look)
{
    *out = (struct summary){.grain = 0};
    for (int i = 0; i < 3 * list->count; i++) {
        struct look moved = *look;
        struct evenness even;

        moved.right = i % 3 == 1 ? 0 : .5;
        moved.down = i % 3 == 0 ? 0 : .5;
        if (!bands_measure(&even, printer, &list->mixture[i / 3], &moved))
            return false;
        take(out, &even, 3 * list->count);
    }
    return true;
}

/* Adds how far mixtures are from Demichel's color. */
static bool add_distances(struct quality *q, const struct printer *printer,
                          const struct mixture_list *list,
                          const struct look *look)
{
    double mean = 0, worst = 0;

    for (int i = 0; i < list->count; i++) {
        struct mixed mixed;

        if (!mixture_measure(&mixed, printer, &list->mixture[i], look))
            return false;
        mean += mixed.distance / list->count;
        worst = fmax(worst, mixed.distance);
    }
    quality_inform(q, "mixtures held out: distance, mean", mean);
    quality_inform(q, "mixtures held out: distance, worst", worst);
    return true;
}

static bool add_all(struct quality *q, const struct printer *printer,
                    const struct look *look)
{
    const struct mixture_list usual = {MIXTURES, mixtures};
    struct summary s;
    double most;

    if (!summarize(&s, q, printer, &usual, look))
        return false;
    quality_add(q, "nine mixtures: bands, L*", s.bands, .1, false);
    if (!summarize(&s, q, printer, &mixtures_light, look))
        return false;
    quality_add(q, "light mixtures: grain L*, mean", s.grain, .346, false);
    quality_add(q, "light mixtures: grain L*, worst", s.worst, .427, false);
    quality_add(q, "light mixtures: bands, L*", s.bands, .1, false);
    if (!summarize(&s, q, printer, &mixtures_dark, look))
        return false;
    quality_add(q, "dark mixtures: grain L*, mean", s.grain, 1.26, false);
    quality_add(q, "dark mixtures: bands, L*", s.bands, .1, false);
    if (!summarize(&s, q, printer, &mixtures_held, look) ||
        !add_distances(q, printer, &mixtures_held, look))
        return false;
    quality_inform(q, "mixtures held out: grain L*, mean", s.grain);
    quality_add(q, "mixtures held out: bands, L*", s.bands, .1, false);
    if (!summarize_moved(&s, printer, &usual, look))
        return false;
    quality_add(q, "M half a pixel off: grain L*, mean", s.grain, .65, false);
    quality_add(q, "M half a pixel off: bands, L*", s.bands, .4, false);
    if (!ramps_measure(&most, printer, look))
        return false;
    quality_add(q, "ramps: a row or a column that stands out, L*", most, .213,
                false);
    return true;
}

bool quality_together(struct quality *q, const struct printer *printer)
{
    if (!add_all(q, printer, &look_round))
        return false;
    quality_square(q, true);
    bool ok = add_all(q, printer, &look_square);
    quality_square(q, false);
    return ok;
}
