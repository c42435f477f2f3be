/*
 * chart_scan.c - the values of a chart's patches on a scan of it, and the
 * readings that they are.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tools/chart_scan.h"

#define BANDS 6          /* of a patch, from its top to its bottom */
#define INNER 0.2        /* of a patch, on each side, that is left out */
#define MOST_UNEVEN 0.04 /* of all values, between bare patches */
#define MOST_SOLID 0.7   /* of light, of a solid ink in its channel */
#define MOST_RISE 0.06   /* of light, from a step to the next one, darker */

/* A part of the chart, in points, and of it the columns whose light counts:
 * fully, but for `ramp` at both sides. */
struct inner {
    double x, y, width, height, ramp;
};

/* Returns the value at a place of the chart. */
static unsigned value_at(const struct scan *scan, double x, double y,
                         unsigned channel)
{
    const struct image *image = scan->image;
    const struct chart_solid first = chart_mark(&scan->chart, 0);
    const struct chart_solid last = chart_mark(&scan->chart, 3);
    const double u = (x - first.x - first.width / 2) / (last.x - first.x);
    const double v = (y - first.y - first.width / 2) / (last.y - first.y);
    const double share[] = {(1 - u) * (1 - v), u * (1 - v), (1 - u) * v, u * v};
    double column = 0, row = 0;

    for (int i = 0; i < CHART_MARKS; i++) {
        column += share[i] * scan->marks.x[i];
        row += share[i] * scan->marks.y[i];
    }
    column = fmin(fmax(column, 0), image->width - 1.0);
    row = fmin(fmax(row, 0), image->height - 1.0);
    const size_t i =
        ((size_t)row * image->width + (size_t)column) * image->channels +
        channel;
    return image->bits == 16 ? ((const uint16_t *)image->samples)[i] / 64u
                             : ((const uint8_t *)image->samples)[i] *
                                   (SCAN_VALUES - 1u) / 255u;
}

double scan_light_of(const struct scan_values *values,
                     const double light[SCAN_VALUES])
{
    double sum = 0;

    for (int v = 0; v < SCAN_VALUES; v++)
        sum += values->share[v] * light[v];
    return sum;
}

double scan_mean(const struct scan_values *values)
{
    double sum = 0;

    for (int v = 0; v < SCAN_VALUES; v++)
        sum += v * values->share[v];
    return sum;
}

/* Takes the values of a part without its lightest and its darkest band: dust.
 */
static void take_inner(struct scan_values *values, const struct scan *scan,
                       const struct inner *inner, unsigned channel)
{
    const double step = 72.0 / 600; /* a pixel, or less than one */
    struct scan_values band[BANDS] = {0};
    double mean[BANDS];
    int dark = 0, light = 0;

    for (int i = 0; i < BANDS; i++) {
        double total = 0;

        for (double y = step / 2; y < inner->height / BANDS; y += step)
            for (double x = step / 2; x < inner->width; x += step) {
                const double side = fmin(x, inner->width - x);
                const double weight =
                    side < inner->ramp ? side / inner->ramp : 1;

                band[i].share[value_at(scan, inner->x + x,
                                       inner->y + i * inner->height / BANDS + y,
                                       channel)] += weight;
                total += weight;
            }
        for (int v = 0; v < SCAN_VALUES; v++)
            band[i].share[v] /= total;
        mean[i] = scan_mean(&band[i]);
        dark = mean[i] < mean[dark] ? i : dark;
        light = mean[i] >= mean[light] ? i : light;
    }
    memset(values, 0, sizeof *values);
    for (int i = 0; i < BANDS; i++)
        for (int v = 0; v < SCAN_VALUES && i != dark && i != light; v++)
            values->share[v] += band[i].share[v] / (BANDS - 2);
}

/* Takes the values of patch `number`. */
static struct chart_patch take_patch(struct scan_values *values,
                                     const struct scan *scan, unsigned number,
                                     unsigned channel)
{
    const struct chart_patch patch = chart_patch(&scan->chart, number);
    const double part = 1 - 2 * INNER;

    take_inner(values, scan,
               &(struct inner){.x = patch.x + INNER * patch.width,
                               .y = patch.y + INNER * patch.height,
                               .width = part * patch.width,
                               .height = part * patch.height},
               channel);
    return patch;
}

/* Takes those of known gray `number`. The ramps at its sides are a pitch wide,
 * so that the mean is that of the lines wherever they begin. */
static void take_gray(struct scan_values *values, const struct scan *scan,
                      unsigned number, unsigned channel)
{
    const struct chart_gray gray = chart_gray(&scan->chart, number);
    const double pitches = floor(0.9 * gray.width / gray.pitch);
    const double width = fmax(pitches, 2) * gray.pitch;

    take_inner(values, scan,
               &(struct inner){.x = gray.x + (gray.width - width) / 2,
                               .y = gray.y + INNER * gray.height,
                               .width = width,
                               .height = (1 - 2 * INNER) * gray.height,
                               .ramp = gray.pitch},
               channel);
}

