/*
 * seen_main.c - program seen: judges a picture's dots by what the eye sees.
 *
 *   seen [--resolution X[xY]] [--drops AREAS] [--prints N] [--table FILE]
 *        [--maker NAME] [--keep PREFIX] TONES.pgm...
 *   seen [--resolution X[xY]] TONES.pgm... DOTS.pbm...
 *   seen [--resolution X[xY]] --drops AREAS [--prints N]
 *        TONES.pgm... DOTS.pgm...
 *
 * Prints the S-CIELAB distance of dots from tones: of dots that fill their
 * pixels from 12 and 6 inches, and of round ones of 1.41 pitches. Tones are
 * those of black alone, or of K, C, M and Y. Dots are the library's, those of a
 * peer of lab/train/peers/, or of files, in the order of the tones; in drops of
 * several sizes they are the numbers of these, of maximum 3, and --keep writes
 * the library's, as PREFIX0.pgm and so on. With --prints the files are N prints
 * of a picture, one below the other, and the distances are theirs from their
 * mean (seen_grain()).
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <stdio.h>
#include <string.h>

#include "tools/command.h"
#include "lab/train/peers/peers.h"
#include "lab/train/printer.h"
#include "lab/train/resolution.h"
#include "lab/train/seen.h"

static const char usage[] =
    "Usage: seen [--resolution X[xY]] [--drops AREAS] [--prints N]\n"
    "            [--table FILE] [--maker NAME] [--keep PREFIX] TONES.pgm...\n"
    "       seen [--resolution X[xY]] TONES.pgm... DOTS.pbm...\n"
    "       seen [--resolution X[xY]] --drops AREAS [--prints N]\n"
    "            TONES.pgm... DOTS.pgm...\n";

struct seen_options {
    double dpi[2];
    struct printer printer;
    const char *table, *keep;
    const struct peer *peer; /* NULL = the library */
    int inks;
    bool dots;       /* in files */
    uint32_t prints; /* 0 = distances from tones */
};

static bool parse_maker(struct seen_options *o, const char *name)
{
    for (int i = 0; i < peers_count; i++)
        if (strcmp(peers[i].name, name) == 0) {
            o->peer = &peers[i];
            return o->peer->available == NULL || o->peer->available() ||
                   command_complain("--maker", "not installed");
        }
    return command_complain("--maker", "no such peer");
}

static bool parse(struct seen_options *o, int argc, char **argv)
{
    static const struct option options[] = {
        {"resolution", required_argument, NULL, 'r'},
        {"drops", required_argument, NULL, 'd'},
        {"prints", required_argument, NULL, 'g'},
        {"keep", required_argument, NULL, 'k'},
        {"table", required_argument, NULL, 't'},
        {"maker", required_argument, NULL, 'm'},
        COMMAND_OPTIONS};
    int option;
    bool ok = true;

    while (ok && (option = command_option(argc, argv, options, usage)) != -1)
        if (option == 'r')
            ok = resolution_parse(optarg, o->dpi);
        else if (option == 'd')
            ok = sizes_read(optarg, &o->printer.drops);
        else if (option == 'g')
            ok = command_number("--prints", optarg, 2, 16, &o->prints);
        else if (option == 'k')
            o->keep = optarg;
        else if (option == 't')
            o->table = optarg;
        else
            ok = parse_maker(o, optarg);
    if (!ok)
        return false;
    int files = argc - optind;
    o->dots = files == 2 || files == 2 * COLOR_INKS;
    o->inks = o->dots ? files / 2 : files;
    if (o->inks != 1 && o->inks != COLOR_INKS)
        command_misuse(usage);
    return true;
}

static bool read_dots(const struct seen_options *o, struct plane *dots,
                      const char *path)
{
    return o->printer.drops.levels > 0 ? plane_read_drops(dots, path)
                                       : plane_read_pbm(dots, path);
}

static bool keep(const char *prefix, const struct plane *dots, int ink)
{
    char path[1024];

    return snprintf(path, sizeof path, "%s%d.pgm", prefix, ink) <
               (int)sizeof path &&
           plane_write_drops(&dots[ink], path);
}

/* Reads the tones, and the dots or makes them; planes without an ink are
 * white. */
static bool make_planes(const struct seen_options *o, char **file,
                        struct plane *tones, struct plane *dots)
{
    for (int i = 0; i < o->inks; i++) {
        if (!plane_read_pgm(&tones[i], file[i]) ||
            (o->dots && !read_dots(o, &dots[i], file[o->inks + i])) ||
            (o->peer != NULL && !o->peer->print(&tones[i], &dots[i])))
            return false;
        if (tones[i].width != tones[0].width ||
            tones[i].height != tones[0].height)
            return command_complain(file[i], "not of the first one's size");
    }
    if (!o->dots && o->peer == NULL &&
        !printer_print(&o->printer, tones, o->inks, dots))
        return false;
    for (int i = 0; i < o->inks; i++)
        if (dots[i].width != tones[0].width ||
            dots[i].height != tones[0].height)
            return command_complain(file[i], "dots are of another size");
        else if (o->keep != NULL && !keep(o->keep, dots, i))
            return false;
    for (int i = o->inks; i < COLOR_INKS; i++) {
        tones[i] = plane_new(tones[0].width, tones[0].height);
        dots[i] = plane_new(tones[0].width, tones[0].height);
    }
    return true;
}

int main(int argc, char **argv)
{
    struct seen_options o = {.dpi = {600, 600},
                             .printer = {.segment = HT_DEFAULT_SEGMENT}};
    struct plane tones[COLOR_INKS] = {{0}}, dots[COLOR_INKS] = {{0}};
    double area[HT_MAX_LEVELS];
    ht_table_t *table = NULL;

    if (!parse(&o, argc, argv))
        return EXIT_USAGE;
    if (o.table != NULL && (table = printer_load_table(o.table)) == NULL)
        return 1;
    o.printer.table = table;
    o.printer.across = (uint32_t)o.dpi[0];
    o.printer.down = (uint32_t)o.dpi[1];
    printer_areas(&o.printer, area);
    bool ok = make_planes(&o, argv + optind, tones, dots);
    for (int round = 0; ok && round < 2; round++) {
        const struct look look = {.diameter = round ? ROUND_DIAMETER : 0,
                                  .aspect = o.dpi[0] / o.dpi[1]};
        const struct sight sight[] = {scielab_sight(o.dpi[0], o.dpi[1], 12),
                                      scielab_sight(o.dpi[0], o.dpi[1], 6)};
        double distance[2];

        if (o.prints > 0)
            seen_grain(dots, area, &look, sight, 2, (int)o.prints, distance);
        else
            seen_distances(dots, area, tones, &look, sight, 2, distance);
        printf("%.4f %.4f%c", distance[0], distance[1], round ? '\n' : ' ');
    }
    planes_free(tones, COLOR_INKS);
    planes_free(dots, COLOR_INKS);
    ht_table_free(table);
    return !ok;
}
