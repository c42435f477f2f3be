/*
 * meter_main.c - program meter: measures halftones.
 *
 *   meter --quality --work DIR [--table FILE [--pattern PBM]]
 *         [--method 4|1] [--segment COLUMNS] [--photo FILE.pgm:LIMIT ...]
 *         [--peers] [--no-inks] [--json FILE] [--tones PREFIX] [--jobs N]
 *       the table of doc/lab/quality.md on the library's own dots, or, with
 *       --peers, on those of every peer too; exits 3 when a must is missed.
 *       Every tone's measures go to PREFIX-MAKER.csv. --no-inks leaves out what
 *       inks do together.
 *   meter --sharpness [--table FILE [--pattern PBM]] [--method 4|1]
 *         [--segment COLUMNS] [--photo FILE.pgm ...] [--peers]
 *       of this table what is about fine detail
 *   meter CONTONE.pgm DOTS.pbm
 *       any halftone against its contone
 *
 * DIR holds the references that "dbs references DIR" makes.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "tools/command.h"
#include "train/jobs.h"
#include "train/quality.h"
#include "train/report.h"

#define PHOTOS 8

static const char usage[] =
    "Usage: meter --quality --work DIR [--table FILE [--pattern PBM]]\n"
    "             [--method 4|1] [--segment COLUMNS] "
    "[--photo FILE.pgm:LIMIT ...]\n"
    "             [--peers] [--no-inks] [--json FILE] [--tones PREFIX] "
    "[--jobs N]\n"
    "       meter --sharpness [--table FILE [--pattern PBM]] [--method 4|1]\n"
    "             [--segment COLUMNS] [--photo FILE.pgm ...] [--peers]\n"
    "       meter CONTONE.pgm DOTS.pbm\n";

struct options {
    bool quality, sharpness, with_peers, no_inks;
    const char *work, *table, *pattern, *json, *tones;
    struct photo {
        const char *path;
        double limit; /* of its HVS error at S over DBS's */
    } photo[PHOTOS];
    int photos;
    uint32_t jobs;
    struct printer printer;
    ht_table_t *own;
};

/* FILE.pgm:LIMIT, or FILE.pgm without a colon; cut at the colon. */
static bool parse_photo(struct options *o, char *text)
{
    char *colon = strrchr(text, ':');
    double limit = 1.45;

    if (o->photos == PHOTOS)
        return command_complain("--photo", "too many");
    if (colon != NULL && !text_decimal(colon + 1, 0, 1000, &limit))
        return command_complain("--photo", "not FILE.pgm:LIMIT");
    if (colon != NULL)
        *colon = '\0';
    o->photo[o->photos++] = (struct photo){text, limit};
    return true;
}

static bool parse(struct options *o, int argc, char **argv)
{
    static const struct option options[] = {
        {"quality", no_argument, NULL, 'q'},
        {"sharpness", no_argument, NULL, 'r'},
        {"work", required_argument, NULL, 'w'},
        {"table", required_argument, NULL, 't'},
        {"pattern", required_argument, NULL, 'p'},
        {"method", required_argument, NULL, 'm'},
        {"segment", required_argument, NULL, 's'},
        {"photo", required_argument, NULL, 'f'},
        {"peers", no_argument, NULL, 'e'},
        {"no-inks", no_argument, NULL, 'n'},
        {"json", required_argument, NULL, 'j'},
        {"tones", required_argument, NULL, 'c'},
        {"jobs", required_argument, NULL, 'k'},
        COMMAND_OPTIONS};
    int option;
    bool ok = true;

    while (ok && (option = command_option(argc, argv, options, usage)) != -1)
        switch (option) {
        case 'q':
            o->quality = true;
            break;
        case 'r':
            o->sharpness = true;
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
            ok = printer_parse_method(optarg, &o->printer.method);
            break;
        case 's':
            ok = printer_parse_segment(optarg, &o->printer.segment);
            break;
        case 'f':
            ok = parse_photo(o, optarg);
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
            ok = command_number("--jobs", optarg, 0, JOBS_MAX, &o->jobs);
            break;
        }
    bool of_dots = !o->quality && !o->sharpness;
    if (ok && ((o->quality && (o->work == NULL || o->sharpness)) ||
               argc - optind != (of_dots ? 2 : 0)))
        command_misuse(usage);
    if (ok && o->pattern != NULL && o->table == NULL)
        ok = command_complain("--pattern", "only with --table");
    return ok;
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

static bool measure_files(const char *in, const char *out)
{
    struct plane tones = {0}, dots = {0};
    struct measured_picture m;
    bool ok = plane_read_pgm(&tones, in) && plane_read_pbm(&dots, out);

    if (ok && (tones.width != dots.width || tones.height != dots.height))
        ok = command_complain(out, "not of the contone's size");
    ok = ok && measure_picture_fits(&tones, in);
    if (ok) {
        measure_picture(&m, &dots, &tones);
        report_picture(stdout, &m);
    }
    plane_free(&tones);
    plane_free(&dots);
    return ok;
}

/* ---- Quality ---------------------------------------------------------- */

/* The rows on fine detail, of the library and the photos, or of a peer. */
static bool assess_sharpness(const struct options *o, const struct maker *maker,
                             struct quality *quality)
{
    bool ok = quality_sharpness(quality, maker);

    for (int i = 0; ok && i < o->photos; i++)
        ok = quality_sharp_photo(quality, maker, o->photo[i].path);
    return ok;
}

static bool assess(struct options *o, const struct maker *maker,
                   const struct measured *measured,
                   const struct measured *rival, const struct reference *best,
                   struct quality *quality)
{
    bool ok = true;

    quality_flat(quality, measured, rival);
    ok = quality_ramp(quality, maker, o->work);
    for (int i = 0; ok && i < o->photos; i++)
        ok = quality_photo(quality, maker, o->work, o->photo[i].path,
                           o->photo[i].limit);
    ok = ok && quality_forced(quality, maker) &&
         assess_sharpness(o, maker, quality);
    if (ok && maker->printer != NULL && !o->no_inks)
        ok = quality_inks(quality, maker->printer, best);
    return ok;
}

/* Assesses that alone. Returns the program's exit status. */
static int assess_all_sharpness(const struct options *o)
{
    struct maker maker = {"library", &o->printer, NULL};
    struct report report = {.json = NULL};
    int missed = 0;

    for (int i = -1; i < (o->with_peers ? peers_count : 0); i++) {
        static struct quality quality;

        quality.count = 0;
        if (i >= 0) {
            if (peers[i].available != NULL && !peers[i].available())
                continue;
            maker = (struct maker){peers[i].name, NULL, &peers[i]};
        }
        if (!assess_sharpness(o, &maker, &quality))
            return 1;
        missed += report_quality(&report, maker.name, &quality, NULL);
    }
    return missed > 0 ? 3 : 0;
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

    if (!parse(&o, argc, argv))
        return EXIT_USAGE;
    if (!load_table(&o))
        return 1;
    if (o.quality)
        return assess_all(&o);
    if (o.sharpness)
        return assess_all_sharpness(&o);
    return !measure_files(argv[optind], argv[optind + 1]);
}
