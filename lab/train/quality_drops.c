/*
 * quality_drops.c - the musts on drops of several sizes.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <math.h>
#include <stdio.h>

#include "lab/train/bands.h"
#include "lab/train/dbs.h"
#include "lab/train/hvs.h"
#include "lab/train/quality.h"
#include "lab/train/ramps.h"
#include "lab/train/scene.h"
#include "lab/train/scielab.h"

#define SIDE 416  /* pixels of a patch */
#define TONES 32  /* of one ink that are compared with direct binary search */
#define PATCH 256 /* pixels of their sides */
#define DIAMETER 1.3 /* pitches, of the dots that the limits are about */
#define NO_LIMIT INFINITY

static const struct mixture light[] = {
    {"5/25/30/0", {5, 25, 30, 0}},
    {"30/8/2/0", {30, 8, 2, 0}},
    {"5/5/40/0", {5, 5, 40, 0}},
    {"10/10/10/0", {10, 10, 10, 0}},
};
static const struct mixture_list lists[] = {{MIXTURES, mixtures}, {4, light}};
static const char *const list_name[] = {"nine mixtures", "light mixtures"};

/* Adds a line whose limits are those of neighboring sizes alone and of sizes
 * that are mixed everywhere, of thirds of a dot. */
static void add(struct quality *q, const struct printer *printer,
                const char *list, const char *what, double value,
                double neighbors, double mixed)
{
    double limit = NO_LIMIT;
    char text[80];

    snprintf(text, sizeof text, "%s: %s", list, what);
    if (printer->drops.levels > 2 && printer->drops.mixed == 0)
        limit = neighbors;
    else if (printer->drops.mixed == HT_MAX_MIXED)
        limit = mixed;
    if (limit < NO_LIMIT)
        quality_add(q, text, value, limit, false);
    else
        quality_inform(q, text, value);
}

/* ---- Mixtures ------------------------------------------------------------ */

struct drops_summary {
    double mean, worst;
};

static void take(struct drops_summary *out, double value, int count)
{
    out->mean += value / count;
    out->worst = fmax(out->worst, value);
}

/* Judgment of the patches of a list. */
struct seen_drops {
    struct drops_summary area, round, wide, moved, change;
};

/* The grain of a patch, which is freed; its mean color goes to `lab`. */
static double grain_of(struct colors colors, double lab[3])
{
    const int margin = 64, inner = SIDE - 2 * margin;
    double xyz[3];

    colors_mean(&colors, margin, margin, inner, inner, xyz);
    color_lab(xyz, lab);
    scielab_see(&colors, SCIELAB_SCALE);
    colors_to_lab(&colors);
    double grain = bands_judge(&colors).grain;
    colors_free(&colors);
    return grain;
}

static bool see(struct seen_drops *out, const struct printer *printer,
                const struct mixture *mixture, int count)
{
    static const struct look still = {.diameter = DIAMETER},
                             moved[] = {{DIAMETER, .5, 0, 0},
                                        {DIAMETER, 0, .5, 0},
                                        {DIAMETER, .5, .5, 0}};
    struct plane drops[COLOR_INKS];
    int tones[COLOR_INKS];
    double area[HT_MAX_LEVELS], before[3], after[3];

    mixture_tones(mixture, tones);
    if (!printer_print_flat(printer, SIDE, SIDE, tones, COLOR_INKS, drops))
        return false;
    printer_areas(printer, area);
    take(&out->area, grain_of(colors_of_drops(drops, area), before), count);
    take(&out->wide, grain_of(round_dots(drops, area, &look_round), before),
         count);
    take(&out->round, grain_of(round_dots(drops, area, &still), before), count);
    for (int i = 0; i < 3; i++) {
        take(&out->moved, grain_of(round_dots(drops, area, &moved[i]), after),
             3 * count);
        take(&out->change, color_distance(before, after), 3 * count);
    }
    planes_free(drops, COLOR_INKS);
    return true;
}

