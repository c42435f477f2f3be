/*
 * chart_argyll.c - the chart for ArgyllCMS: a recognition file (.cht), and the
 * list of its patches (.ti2).
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <string.h>

#include "tools/calibrate/chart.h"
#include "tools/calibrate/numbers.h"

#define SHRINK 6.0 /* points of a patch, at each side, that are not read */

/* Writes where the patches begin and end in one direction: how sharp and how
 * long the edge is there, of the sharpest and the longest. */
static void write_edges(const struct chart *chart, FILE *file, bool across)
{
    double edges[2 * CHART_MOST_PATCHES];
    unsigned count = 0;

    for (unsigned i = 0; i < chart_patches(chart); i++) {
        const struct chart_patch p = chart_patch(chart, i);
        const double from = across ? p.x : p.y;
        const double ends[] = {from, from + (across ? p.width : p.height)};

        for (int e = 0; e < 2; e++) {
            unsigned at = 0;

            while (at < count && edges[at] < ends[e])
                at++;
            if (at < count && edges[at] == ends[e])
                continue;
            memmove(&edges[at + 1], &edges[at], (count - at) * sizeof *edges);
            edges[at] = ends[e];
            count++;
        }
    }
    fprintf(file, "%cLIST %u\n", across ? 'X' : 'Y', count);
    for (unsigned i = 0; i < count; i++)
        fprintf(file, "  %.2f 1.0 1.0\n", edges[i]);
    fputc('\n', file);
}

void chart_write_cht(const struct chart *chart, FILE *file)
{
    static const int clockwise[] = {0, 1, 3, 2};
    struct numbers numbers = numbers_begin();

    fprintf(file, "\nBOXES %u\n  F _ _", chart_patches(chart));
    for (int i = 0; i < CHART_MARKS; i++) {
        const struct chart_solid mark =
            chart_mark(chart, (unsigned)clockwise[i]);

        fprintf(file, " %.2f %.2f", mark.x + mark.width / 2,
                mark.y + mark.width / 2);
    }
    fputc('\n', file);
    for (unsigned i = 0; i < chart_patches(chart); i++) {
        const struct chart_patch p = chart_patch(chart, i);

        fprintf(file, "  X %u %u _ _ %.2f %.2f %.2f %.2f 0 0\n", i + 1, i + 1,
                p.width, p.height, p.x, p.y);
    }
    fprintf(file, "\nBOX_SHRINK %.1f\n\nREF_ROTATION 0.0\n\n", SHRINK);
    write_edges(chart, file, true);
    write_edges(chart, file, false);
    fputs("EXPECTED XYZ 0\n", file);
    numbers_end(numbers);
}

void chart_write_ti2(const struct chart *chart, FILE *file)
{
    struct numbers numbers = numbers_begin();

    fprintf(file,
            "CTI2\n\nDESCRIPTOR \"halftone-chart\"\nORIGINATOR "
            "\"halftone-chart\"\nDEVICE_CLASS \"OUTPUT\"\nCOLOR_REP "
            "\"CMYK\"\n\nNUMBER_OF_FIELDS 6\nBEGIN_DATA_FORMAT\n"
            "SAMPLE_ID SAMPLE_LOC CMYK_C CMYK_M CMYK_Y CMYK_K\n"
            "END_DATA_FORMAT\n\nNUMBER_OF_SETS %u\nBEGIN_DATA\n",
            chart_patches(chart));
    for (unsigned i = 0; i < chart_patches(chart); i++) {
        const struct chart_patch p = chart_patch(chart, i);

        fprintf(file, "%u \"%u\"", i + 1, i + 1);
        for (const char *ink = CHART_INKS; *ink != '\0'; ink++)
            fprintf(file, " %.4g", *ink == p.ink ? p.percent : 0);
        fputc('\n', file);
    }
    fputs("END_DATA\n", file);
    numbers_end(numbers);
}
