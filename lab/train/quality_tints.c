/*
 * quality_tints.c - the musts on thin lines, and on flat tints where other
 * measures do not look: where they begin, whether they repeat themselves,
 * which way few dots lie, and how dots cling together.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <math.h>
#include <stdio.h>

#include "lab/train/begin.h"
#include "lab/train/cluster.h"
#include "lab/train/lines.h"
#include "lab/train/quality.h"
#include "lab/train/repeat.h"

#define COUNT(array) ((int)(sizeof(array) / sizeof(array)[0]))

/* ---- Dots of any maker ------------------------------------------------ */

static bool print_flat(const struct maker *maker, int width, int height,
                       int tone, struct plane *dots)
{
    struct plane tones = plane_flat(width, height, tone);
    bool ok = maker_print(maker, &tones, dots);

    plane_free(&tones);
    return ok;
}

static bool few_dots(struct quality *q, const struct maker *maker)
{
    double worst = -INFINITY;
    char text[80];

    for (int tone = 1; tone <= 3; tone++) {
        struct plane dots;

        if (!print_flat(maker, MEASURE_WIDTH, MEASURE_HEIGHT, tone, &dots))
            return false;
        double band = measure_band(&dots, tone);
        snprintf(text, sizeof text, "anisotropy in the band of tone %d, dB",
                 tone);
        quality_inform(q, text, band);
        worst = fmax(worst, band);
        plane_free(&dots);
    }
    quality_add(q, "anisotropy in the band, tones 1-3, dB", worst, -4, false);
    return true;
}

static bool clusters(struct quality *q, const struct maker *maker)
{
    static const int percent[] = {10, 30, 50};
    char text[80];

    for (int i = 0; i < COUNT(percent); i++) {
        double isolated, edges;
        struct plane dots;

        if (!print_flat(maker, 512, 512, lines_tone(percent[i]), &dots))
            return false;
        cluster_measure(&dots, &isolated, &edges);
        snprintf(text, sizeof text, "%d %%: isolated dots, %%", percent[i]);
        quality_inform(q, text, 100 * isolated);
        snprintf(text, sizeof text, "%d %%: edges an inked pixel", percent[i]);
        quality_inform(q, text, edges);
        snprintf(text, sizeof text, "%d %%: PackBits / plain bytes",
                 percent[i]);
        quality_inform(q, text,
                       (double)cluster_packbits(&dots) / (512 * 512 / 8.0));
        plane_free(&dots);
    }
    return true;
}

bool quality_dots(struct quality *q, const struct maker *maker)
{
    return few_dots(q, maker) && clusters(q, maker);
}

/* ---- Lines ------------------------------------------------------------ */

/* The printer with another method, which has its own table. */
static struct printer with_method(const struct printer *printer,
                                  ht_method_t method)
{
    struct printer other = *printer;

    if (method != printer->method) {
        other.method = method;
        other.table = NULL;
    }
    return other;
}

static bool method_lines(struct quality *q, const struct printer *printer)
{
    const char *name = ht_method_info(printer->method)->name;
    double least, largest;
    char text[80];

    if (!lines_extremes(printer, &least, &largest))
        return false;
    snprintf(text, sizeof text, "lines by %s, ink / wanted, least", name);
    quality_add(q, text, least, 0.9, true);
    snprintf(text, sizeof text, "lines by %s, ink / wanted, largest", name);
    quality_add(q, text, largest, 1.15, false);
    return true;
}

/* Judges lines of one pixel, and lone pixels, which are lost first. */
static bool hairlines(struct quality *q, const struct printer *printer)
{
    static const char *const way[] = {"horizontal", "vertical", "diagonal"};
    char text[80];
    double ink;

    for (int i = 0; i < LINES_PERCENTS; i++) {
        int tone = lines_tone(lines_percent[i]);

        for (int k = LINES_HORIZONTAL; k <= LINES_DIAGONAL; k++) {
            if (!lines_ink(printer, k, 1, tone, &ink))
                return false;
            snprintf(text, sizeof text, "%s 1-pixel lines of %d %%, ink",
                     way[k], lines_percent[i]);
            quality_inform(q, text, ink);
        }
        if (!lines_ink_of_pixels(printer, tone, &ink))
            return false;
        snprintf(text, sizeof text, "lone pixels of %d %%, ink",
                 lines_percent[i]);
        quality_inform(q, text, ink);
    }
    return true;
}

static bool lines(struct quality *q, const struct printer *printer)
{
    static const ht_method_t method[] = {HT_TDFED4, HT_TDFED1,
                                         HT_FLOYD_STEINBERG};

    for (int i = 0; i < COUNT(method); i++) {
        struct printer other = with_method(printer, method[i]);

        if (!method_lines(q, &other))
            return false;
    }
    return hairlines(q, printer);
}

/* ---- Repeats ---------------------------------------------------------- */

static bool repeats(struct quality *q, const struct printer *printer)
{
    static const int tone[] = {1,  2,  3,  5,  8,   13,  20,
                               32, 50, 64, 80, 100, 120, 127};
    double most = -1, above = -1;

    for (int i = 0; i < COUNT(tone); i++) {
        double found, own;

        if (!repeat_measure(printer, tone[i], &found, &own))
            return false;
        most = fmax(most, found);
        above = fmax(above, found - own);
    }
    quality_inform(q, "correlation with the next segments, worst tone", most);
    quality_add(q, "the same, above the pattern's own", above, 0.05, false);
    return true;
}

/* ---- Beginnings ------------------------------------------------------- */

static void add_beginning(struct quality *q, int percent, const char *what,
                          double value, double limit)
{
    char text[80];

    snprintf(text, sizeof text, "%d %% under white, %s", percent, what);
    if (percent < 3) /* so few dots that a row is no measure */
        quality_inform(q, text, value);
    else
        quality_add(q, text, value, limit, false);
}

static bool beginnings(struct quality *q, const struct printer *printer,
                       const ht_table_t *baseline)
{
    static const int percent[] = {1, 3, 6, 13, 26, 40};
    struct printer before = *printer;

    before.table = baseline;
    for (int i = 0; i < COUNT(percent); i++) {
        int tone = lines_tone(percent[i]);
        struct beginning now, then;

        if (!begin_measure(&now, printer, tone))
            return false;
        add_beginning(q, percent[i], "highest row", now.highest, 1.8);
        add_beginning(q, percent[i], "from row 4 on, off by", now.furthest,
                      percent[i] > 3 ? 0.25 : 0.6);
        if (baseline == NULL)
            continue;
        if (!begin_measure(&then, &before, tone))
            return false;
        add_beginning(q, percent[i], "HVS error / baseline",
                      now.error / then.error, 1.08);
    }
    return true;
}

bool quality_tints(struct quality *q, const struct printer *printer,
                   const ht_table_t *baseline)
{
    return lines(q, printer) && repeats(q, printer) &&
           beginnings(q, printer, baseline);
}