static bool add_mixtures(struct quality *q, const struct printer *printer,
                         int list)
{
    const char *name = list_name[list];
    bool nine = list == 0;
    struct seen_drops seen = {.area = {0}};

    for (int i = 0; i < lists[list].count; i++)
        if (!see(&seen, printer, &lists[list].mixture[i], lists[list].count))
            return false;
    add(q, printer, name, "grain L*, mean", seen.area.mean, nine ? .13 : .07,
        nine ? .24 : .14);
    add(q, printer, name, "grain L*, worst", seen.area.worst,
        nine ? .20 : NO_LIMIT, nine ? .42 : NO_LIMIT);
    add(q, printer, name, "of round dots", seen.round.mean,
        nine ? .37 : NO_LIMIT, nine ? .44 : NO_LIMIT);
    add(q, printer, name, "of round dots, worst", seen.round.worst,
        nine ? .91 : NO_LIMIT, nine ? .65 : NO_LIMIT);
    add(q, printer, name, "of round dots of 1.41 pitches", seen.wide.mean,
        NO_LIMIT, NO_LIMIT);
    add(q, printer, name, "with M half a pixel off", seen.moved.mean,
        nine ? .15 : NO_LIMIT, nine ? .45 : NO_LIMIT);
    add(q, printer, name, "change of color by that", seen.change.mean,
        nine ? 6.4 : NO_LIMIT, nine ? 2.6 : NO_LIMIT);
    add(q, printer, name, "change of color, worst", seen.change.worst,
        nine ? 9.1 : NO_LIMIT, nine ? 4.5 : NO_LIMIT);
    return true;
}

/* ---- One ink ------------------------------------------------------------- */

/* The HVS error of drops by what they cover. */
static double error_of(const struct plane *drops, const double *area)
{
    struct plane covered = plane_new(drops->width, drops->height);
    double mean = 0;
    int count = drops->width * drops->height;

    for (int i = 0; i < count; i++) {
        covered.value[i] = (uint8_t)lround(255 * area[drops->value[i]]);
        mean += covered.value[i] / (double)count;
    }
    double error = hvs_error_flat(&covered, mean, HVS_SCALE, 0);
    plane_free(&covered);
    return error;
}

static bool add_one_ink(struct quality *q, const struct printer *printer)
{
    double area[HT_MAX_LEVELS], worst = 0;

    printer_areas(printer, area);
    for (int i = 0; i < TONES; i++) {
        const int tone = 4 + 8 * i, edge = (SIDE - PATCH) / 2;
        struct plane printed;

        if (!printer_print_flat(printer, SIDE, SIDE, &tone, 1, &printed))
            return false;
        struct plane ours = plane_crop(&printed, edge, edge, PATCH, PATCH),
                     dbs = dbs_drops(&ours, area, HVS_SCALE, 1);
        worst = fmax(worst, error_of(&ours, area) / error_of(&dbs, area));
        plane_free(&printed);
        plane_free(&ours);
        plane_free(&dbs);
    }
    add(q, printer, "one ink", "HVS error / DBS of the same drops, worst",
        worst, 1.1, 1.2);
    return true;
}

/* ---- Ramps and pictures -------------------------------------------------- */

static bool add_ramps(struct quality *q, const struct printer *printer)
{
    static const bool black[COLOR_INKS] = {true, false, false, false},
                      gray[COLOR_INKS] = {false, true, true, true};
    double most[2];

    if (!ramps_whole(most, printer, black, &look_square))
        return false;
    add(q, printer, "ramp of K", "a row or column that stands out, L*",
        fmax(most[0], most[1]), .3, .3);
    if (!ramps_whole(most, printer, gray, &look_square))
        return false;
    add(q, printer, "ramp of C=M=Y", "a row or column that stands out, L*",
        fmax(most[0], most[1]), .3, .3);
    return true;
}

static bool add_scenes(struct quality *q, const struct printer *printer)
{
    struct printer whole = *printer;

    whole.drops = (struct drop_sizes){.levels = 0};
    for (int i = 0; i < SCENES; i++) {
        char text[80];
        double distance, one;

        if (!scene_measure(&distance, printer, i) ||
            !scene_measure(&one, &whole, i))
            return false;
        snprintf(text, sizeof text, "scene %s", scene_name[i]);
        add(q, printer, text, "S-CIELAB, to one size", distance / one, .4, .65);
    }
    return true;
}

bool quality_drops(struct quality *q, const struct printer *printer)
{
    return add_mixtures(q, printer, 0) && add_mixtures(q, printer, 1) &&
           add_ramps(q, printer) && add_scenes(q, printer) &&
           add_one_ink(q, printer);
}
