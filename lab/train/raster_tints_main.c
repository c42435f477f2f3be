/*
 * raster_tints_main.c - program raster_tints: judges flat tints of dots of any
 * inks, as rastertohalftone prints them.
 *
 *   raster_tints [--drops AREAS] [--moved NAMES] [--model] [--from FILE]
 *                SIDE DOTS.ras
 *
 * The page has tints of SIDE x SIDE pixels, as many a row as fit. Prints a line
 * for each: the mean L*, a*, b* of its inside, without the outer eighths, and
 * the standard deviation of its S-CIELAB L* from 12 inches. Dots are round, of
 * 1.41 pitches, or with --model as large as those of the color model; light
 * scatters in the paper, as that has it. The inks of NAMES, such as M,LM, are
 * half a pixel to the right and down. With --from the fifth number is CIEDE2000
 * from the colors in FILE, which this program has printed about another page.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lab/train/round_dots.h"
#include "lab/train/scielab.h"
#include "page/round_dots.h"
#include "tools/command.h"
#include "tools/inks.h"
#include "tools/raster.h"
#include "tools/sizes.h"

#define SHIFT 0.5 /* pixels */
#define OUTSIDE 8 /* of a tint that many parts, on each side */

static const char usage[] =
    "Usage: raster_tints [--drops AREAS] [--moved NAMES] [--model]\n"
    "                    [--from FILE] SIDE DOTS.ras\n";

struct raster_tints {
    struct drop_sizes drops;
    const char *moved; /* names, or NULL */
    bool model;
    FILE *from; /* or NULL */
    uint32_t side;
    struct round_inks inks;
    double area[HT_MAX_LEVELS];
};

static bool parse(struct raster_tints *tints, int argc, char **argv)
{
    static const struct option options[] = {
        {"drops", required_argument, NULL, 'd'},
        {"moved", required_argument, NULL, 'm'},
        {"model", no_argument, NULL, 'o'},
        {"from", required_argument, NULL, 'f'},
        COMMAND_OPTIONS};
    int option;
    bool ok = true;

    while (ok && (option = command_option(argc, argv, options, usage)) != -1)
        if (option == 'd')
            ok = sizes_read(optarg, &tints->drops);
        else if (option == 'm')
            tints->moved = optarg;
        else if (option == 'f')
            ok = (tints->from = fopen(optarg, "r")) != NULL ||
                 command_complain(optarg, strerror(errno));
        else
            tints->model = true;
    if (ok && argc - optind != 2)
        command_misuse(usage);
    return ok && command_number("SIDE", argv[optind], 64, 4096, &tints->side);
}

/* Tells whether a list, separated by commas, has a name. */
static bool has_name(const char *list, const char *name)
{
    const size_t size = strlen(name);

    for (const char *at = list; (at = strstr(at, name)) != NULL; at++)
        if ((at == list || at[-1] == ',') && strchr(",", at[size]) != NULL)
            return true;
    return false;
}

/* Fills in what sets of the page's inks let through of paper's light on its way
 * in or out. */
static void fill_inks(struct raster_tints *tints, const struct layout *layout)
{
    struct round_inks *inks = &tints->inks;
    double density[ROUND_INKS][COLOR_INKS];

    inks->count = (int)layout->inks;
    inks->primary = train_alloc((size_t)1 << inks->count, sizeof(double[3]));
    for (uint32_t k = 0; k < layout->inks; k++) {
        char name[INK_SET_NAME];
        double share[COLOR_INKS];
        const unsigned like = inks_look(layout, k, share);

        for (int i = 0; i < COLOR_INKS; i++)
            density[k][i] = color_density(i, share[i]);
        inks->diameter[k] =
            tints->model ? round_diameters[like] : ROUND_DIAMETER;
        inks_name(layout, k, name);
        if (tints->moved != NULL && has_name(tints->moved, name))
            inks->moved |= 1u << k;
    }
    for (int set = 0; set < 1 << inks->count; set++) {
        double sum[COLOR_INKS] = {0}, xyz[3];

        for (int i = 0; i < inks->count * COLOR_INKS; i++)
            if ((set >> i / COLOR_INKS & 1) != 0)
                sum[i % COLOR_INKS] += density[i / COLOR_INKS][i % COLOR_INKS];
        color_of_densities(sum, xyz);
        for (int c = 0; c < 3; c++)
            inks->primary[set][c] = sqrt(xyz[c]);
    }
}

