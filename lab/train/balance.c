/*
 * balance.c - thresholds that leave no error on average.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "halftone/definition.h"
#include "lab/train/balance.h"
#include "lab/train/fit.h"

#define WIDTH 1024
#define BAND                                                                   \
    60 /* rows; what they leave is looked at, in turn at every fourth          \
          row of the pattern */
#define SMOOTH 8 /* tones on each side */
#define BANDS 32 /* that are looked at, and one before */

/* Averages the errors, in dots, that the last ready row of each band leaves to
 * the row below. */
static ht_status_t mean_line(ht_engine_t *engine, int tone, double *mean)
{
    static uint8_t samples[BAND * WIDTH], dots[2 * BAND * WIDTH / 8];
    static int16_t errors[WIDTH];
    ht_status_t status = HT_OK;
    double sum = 0;
    uint64_t row;

    memset(samples, tone, sizeof samples);
    for (int band = 0; status == HT_OK && band <= BANDS; band++) {
        status = ht_engine_submit(engine, samples, NULL, BAND);
        if (status == HT_OK)
            status = ht_engine_collect(engine, dots, ht_engine_ready(engine));
        if (status == HT_OK)
            status = ht_engine_take_state(engine, &row, errors);
        for (int x = 0; band > 0 && x < WIDTH; x++)
            sum += errors[x];
    }
    *mean = sum / ((double)BANDS * WIDTH) / HT_ONE;
    return status;
}

bool balance_mean_error(ht_method_t method, const ht_table_t *table,
                        uint32_t segment, int tone, double *mean)
{
    ht_page_t page = {.method = method,
                      .table = table,
                      .width = WIDTH,
                      .inks = 1,
                      .bits = 8,
                      .segment = segment,
                      .band = BAND,
                      .threads = 1};
    const ht_tone_t *tones = ht_table_tones(table);
    double ahead = tones[tone < 128 ? tone : 255 - tone].weight[0];
    double ends = 1.0 / (segment > 0 ? segment : WIDTH); /* of pixels */
    ht_engine_t *engine = NULL;
    /* The rows that are judged depend on how many an engine keeps back: the
     * reference keeps none, whatever engines there are. */
    ht_status_t status = ht_engine_open(&engine, "reference", &page);

    if (status == HT_OK)
        status = mean_line(engine, tone, mean);
    ht_engine_close(engine);
    if (status != HT_OK) {
        fprintf(stderr, "printing: %s\n", ht_status_text(status));
        return false;
    }
    /* All that is not given to the next pixel of the row goes to the line;
     * a segment's last pixel has no next. */
    *mean /= 1 - ahead * (1 - ends);
    return true;
}

/* Lowers both thresholds by `shift` dots, within 0..1. */
static void lower(ht_tone_t *tone, double shift)
{
    shift = fmax(fmin(shift, tone->t_lower), tone->t_upper - 1);
    tone->t_upper -= shift;
    tone->t_lower -= shift;
}

/* Puts the middle of the thresholds of each tone on the parabola that fits
 * those around it, mirrors with them: what single tones are off by is chance,
 * and prints lines between them. */
static void smooth(ht_tone_t *tones)
{
    double middle[2 * HT_TONES];

    for (unsigned i = 0; i < HT_TONES; i++) {
        middle[i] = (tones[i].t_upper + tones[i].t_lower) / 2;
        middle[2 * HT_TONES - 1 - i] = 1 - middle[i];
    }
    for (int i = 1; i < (int)HT_TONES; i++) {
        const int reach = i - 1 < SMOOTH ? i - 1 : SMOOTH;

        lower(&tones[i], middle[i] - fit_middle(&middle[i], 1, reach));
    }
}

bool balance_thresholds(ht_tone_t *tones, ht_method_t method, uint32_t segment,
                        const uint8_t *pattern)
{
    ht_table_t *table;

    if (ht_table_new(&table, tones, pattern, NULL) != HT_OK) {
        fprintf(stderr, "errors could leave 16 bits\n");
        return false;
    }
    for (int i = 1; i < (int)HT_TONES; i++) {
        double shift = 0;

        if (!balance_mean_error(method, table, segment, i, &shift)) {
            ht_table_free(table);
            return false;
        }
        lower(&tones[i], shift);
    }
    ht_table_free(table);
    smooth(tones);
    tones[0].t_upper = tones[1].t_upper;
    tones[0].t_lower = tones[1].t_lower;
    return true;
}