/* ---- Readings ----------------------------------------------------------- */

/* Returns the channel that an ink is read in. */
static unsigned channel_of(const struct image *scan, char ink)
{
    return scan->channels < 3 ? 0 : ink == 'C' ? 0 : ink == 'Y' ? 2 : 1;
}

/* Takes the values of a tone of K, between those of the steps beside it. */
static void take_half(struct scan_values *values, const struct scan *scan,
                      unsigned channel)
{
    const double place = scan->match * (scan->chart.steps - 1);
    const unsigned before = (unsigned)fmin(place, scan->chart.steps - 2.0);
    const unsigned first =
        (unsigned)(strchr(scan->chart.inks, 'K') - scan->chart.inks) *
        scan->chart.steps;
    struct scan_values beside[2];

    for (unsigned i = 0; i < 2; i++)
        take_patch(&beside[i], scan, first + before + i, channel);
    for (int v = 0; v < SCAN_VALUES; v++)
        values->share[v] = beside[0].share[v] * (1 + before - place) +
                           beside[1].share[v] * (place - before);
}

/* Takes what is known of a channel: bare patches of all inks, and grays. */
static bool take_sample(struct scan_sample *sample, const struct scan *scan,
                        unsigned channel, struct refusal *refusal)
{
    const unsigned inks = (unsigned)strlen(scan->chart.inks);
    double least = SCAN_VALUES, most = 0;

    for (unsigned i = 0; i < inks; i++) {
        struct scan_values bare;

        take_patch(&bare, scan, i * scan->chart.steps, channel);
        least = fmin(least, scan_mean(&bare));
        most = fmax(most, scan_mean(&bare));
        for (int v = 0; v < SCAN_VALUES; v++)
            sample->paper.share[v] += bare.share[v] / inks;
    }
    for (unsigned i = 0; i < CHART_GRAYS; i++)
        take_gray(&sample->gray[i], scan, i, channel);
    sample->seen = scan->match > 0 && strchr(scan->chart.inks, 'K') != NULL;
    if (sample->seen)
        take_half(&sample->half, scan, channel);
    return most - least < MOST_UNEVEN * SCAN_VALUES ||
           refuse(refusal, 0,
                  "the paper is not evenly light: is it flat on the glass, and "
                  "is this the chart that was printed?");
}

/* Notes the steps of ink `number`, which have to become darker. */
static bool read_ink(struct readings_ink *ink, const struct scan_light *light,
                     const struct scan *scan, unsigned number,
                     struct refusal *refusal)
{
    const struct chart *chart = &scan->chart;
    double before = 1;

    ink->steps = chart->steps;
    for (unsigned i = 0; i < chart->steps; i++) {
        struct scan_values values;
        const struct chart_patch patch =
            take_patch(&values, scan, number * chart->steps + i,
                       channel_of(scan->image, chart->inks[number]));
        const double sum = scan_light_of(&values, light->of);

        if (sum > before + MOST_RISE)
            return refuse(refusal, 0,
                          "ink %c at %.4g percent is lighter than at the step "
                          "before: are these the chart's inks and steps?",
                          patch.ink, patch.percent);
        before = sum;
        ink->tone[i] = patch.percent / 100;
        ink->sum[i] = sum;
        ink->count[i] = 1;
    }
    return before < MOST_SOLID ||
           refuse(refusal, 0,
                  "ink %c is too light: are these the chart's inks?",
                  chart->inks[number]);
}

bool scan_read(struct readings *readings, struct scan *scan,
               struct refusal *refusal)
{
    struct scan_sample *sample = malloc(sizeof *sample);
    struct scan_light light;
    bool ok = sample != NULL || refuse(refusal, 0, "not enough memory");

    *readings = (struct readings){0};
    if (ok && scan->image->channels < 3 && strcmp(scan->chart.inks, "K") != 0)
        ok = refuse(refusal, 0, "a gray scan can tell of ink K alone");
    ok = ok && scan_find(&scan->marks, scan->image, &scan->chart, refusal);
    for (unsigned i = 0; ok && scan->chart.inks[i] != '\0'; i++) {
        const char ink = scan->chart.inks[i];
        const size_t place =
            (size_t)(strchr(CURVE_LETTERS, ink) - CURVE_LETTERS);

        memset(sample, 0, sizeof *sample);
        ok = take_sample(sample, scan, channel_of(scan->image, ink), refusal) &&
             scan_learn(&light, &scan->chart, sample, &scan->gamma, refusal) &&
             read_ink(&readings->ink[place], &light, scan, i, refusal);
    }
    scan->as = ok ? light.as : NULL;
    free(sample);
    return ok;
}
