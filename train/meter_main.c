/*
 * meter_main.c - program meter: measures halftones.
 *
 *   meter --quality --work DIR [--table FILE [--pattern PBM]]
 *         [--method 4|1] [--segment COLUMNS] [--photo FILE.pgm:LIMIT ...]
 *         [--peers] [--no-inks] [--json FILE] [--tones PREFIX] [--jobs N]
 *       the table of doc/quality.md on the library's own dots, or, with
 *       --peers, on those of every peer too; exits 3 when a must is missed.
 *       Every tone's measures go to PREFIX-MAKER.csv.
 *   meter CONTONE.pgm DOTS.pbm
 *       any halftone against its contone
 *   meter --print PEER CONTONE.pgm DOTS.pbm
 *       a peer's halftone; "library" is the library's
 *
 * DIR holds the references that "dbs references DIR" makes.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "train/quality.h"
#include "train/report.h"

#define PHOTOS 8

struct options {
    bool quality, with_peers, no_inks;
    const char *work, *table, *pattern, *json, *tones, *print;
    const char *photo[PHOTOS];
    int photos, jobs;
    struct printer printer;
    ht_table_t *own;
};

static bool parse(struct options *o, int argc, char **argv)
{
    static const struct option options[] = {
        {"quality", 0, 0, 'q'}, {"work", 1, 0, 'w'},
        {"table", 1, 0, 't'},   {"pattern", 1, 0, 'p'},
        {"method", 1, 0, 'm'},  {"segment", 1, 0, 's'},
        {"photo", 1, 0, 'f'},   {"peers", 0, 0, 'e'},
        {"no-inks", 0, 0, 'n'}, {"json", 1, 0, 'j'},
        {"tones", 1, 0, 'c'},   {"jobs", 1, 0, 'k'},
        {"print", 1, 0, 'r'},   {0}};

    for (int c; (c = getopt_long(argc, argv, "", options, NULL)) != -1;)
        switch (c) {
        case 'q':
            o->quality = true;
            break;
        case 'w':
            o->work = optarg;
            break;
        case 't':
            o->table = optarg;
            break;
        case 'p':
            o->pattern = optarg;
            break;
        case 'm':
            if (strcmp(optarg, "1") != 0 && strcmp(optarg, "4") != 0)
                return false;
            o->printer.method = *optarg == '1' ? HT_TDFED1 : HT_TDFED4;
            break;
        case 's':
            o->printer.segment = (uint32_t)atoi(optarg);
            break;
        case 'f':
            if (o->photos == PHOTOS)
                return false;
            o->photo[o->photos++] = optarg;
            break;
        case 'e':
            o->with_peers = true;
            break;
        case 'n':
            o->no_inks = true;
            break;
        case 'j':
            o->json = optarg;
            break;
        case 'c':
            o->tones = optarg;
            break;
        case 'k':
            o->jobs = atoi(optarg);
            break;
        case 'r':
            o->print = optarg;
            break;
        default:
            return false;
        }
    if (o->pattern != NULL && o->table == NULL)
        return false;
    return o->quality ? o->work != NULL && optind == argc : argc - optind == 2;
}

/* Gives the printer the table, with another pattern where one is named. */
static bool load_table(struct options *o)
{
    uint8_t pattern[HT_PATTERN_BYTES];

    if (o->table == NULL)
        return true;
    o->own = printer_load_table(o->table);
    if (o->own != NULL && o->pattern != NULL) {
        ht_table_t *changed = NULL;

        if (printer_load_pattern(pattern, o->pattern))
            ht_table_new(&changed, ht_table_tones(o->own), pattern);
        ht_table_free(o->own);
        o->own = changed;
    }
    o->printer.table = o->own;
    return o->own != NULL;
}

static const struct peer *find_peer(const char *name)
{
    for (int i = 0; i < peers_count; i++)
        if (strcmp(peers[i].name, name) == 0)
            return &peers[i];
    return NULL;
}

/* ---- One picture ------------------------------------------------------ */

