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

/* Returns the pixel at a place of the chart. */
static size_t pixel_at(const struct image *scan, const struct chart *chart,
                       const struct scan_marks *marks, double x, double y)
{
    const struct chart_solid first = chart_mark(chart, 0);
    const struct chart_solid last = chart_mark(chart, 3);
    const double u = (x - first.x - first.width / 2) / (last.x - first.x);
    const double v = (y - first.y - first.width / 2) / (last.y - first.y);
    const double share[] = {(1 - u) * (1 - v), u * (1 - v), (1 - u) * v, u * v};
    double column = 0, row = 0;

    for (int i = 0; i < CHART_MARKS; i++) {
        column += share[i] * marks->x[i];
        row += share[i] * marks->y[i];
    }
    column = fmin(fmax(column, 0), scan->width - 1.0);
    row = fmin(fmax(row, 0), scan->height - 1.0);
    return (size_t)row * scan->width + (size_t)column;
}

static unsigned value_of(const struct image *scan, size_t pixel,
                         unsigned channel)
{
    const size_t i = pixel * scan->channels + channel;

    return scan->bits == 16 ? ((const uint16_t *)scan->samples)[i] / 64u
                            : ((const uint8_t *)scan->samples)[i] *
                                  (SCAN_VALUES - 1u) / 255u;
}

double scan_mean(const struct scan_values *values)
{
    double sum = 0;

    for (int v = 0; v < SCAN_VALUES; v++)
        sum += v * values->share[v];
    return sum;
}

static void take_band(struct scan_values *band, const struct image *scan,
                      const struct chart *chart, const struct scan_marks *marks,
                      const struct inner *part, unsigned channel)
{
    /* A pixel of 600 dpi, and more than one look at coarser ones. */
    const double step = 72.0 / 600;
    double total = 0;

    memset(band, 0, sizeof *band);
    for (double y = step / 2; y < part->height; y += step)
        for (double x = step / 2; x < part->width; x += step) {
            const double side = fmin(x, part->width - x);
            const double weight = side < part->ramp ? side / part->ramp : 1;
            const size_t pixel =
                pixel_at(scan, chart, marks, part->x + x, part->y + y);

            band->share[value_of(scan, pixel, channel)] += weight;
            total += weight;
        }
    for (int v = 0; v < SCAN_VALUES; v++)
        band->share[v] /= total;
}

/* Takes a part's values without its lightest and its darkest band: dust. */
static void take_part(struct scan_values *values, const struct image *scan,
                      const struct chart *chart, const struct scan_marks *marks,
                      const struct inner *part, unsigned channel)
{
    struct scan_values band[BANDS];
    struct inner of_band = *part;
    double mean[BANDS];
    int dark = 0, light = 0;

    of_band.height /= BANDS;
    for (int i = 0; i < BANDS; i++, of_band.y += of_band.height) {
        take_band(&band[i], scan, chart, marks, &of_band, channel);
        mean[i] = scan_mean(&band[i]);
        dark = mean[i] < mean[dark] ? i : dark;
        light = mean[i] >= mean[light] ? i : light;
    }
    memset(values, 0, sizeof *values);
    for (int i = 0; i < BANDS; i++)
        for (int v = 0; v < SCAN_VALUES && i != dark && i != light; v++)
            values->share[v] += band[i].share[v] / (BANDS - 2);
}

void scan_patch(struct scan_values *values, const struct image *scan,
                const struct chart *chart, const struct scan_marks *marks,
                const struct chart_patch *patch, unsigned channel)
{
    take_part(values, scan, chart, marks,
              &(struct inner){.x = patch->x + INNER * patch->width,
                              .y = patch->y + INNER * patch->height,
                              .width = (1 - 2 * INNER) * patch->width,
                              .height = (1 - 2 * INNER) * patch->height},
              channel);
}

/* The ramps at its sides are a pitch wide each, so that the mean is that of the
 * lines wherever they begin. */
void scan_gray(struct scan_values *values, const struct image *scan,
               const struct chart *chart, const struct scan_marks *marks,
               const struct chart_gray *gray, unsigned channel)
{
    const double pitches = floor(0.9 * gray->width / gray->pitch);
    const double width = fmax(pitches, 2) * gray->pitch;

    take_part(values, scan, chart, marks,
              &(struct inner){.x = gray->x + (gray->width - width) / 2,
                              .y = gray->y + INNER * gray->height,
                              .width = width,
                              .height = (1 - 2 * INNER) * gray->height,
                              .ramp = gray->pitch},
              channel);
}

/* ---- Readings ----------------------------------------------------------- */

/* Returns the channel that an ink is read in. */
static unsigned channel_of(const struct image *scan, char ink)
{
    return scan->channels < 3 ? 0 : ink == 'C' ? 0 : ink == 'Y' ? 2 : 1;
}

/* Takes the values of a tone of K, between those of the steps beside it. */
static void take_match(struct scan_values *values, const struct scan *scan,
                       unsigned channel)
{
    const double place = scan->match * (scan->chart.steps - 1);
    const unsigned before = (unsigned)fmin(place, scan->chart.steps - 2.0);
    const unsigned first =
        (unsigned)(strchr(scan->chart.inks, 'K') - scan->chart.inks) *
        scan->chart.steps;
    struct scan_values beside[2];

    for (unsigned i = 0; i < 2; i++) {
        const struct chart_patch patch =
            chart_patch(&scan->chart, first + before + i);

        scan_patch(&beside[i], scan->image, &scan->chart, &scan->marks, &patch,
                   channel);
    }
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
        const struct chart_patch patch =
            chart_patch(&scan->chart, i * scan->chart.steps);
        struct scan_values bare;

        scan_patch(&bare, scan->image, &scan->chart, &scan->marks, &patch,
                   channel);
        least = fmin(least, scan_mean(&bare));
        most = fmax(most, scan_mean(&bare));
        for (int v = 0; v < SCAN_VALUES; v++)
            sample->paper.share[v] += bare.share[v] / inks;
    }
    for (unsigned i = 0; i < CHART_GRAYS; i++) {
        const struct chart_gray gray = chart_gray(&scan->chart, i);

        scan_gray(&sample->gray[i], scan->image, &scan->chart, &scan->marks,
                  &gray, channel);
    }
    sample->matched = scan->match > 0 && strchr(scan->chart.inks, 'K') != NULL;
    if (sample->matched)
        take_match(&sample->match, scan, channel);
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
        const struct chart_patch patch =
            chart_patch(chart, number * chart->steps + i);
        struct scan_values values;
        double sum = 0;

        scan_patch(&values, scan->image, chart, &scan->marks, &patch,
                   channel_of(scan->image, patch.ink));
        for (int v = 0; v < SCAN_VALUES; v++)
            sum += values.share[v] * light->of[v];
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
