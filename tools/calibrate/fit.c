/*
 * fit.c - the curve that gives a printer the tones that are wanted.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <assert.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "halftone/base/text.h"
#include "tools/calibrate/fit.h"
#include "tools/calibrate/numbers.h"

#define POINT_STEP 5    /* percent between the points of the curve */
#define MOST_NOISE 0.05 /* of coverage: 0.02 of density on bare paper */

/* ---- The printer -------------------------------------------------------- */

/* Neighbours that fall are replaced by their mean (pool adjacent violators):
 * a measurement is noisy, a printer is not. */
static void make_rising(double *value, const double *weight, unsigned count)
{
    unsigned length[CURVE_MAX_POINTS], blocks = 0;
    double mean[CURVE_MAX_POINTS], total[CURVE_MAX_POINTS];

    for (unsigned i = 0; i < count; i++) {
        mean[blocks] = value[i];
        total[blocks] = weight[i];
        length[blocks++] = 1;
        while (blocks > 1 && mean[blocks - 2] > mean[blocks - 1]) {
            double sum = total[blocks - 2] + total[blocks - 1];
            mean[blocks - 2] = (mean[blocks - 2] * total[blocks - 2] +
                                mean[blocks - 1] * total[blocks - 1]) /
                               sum;
            total[blocks - 2] = sum;
            length[blocks - 2] += length[blocks - 1];
            blocks--;
        }
    }
    for (unsigned block = 0, i = 0; block < blocks; block++)
        for (unsigned n = 0; n < length[block]; n++)
            value[i++] = mean[block];
}

/* Notes by how much `coverage` has been moved, at most, to rise. */
static void note_noise(struct fit_ink *ink, const double *coverage,
                       unsigned count)
{
    ink->noisy = ink->noise = 0;
    for (unsigned i = 0; i < count; i++) {
        double moved = fabs(coverage[i] - ink->response.y[i]);

        if (moved > ink->noise) {
            ink->noise = moved;
            ink->noisy = ink->response.x[i];
        }
    }
}

/* False when paper or solid were not measured or do not differ. */
static bool fit_one(struct fit_ink *fit, const struct readings_ink *ink)
{
    struct curve_points *response = &fit->response;
    double weight[CURVE_MAX_POINTS], coverage[CURVE_MAX_POINTS];

    if (ink->steps < 3 || ink->tone[0] > 0 || ink->tone[ink->steps - 1] < 1)
        return false;
    unsigned last = ink->steps - 1;
    double paper = ink->sum[0] / ink->count[0];
    double solid = ink->sum[last] / ink->count[last];
    if (solid >= paper)
        return false;

    fit->measured = true;
    response->count = ink->steps;
    for (unsigned i = 0; i < ink->steps; i++) {
        double reflectance = ink->sum[i] / ink->count[i];

        coverage[i] = (paper - reflectance) / (paper - solid);
        response->x[i] = ink->tone[i];
        response->y[i] = fmin(fmax(coverage[i], 0), 1);
        weight[i] = ink->count[i];
    }
    make_rising(response->y, weight, ink->steps);
    response->y[0] = 0;
    response->y[last] = 1;
    note_noise(fit, coverage, ink->steps);
    return true;
}

bool fit_readings(struct fit *fit, const struct readings *readings,
                  struct refusal *refusal)
{
    *fit = (struct fit){0};
    for (unsigned i = 0; i < CURVE_INKS; i++)
        if (readings->ink[i].steps > 0 &&
            !fit_one(&fit->ink[i], &readings->ink[i]))
            return refuse(refusal, 0,
                          "ink %c needs 0 percent, 100 percent, darker than "
                          "0, and steps between",
                          CURVE_LETTERS[i]);
    return true;
}

bool fit_is_smooth(const struct fit *fit, struct refusal *doubt)
{
    for (unsigned i = 0; i < CURVE_INKS; i++) {
        const struct fit_ink *ink = &fit->ink[i];

        if (ink->measured && ink->noise > MOST_NOISE)
            return refuse(doubt, 0,
                          "ink %c at %ld percent does not lie between its "
                          "neighbours: is a reading wrong?",
                          CURVE_LETTERS[i], lround(100 * ink->noisy));
    }
    return true;
}

/* ---- The curve ---------------------------------------------------------- */

bool fit_gain(const char *text, double *gain, struct refusal *refusal)
{
    double percent;

    if (!text_decimal(text, 0, 25, &percent))
        return refuse(refusal, 0, "not a number from 0 to 25");
    *gain = percent / 100;
    return true;
}

bool fit_name_check(const char *name, struct refusal *refusal)
{
    return (strlen(name) <= FIT_MOST_NAME &&
            name[strcspn(name, "\r\n")] == '\0') ||
           refuse(refusal, 0, "not one line of at most %d bytes",
                  FIT_MOST_NAME);
}

/* The tone that gets `coverage`, by halving. */
static double tone_of_coverage(const struct curve_points *response,
                               double coverage)
{
    double low = 0, high = 1;

    for (int i = 0; i < 40; i++) {
        double middle = (low + high) / 2;
        if (curve_points_at(response, middle) < coverage)
            low = middle;
        else
            high = middle;
    }
    return (low + high) / 2;
}

/* Appends to the text, which has room for all that a fit can have. */
static void append(char *text, size_t *size, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

static void append(char *text, size_t *size, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    int bytes =
        vsnprintf(text + *size, FIT_TEXT_BYTES - *size, format, arguments);
    va_end(arguments);
    assert(bytes >= 0 && (size_t)bytes < FIT_TEXT_BYTES - *size);
    *size += (size_t)bytes;
}

static void write_ink(char letter, const struct curve_points *response,
                      double gain, char *text, size_t *size)
{
    for (int percent = POINT_STEP; percent < 100; percent += POINT_STEP) {
        double tone = percent / 100.0;
        double wanted = tone + 4 * gain * tone * (1 - tone);
        append(text, size, "point %c %d %.3f\n", letter, percent,
               100 * tone_of_coverage(response, wanted));
    }
}

size_t fit_write(const struct fit *fit, double gain, const char *name,
                 const char *made_by, char text[FIT_TEXT_BYTES])
{
    struct numbers numbers = numbers_begin();
    size_t size = 0;

    append(text, &size, "halftone-curve 1\n");
    if (name != NULL)
        append(text, &size, "name %s\n", name);
    if (made_by != NULL)
        append(text, &size, "made-by %s\n", made_by);
    for (unsigned i = 0; i < CURVE_INKS; i++)
        if (fit->ink[i].measured)
            write_ink(CURVE_LETTERS[i], &fit->ink[i].response, gain, text,
                      &size);
    numbers_end(numbers);
    return size;
}
