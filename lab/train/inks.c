/*
 * inks.c - measures inks that are printed together.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include "lab/train/inks.h"

#define WIDTH MEASURE_WIDTH
#define HEIGHT MEASURE_HEIGHT

/* Two inks are C and M, as pages of K, C, M and Y have them. */
static int first_of(int inks)
{
    return inks == 2;
}

static void free_all(struct plane *dots)
{
    for (int i = 0; i < INKS_MAX; i++)
        plane_free(&dots[i]);
}

static struct of_ink judge(const struct plane *dots, int tone,
                           const struct reference *best)
{
    struct plane flat = plane_flat(WIDTH, HEIGHT, tone);
    struct of_ink ink = {.error =
                             hvs_error(dots, &flat, HVS_SCALE, MEASURE_MARGIN),
                         .texture = measure_texture(dots, tone, &best[tone])};

    plane_free(&flat);
    return ink;
}

bool inks_alone(const struct printer *printer, int tone, int inks,
                const struct reference *best, struct of_ink *alone)
{
    struct plane dots[INKS_MAX];

    for (int ink = 0; ink < inks; ink++) {
        int tones[INKS_MAX] = {0};

        tones[first_of(inks) + ink] = tone;
        if (!printer_print_flat(printer, WIDTH, HEIGHT, tones, INKS_MAX, dots))
            return false;
        alone[ink] = judge(&dots[first_of(inks) + ink], tone, best);
        free_all(dots);
    }
    return true;
}

double inks_overprint(const struct plane *a, const struct plane *b)
{
    int pixels = a->width * a->height;
    unsigned both = 0;

    for (int i = 0; i < pixels; i++)
        both += a->value[i] & b->value[i];
    return (double)both / (double)pixels / (plane_mean(a) * plane_mean(b));
}

/* Error of the inks' sum: planes hold counts instead of dots. */
static double sum_error(const struct plane *dots, int inks, int tone)
{
    struct plane sum = plane_new(WIDTH, HEIGHT);

    for (int i = 0; i < WIDTH * HEIGHT; i++)
        for (int ink = 0; ink < inks; ink++)
            sum.value[i] = (uint8_t)(sum.value[i] + dots[ink].value[i]);

    double error =
        hvs_error_flat(&sum, inks * tone / 255.0, HVS_SCALE, MEASURE_MARGIN);
    plane_free(&sum);
    return error;
}

bool inks_together(struct together *out, const struct printer *printer,
                   int tone, int inks, const struct of_ink *alone,
                   const struct reference *best)
{
    struct plane all[INKS_MAX], *dots = all + first_of(inks);
    int tones[INKS_MAX] = {0}, pairs = 0;
    double independent = 0;

    for (int ink = 0; ink < inks; ink++)
        tones[first_of(inks) + ink] = tone;
    if (!printer_print_flat(printer, WIDTH, HEIGHT, tones, INKS_MAX, all))
        return false;
    *out = (struct together){0};
    for (int ink = 0; ink < inks; ink++) {
        struct of_ink judged = judge(&dots[ink], tone, best);
        double ratio = judged.error / alone[ink].error;
        double texture = judged.texture / alone[ink].texture;

        out->ratio = ratio > out->ratio ? ratio : out->ratio;
        out->texture = texture > out->texture ? texture : out->texture;
        independent += alone[ink].error;
        for (int other = 0; other < ink; other++, pairs++)
            out->overprint += inks_overprint(&dots[ink], &dots[other]);
    }
    out->overprint /= pairs;
    double together = sum_error(dots, inks, tone);
    out->sum = together / independent;
    if (inks * tone < 255)
        out->joint = together / best[inks * tone].hvs[0];
    free_all(all);
    return true;
}