static void judge(const struct raster_tints *tints, const struct plane *tint,
                  const uint32_t dpi[2])
{
    const int margin = (int)tints->side / OUTSIDE;
    const int inner = (int)tints->side - 2 * margin;
    const struct look look = {
        .right = SHIFT, .down = SHIFT, .aspect = (double)dpi[0] / dpi[1]};
    struct colors colors =
        round_dots_of(&tints->inks, tint, tints->area, &look);
    const size_t count = (size_t)colors.width * (size_t)colors.height;
    double mean[3], lab[3], grain = 0;

    colors_mean(&colors, margin, margin, inner, inner, mean);
    for (int c = 0; c < 3; c++) {
        for (size_t i = 0; i < count; i++)
            colors.plane[c][i] *= mean[c];
        mean[c] *= mean[c];
    }
    color_lab(mean, lab);
    scielab_see_at(&colors, scielab_sight(dpi[0], dpi[1], 12));
    colors_to_lab(&colors);
    colors_mean(&colors, margin, margin, inner, inner, mean);
    for (int i = 0; i < inner * inner; i++) {
        const double l = colors.plane[0][(i / inner + margin) * colors.width +
                                         i % inner + margin];

        grain += (l - mean[0]) * (l - mean[0]) / ((double)inner * inner);
    }
    printf("%.4f %.4f %.4f %.5f", lab[0], lab[1], lab[2], sqrt(grain));
    if (tints->from != NULL && fscanf(tints->from, "%lf%lf%lf%*[^\n]", &mean[0],
                                      &mean[1], &mean[2]) == 3)
        printf(" %.3f", color_difference(lab, mean));
    putchar('\n');
    colors_free(&colors);
}

/* Judges the tints in a row of them. */
static bool judge_row(const struct raster_tints *tints, struct raster *raster)
{
    const uint32_t side = tints->side, inks = raster->layout.inks;
    const uint32_t width = raster->layout.width, across = width / side;
    struct plane *plane = train_alloc((size_t)across * inks, sizeof *plane);
    bool ok = true;

    for (uint32_t i = 0; i < across * inks; i++)
        plane[i] = plane_new((int)side, (int)side);
    for (uint32_t y = 0; ok && y < side; y++) {
        ok = raster_next_row(raster);
        for (uint32_t i = 0; ok && i < across * inks * side; i++) {
            const uint32_t tint = i / side / inks, k = i / side % inks;
            const uint16_t *row = raster->samples + (size_t)k * width;

            plane[tint * inks + k].value[y * side + i % side] =
                (uint8_t)row[tint * side + i % side];
        }
    }
    for (uint32_t tint = 0; ok && tint < across; tint++)
        judge(tints, plane + tint * inks, raster->layout.dpi);
    planes_free(plane, (int)(across * inks));
    free(plane);
    return ok;
}

int main(int argc, char **argv)
{
    static struct raster_tints tints;
    struct raster raster;

    if (!parse(&tints, argc, argv))
        return EXIT_USAGE;
    bool ok =
        raster_open(&raster, argv[optind + 1]) && raster_next_page(&raster);

    if (ok && (raster.layout.bits > 2 || raster.layout.additive))
        ok = command_complain(argv[optind + 1], "not dots of ink");
    if (ok) {
        tints.area[1] = 1;
        for (unsigned size = 1; size < tints.drops.levels; size++)
            tints.area[size] =
                sizes_area(&tints.drops, size) / (double)HT_WHOLE_DOT;
        fill_inks(&tints, &raster.layout);
        for (uint32_t y = 0; ok && y + tints.side <= raster.layout.height;
             y += tints.side)
            ok = judge_row(&tints, &raster);
    }
    if (raster.error != NULL)
        ok = command_complain(argv[optind + 1], raster.error);
    if (tints.from != NULL)
        fclose(tints.from);
    free(tints.inks.primary);
    raster_close(&raster);
    return !ok;
}
