/*
 * tints_main.c - program tints: judges how even flat tints of drops look, and
 * prints them with the same ink as another program's.
 *
 *   tints [--square] [--resolution X[xY]] [--drops AREAS]
 *         COUNT K.pgm C.pgm M.pgm Y.pgm
 *   tints [--square] [--resolution X[xY]] [--drops AREAS] [--mixed N]
 *         [--table FILE] --ink FILE COUNT K.pgm C.pgm M.pgm Y.pgm
 *
 * The files are a sheet of COUNT tints (lab/train/tints.h), at 720 dpi unless
 * another resolution is given, numbers of sizes 0..3. With --ink the library
 * makes them, so that the tints' insides cover as much as the FILE says, four
 * numbers 0..1 a line in the files' order; more columns are ignored: what the
 * program has printed about another sheet will do.
 *
 * Prints a line for each tint: what K, C, M and Y cover; then unevenness as the
 * eye sees it (struct unevenness), of round dots of 1.41 pitches or of square
 * ones: light, L*, color; the same with magenta half a pixel to the right and
 * down; and by how much that moves the color, dE.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "tools/command.h"
#include "lab/train/resolution.h"
#include "lab/train/tints.h"

#define MOST_TINTS 256

static const char usage[] =
    "Usage: tints [--square] [--resolution X[xY]] [--drops AREAS]\n"
    "             COUNT K.pgm C.pgm M.pgm Y.pgm\n"
    "       tints [--square] [--resolution X[xY]] [--drops AREAS] [--mixed N]\n"
    "             [--table FILE] --ink FILE COUNT K.pgm C.pgm M.pgm Y.pgm\n";

struct tints_options {
    double dpi[2];
    struct printer printer;
    const char *table, *ink;
    uint32_t count;
    bool square;
};

static bool parse(struct tints_options *o, int argc, char **argv)
{
    static const struct option options[] = {
        {"resolution", required_argument, NULL, 'r'},
        {"drops", required_argument, NULL, 'd'},
        {"mixed", required_argument, NULL, 'x'},
        {"table", required_argument, NULL, 't'},
        {"ink", required_argument, NULL, 'i'},
        {"square", no_argument, NULL, 's'},
        COMMAND_OPTIONS};
    int option;
    bool ok = true;

    while (ok && (option = command_option(argc, argv, options, usage)) != -1)
        if (option == 'r')
            ok = resolution_parse(optarg, o->dpi);
        else if (option == 'd')
            ok = sizes_read(optarg, &o->printer.drops);
        else if (option == 'x')
            ok = command_number("--mixed", optarg, 0, HT_MAX_MIXED,
                                &o->printer.drops.mixed);
        else if (option == 't')
            o->table = optarg;
        else if (option == 'i')
            o->ink = optarg;
        else
            o->square = true;
    if (ok && argc - optind != 1 + COLOR_INKS)
        command_misuse(usage);
    return ok &&
           command_number("COUNT", argv[optind], 1, MOST_TINTS, &o->count);
}

static bool read_ink(const char *path, double ink[][COLOR_INKS], uint32_t count)
{
    FILE *file = fopen(path, "r");
    char line[512];
    bool ok = file != NULL;

    if (!ok)
        return command_complain(path, strerror(errno));
    for (uint32_t i = 0; ok && i < count; i++)
        ok = fgets(line, sizeof line, file) != NULL &&
             sscanf(line, "%lf %lf %lf %lf", &ink[i][0], &ink[i][1], &ink[i][2],
                    &ink[i][3]) == COLOR_INKS;
    fclose(file);
    return ok || command_complain(path, "no line of four numbers for a tint");
}

static bool make(const struct tints_options *o, char **file,
                 struct plane *sheet)
{
    static double ink[MOST_TINTS][COLOR_INKS];
    struct printer printer = o->printer;
    ht_table_t *table = NULL;

    if (!read_ink(o->ink, ink, o->count) ||
        (o->table != NULL && (table = printer_load_table(o->table)) == NULL))
        return false;
    printer.table = table;
    printer.across = (uint32_t)o->dpi[0];
    printer.down = (uint32_t)o->dpi[1];
    bool ok = tints_print(&printer, ink, (int)o->count, sheet);
    for (int i = 0; ok && i < COLOR_INKS; i++)
        ok = plane_write_drops(&sheet[i], file[i]);
    ht_table_free(table);
    return ok;
}

static bool get(const struct tints_options *o, char **file, struct plane *sheet)
{
    const int rows = ((int)o->count + TINTS_ACROSS - 1) / TINTS_ACROSS;

    if (o->ink != NULL)
        return make(o, file, sheet);
    for (int i = 0; i < COLOR_INKS; i++) {
        if (!plane_read_drops(&sheet[i], file[i]))
            return false;
        if (sheet[i].width != TINTS_ACROSS * TINTS_SIDE ||
            sheet[i].height != rows * TINTS_SIDE)
            return command_complain(file[i], "not a sheet of so many tints");
    }
    return true;
}

static void judge(const struct tints_options *o, const struct plane *sheet,
                  int tint, const double *area)
{
    const struct look in = {.diameter = o->square ? 0 : ROUND_DIAMETER,
                            .aspect = o->dpi[0] / o->dpi[1]};
    struct look off = in;
    double ink[COLOR_INKS];

    off.right = off.down = .5;
    tints_ink(sheet, tint, area, ink);
    struct unevenness still = tints_judge(sheet, tint, area, &in, o->dpi[1]),
                      moved = still;
    if (ink[2] > 0)
        moved = tints_judge(sheet, tint, area, &off, o->dpi[1]);
    for (int i = 0; i < COLOR_INKS; i++)
        printf("%.5f ", ink[i]);
    printf("%.5f %.5f %.5f %.5f %.5f %.5f %.3f\n", still.light, still.l,
           still.color, moved.light, moved.l, moved.color,
           color_distance(still.mean_lab, moved.mean_lab));
}

int main(int argc, char **argv)
{
    struct tints_options o = {.dpi = {720, 720},
                              .printer = {.segment = HT_DEFAULT_SEGMENT}};
    struct plane sheet[COLOR_INKS] = {{0}};
    double area[HT_MAX_LEVELS];

    if (!parse(&o, argc, argv))
        return EXIT_USAGE;
    bool ok = get(&o, argv + optind + 1, sheet);
    printer_areas(&o.printer, area);
    for (uint32_t i = 0; ok && i < o.count; i++)
        judge(&o, sheet, (int)i, area);
    planes_free(sheet, COLOR_INKS);
    return !ok;
}
