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
                      const struct mixture_list *list)
{
    *out = (struct summary){.grain = 0};
    for (int i = 0; i < list->count; i++) {
        struct evenness even;
        char text[80];

        if (!bands_measure(&even, printer, &list->mixture[i], NULL))
            return false;
        snprintf(text, sizeof text, "%s: bands, L*", list->mixture[i].name);
        quality_inform(q, text, even.bands);
        take(out, &even, list->count);
    }
    return true;
}

static bool summarize_moved(struct summary *out, const struct printer *printer,
                            const struct mixture_list *list)
{
    static const struct misregister moved[] = {{.5, 0}, {0, .5}, {.5, .5}};

    *out = (struct summary){.grain = 0};
    for (int i = 0; i < 3 * list->count; i++) {
        struct evenness even;

        if (!bands_measure(&even, printer, &list->mixture[i / 3],
                           &moved[i % 3]))
            return false;
        take(out, &even, 3 * list->count);
    }
    return true;
}

/* Adds how far mixtures are from Demichel's color. */
static bool add_distances(struct quality *q, const struct printer *printer,
                          const struct mixture_list *list)
{
    double mean = 0, worst = 0;

    for (int i = 0; i < list->count; i++) {
        struct mixed mixed;

        if (!mixture_measure(&mixed, printer, &list->mixture[i]))
            return false;
        mean += mixed.distance / list->count;
        worst = fmax(worst, mixed.distance);
    }
    quality_inform(q, "mixtures held out: distance, mean", mean);
    quality_inform(q, "mixtures held out: distance, worst", worst);
    return true;
}

bool quality_together(struct quality *q, const struct printer *printer)
{
    const struct mixture_list usual = {MIXTURES, mixtures};
    struct summary s;
    double most;

    if (!summarize(&s, q, printer, &usual))
        return false;
    quality_add(q, "nine mixtures: bands, L*", s.bands, .1, false);
    if (!summarize(&s, q, printer, &mixtures_light))
        return false;
    quality_add(q, "light mixtures: grain L*, mean", s.grain, .26, false);
    quality_add(q, "light mixtures: grain L*, worst", s.worst, .36, false);
    quality_add(q, "light mixtures: bands, L*", s.bands, .1, false);
    if (!summarize(&s, q, printer, &mixtures_dark))
        return false;
    quality_add(q, "dark mixtures: grain L*, mean", s.grain, 1.8, false);
    quality_add(q, "dark mixtures: bands, L*", s.bands, .1, false);
    if (!summarize(&s, q, printer, &mixtures_held) ||
        !add_distances(q, printer, &mixtures_held))
        return false;
    quality_inform(q, "mixtures held out: grain L*, mean", s.grain);
    quality_add(q, "mixtures held out: bands, L*", s.bands, .1, false);
    if (!summarize_moved(&s, printer, &usual))
        return false;
    quality_add(q, "M half a pixel off: grain L*, mean", s.grain, .75, false);
    quality_add(q, "M half a pixel off: bands, L*", s.bands, .4, false);
    if (!ramps_measure(&most, printer))
        return false;
    quality_add(q, "ramps: a row or a column that stands out, L*", most, .2,
                false);
    return true;
}