static bool print_picture(const struct options *o, const char *in,
                          const char *out)
{
    struct maker maker = {o->print, NULL, find_peer(o->print)};
    struct plane tones, dots;

    if (strcmp(o->print, "library") == 0)
        maker.printer = &o->printer;
    if (maker.printer == NULL && maker.peer == NULL) {
        fprintf(stderr, "%s: no such peer\n", o->print);
        return false;
    }
    if (!plane_read_pgm(&tones, in))
        return false;
    bool ok = maker_print(&maker, &tones, &dots) && plane_write_pbm(&dots, out);
    plane_free(&tones);
    return ok;
}

static bool measure_files(const char *in, const char *out)
{
    struct plane tones, dots;
    struct measured_picture m;

    if (!plane_read_pgm(&tones, in) || !plane_read_pbm(&dots, out))
        return false;
    if (tones.width != dots.width || tones.height != dots.height ||
        tones.width < 2 * MEASURE_PICTURE_MARGIN + SPECTRUM_SIDE ||
        tones.height < MEASURE_PICTURE_MARGIN + SPECTRUM_SIDE) {
        fprintf(stderr, "%s and %s: not of one size, or too small\n", in, out);
        return false;
    }
    measure_picture(&m, &dots, &tones);
    report_picture(stdout, &m);
    return true;
}

/* ---- Quality ---------------------------------------------------------- */

static bool assess(struct options *o, const struct maker *maker,
                   const struct measured *measured,
                   const struct measured *rival, const struct reference *best,
                   struct quality *quality)
{
    bool ok = true;

    quality_flat(quality, measured, rival);
    ok = quality_ramp(quality, maker, o->work);
    for (int i = 0; ok && i < o->photos; i++) {
        char path[4096];
        const char *colon = strrchr(o->photo[i], ':');
        double limit = colon ? atof(colon + 1) : 1.45;

        snprintf(path, sizeof path, "%.*s",
                 (int)(colon ? colon - o->photo[i] : 4000), o->photo[i]);
        ok = quality_photo(quality, maker, o->work, path, limit);
    }
    ok = ok && quality_forced(quality, maker);
    if (ok && maker->printer != NULL && !o->no_inks)
        ok = quality_inks(quality, maker->printer, best);
    return ok;
}

/* Assesses the library first, then, when asked, the peers. Returns the
 * program's exit status. */
static int assess_all(struct options *o)
{
    struct maker zhou_fang = {"zhou-fang", NULL, find_peer("zhou-fang")};
    struct maker maker = {"library", &o->printer, NULL};
    struct reference *usual = reference_load_all(o->work, DBS_USUAL);
    struct reference *best = reference_load_all(o->work, DBS_BEST);
    struct report report = {.tones = o->tones};
    const struct measured *rival = NULL;
    int missed = 0;

    if (usual == NULL || best == NULL)
        return 1;
    rival = quality_measure(&zhou_fang, usual, best, o->jobs);
    if (rival == NULL || !report_open(&report, o->json))
        return 1;
    for (int i = -1; i < (o->with_peers ? peers_count : 0); i++) {
        static struct quality quality;
        const struct measured *measured;

        quality.count = 0;
        if (i >= 0) {
            if (peers[i].available != NULL && !peers[i].available())
                continue;
            maker = (struct maker){peers[i].name, NULL, &peers[i]};
        }
        measured = i >= 0 && strcmp(peers[i].name, "zhou-fang") == 0
                       ? rival
                       : quality_measure(&maker, usual, best, o->jobs);
        if (measured == NULL ||
            !assess(o, &maker, measured, rival, best, &quality))
            return 1;
        int misses = report_quality(&report, maker.name, &quality, measured);
        missed += i < 0 ? misses : 0;
    }
    if (!report_close(&report))
        return 1;
    return missed > 0 ? 3 : 0;
}

int main(int argc, char **argv)
{
    struct options o = {.printer = {HT_TDFED4, NULL, HT_DEFAULT_SEGMENT, NULL}};

    if (!parse(&o, argc, argv)) {
        fprintf(stderr, "Usage: meter --quality --work DIR [options]\n"
                        "       meter CONTONE.pgm DOTS.pbm\n"
                        "       meter --print PEER CONTONE.pgm DOTS.pbm\n");
        return 2;
    }
    if (!load_table(&o))
        return 1;
    if (o.quality)
        return assess_all(&o);
    if (o.print != NULL)
        return !print_picture(&o, argv[optind], argv[optind + 1]);
    return !measure_files(argv[optind], argv[optind + 1]);
}
