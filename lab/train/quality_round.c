/*
 * quality_round.c - the musts on the dots of one ink as printers make them:
 * round, and larger than their pixels.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "lab/train/cover.h"
#include "lab/train/jobs.h"
#include "lab/train/quality.h"
#include "lab/train/ramps.h"

#define SIDE (512 + 2 * COVER_MARGIN)
#define DIAMETERS 4
#define MIDDLE 2 /* the number of 1.41 */
#define DISTANCES 2
#define LIMITS_PARTS 6 /* of a pixel, across and down */
#define COLUMNS (DISTANCES * DIAMETERS)
#define TONES 256

static const double diameters[DIAMETERS] = {0, 1.2, 1.41, 1.6};
static const char *const names[DIAMETERS] = {"square", "1.2", "1.41", "1.6"};
static const int inches[DISTANCES] = {12, 6};

struct seen_tone {
    double area;           /* that dots of 1.41 pitches cover, 0..1 */
    double grain[COLUMNS]; /* L*; those at 12 inches first */
};

struct round_job {
    const struct printer *printer;
    const struct round_options *options;
    const int *tones;
    struct cover cover[DIAMETERS];
    struct seen_tone *seen; /* [TONES] */
    bool area_alone;
};

static void see(struct seen_tone *seen, const struct round_job *job,
                const struct plane *dots, int column)
{
    const double *dpi = job->options->dpi;
    double *value = cover_plane(&job->cover[column % DIAMETERS], dots);

    if (column == MIDDLE)
        seen->area = cover_mean(value, SIDE, SIDE);
    if (!job->area_alone) {
        cover_see(value, SIDE, SIDE,
                  scielab_sight(dpi[0], dpi[1], inches[column / DIAMETERS]));
        seen->grain[column] = cover_grain(value, SIDE, SIDE);
    }
    free(value);
}

static bool see_tone(int number, void *context)
{
    const struct round_job *job = context;
    int tone = job->tones[number];
    struct plane dots;

    if (!printer_print_flat(job->printer, SIDE, SIDE, &tone, 1, &dots))
        return false;
    for (int column = 0; column < COLUMNS; column++)
        if (column == MIDDLE || !job->area_alone)
            see(&job->seen[tone], job, &dots, column);
    plane_free(&dots);
    return true;
}

/* Prints and sees so many tones, in several processes. Returns [TONES], of
 * which these are filled, or NULL after a complaint; munmap() is left to the
 * end. */
static struct seen_tone *see_tones(const struct printer *printer,
                                   const struct round_options *options,
                                   const int *tones, int count, bool area_alone)
{
    static struct round_job job;

    job = (struct round_job){printer, options, tones, .area_alone = area_alone};
    for (int i = 0; i < DIAMETERS; i++)
        cover_init(&job.cover[i], (struct cover_dots){diameters[i], 0},
                   options->dpi[0] / options->dpi[1], (int)options->parts);
    job.seen = mmap(NULL, TONES * sizeof *job.seen, PROT_READ | PROT_WRITE,
                    MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (job.seen == MAP_FAILED ||
        !jobs_run(count, options->jobs, "tones", see_tone, &job))
        return NULL;
    return job.seen;
}

/* ---- Grain ----------------------------------------------------------------
 */

static void print_row(const char *name, const double *grain)
{
    printf("| %s |", name);
    for (int column = 0; column < COLUMNS; column++)
        printf(" %.3f |", grain[column]);
    puts("");
}

/* Prints the grain of all tones, of which the largest and the mean are given.
 */
static void print_tones(const struct seen_tone *seen, const int *tones,
                        int count, double *worst, double *mean)
{
    char name[8];

    printf("| tone |");
    for (int column = 0; column < COLUMNS; column++)
        printf(" %s, %d in |", names[column % DIAMETERS],
               inches[column / DIAMETERS]);
    puts("\n|---|---|---|---|---|---|---|---|---|");
    for (int i = 0; i < count; i++) {
        const double *grain = seen[tones[i]].grain;

        snprintf(name, sizeof name, "%d", tones[i]);
        print_row(name, grain);
        for (int column = 0; column < COLUMNS; column++) {
            worst[column] = fmax(worst[column], grain[column]);
            mean[column] += grain[column] / count;
        }
    }
    print_row("worst", worst);
    print_row("mean", mean);
}

/* Adds a line whose limit was set with pixels of LIMITS_PARTS parts: with more
 * the same dots have up to 1.4 times the grain. */
static void add(struct quality *q, const struct round_options *options,
                const char *text, double value, double limit)
{
    if (options->parts == LIMITS_PARTS)
        quality_add(q, text, value, limit, false);
    else
        quality_inform(q, text, value);
}

static void add_square_pixels(struct quality *q,
                              const struct round_options *options,
                              const struct seen_tone *seen, const double *worst,
                              const double *mean)
{
    static const struct {
        int tone;
        double limit;
    } single[] = {{127, .51}, {108, .3}, {148, .41}, {171, .22}};

    add(q, options, "dots of 1.41 pitches, 12 in: grain L*, worst",
        worst[MIDDLE], .55);
    for (size_t i = 0; i < sizeof single / sizeof *single; i++) {
        char text[80];

        snprintf(text, sizeof text, "the same of tone %d", single[i].tone);
        if (seen[single[i].tone].area > 0)
            add(q, options, text, seen[single[i].tone].grain[MIDDLE],
                single[i].limit);
    }
    add(q, options, "dots of 1.6 pitches, 12 in: worst", worst[MIDDLE + 1],
        1.3);
    quality_inform(q, "square dots, 12 in: mean", mean[0]);
}

/* Adds the means of dots on oblong pixels, which have a must at two
 * resolutions. */
static void add_oblong_pixels(struct quality *q, const double *dpi,
                              const double *mean)
{
    static const struct {
        double dpi, limit[DISTANCES];
    } musts[] = {{720, {.31, 1.8}}, {600, {.47, 2.95}}};

    for (int i = 0; i < COLUMNS; i++) {
        char text[80];
        double limit = 0;

        snprintf(text, sizeof text, "dots: %s, %d in: mean",
                 names[i % DIAMETERS], inches[i / DIAMETERS]);
        for (int k = 0; k < 2 && i % DIAMETERS == 0; k++)
            if (fmax(dpi[0], dpi[1]) == musts[k].dpi &&
                fmin(dpi[0], dpi[1]) == musts[k].dpi / 2)
                limit = musts[k].limit[i / DIAMETERS];
        if (limit > 0)
            quality_add(q, text, mean[i], limit, false);
        else
            quality_inform(q, text, mean[i]);
    }
}

bool quality_round(struct quality *q, const struct printer *printer,
                   const struct round_options *options)
{
    static int usual[TONES];
    const int *tones = options->tones;
    int count = options->count;
    double worst[COLUMNS] = {0}, mean[COLUMNS] = {0};

    if (count == 0) {
        for (int tone = 16; tone <= 240; tone++)
            if (tone % 4 == 0 || tone == 127 || tone == 171)
                usual[count++] = tone;
        tones = usual;
    }
    const struct seen_tone *seen =
        see_tones(printer, options, tones, count, false);
    if (seen == NULL)
        return false;
    print_tones(seen, tones, count, worst, mean);
    if (options->dpi[0] == 600 && options->dpi[1] == 600)
        add_square_pixels(q, options, seen, worst, mean);
    else
        add_oblong_pixels(q, options->dpi, mean);
    return true;
}

/* ---- Steps ----------------------------------------------------------------
 */

bool quality_steps(struct quality *q, const struct printer *printer,
                   const struct round_options *options)
{
    int tones[TONES], count = 0;
    double lightness[TONES], squares = 0, most[2];
    static const bool black[COLOR_INKS] = {true};

    for (int tone = 0; tone < TONES; tone++)
        tones[count++] = tone;
    const struct seen_tone *seen =
        see_tones(printer, options, tones, count, true);
    if (seen == NULL || !ramps_whole(most, printer, black, &look_round))
        return false;
    for (int tone = 0; tone < TONES; tone++)
        lightness[tone] = cover_lightness(seen[tone].area);
    for (int tone = 2; tone < TONES - 2; tone++)
        squares += pow(
            lightness[tone - 1] - 2 * lightness[tone] + lightness[tone + 1], 2);
    quality_add(q, "L* between tones, dots of 1.41: second difference, rms",
                sqrt(squares / (TONES - 4)), .085, false);
    quality_inform(q, "a line that stands out in a ramp along, L*", most[0]);
    quality_add(q, "a line that stands out in a ramp down, L*", most[1], .37,
                false);
    return true;
}
