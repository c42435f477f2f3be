/*
 * meter_main.c - program meter: measures halftones.
 *
 *   meter --quality --work DIR [--table FILE [--pattern PBM]]
 *         [--method 4|1] [--segment COLUMNS] [--photo FILE.pgm:LIMIT ...]
 *         [--peers] [--no-inks] [--json FILE] [--tones PREFIX] [--jobs N]
 *         [--baseline FILE]
 *       the table of lab/doc/quality.md on the library's own dots, or, with
 *       --peers, on those of every peer too; exits 3 when a must is missed.
 *       Every tone's measures go to PREFIX-MAKER.csv. --no-inks leaves out what
 *       inks do together. The beginnings of tints are compared with those of
 *       the table --baseline.
 *   meter --tints [--table FILE [--pattern PBM]] [--method 4|1]
 *         [--segment COLUMNS] [--peers] [--json FILE] [--baseline FILE]
 *       what of it is about lines and tints, and needs no references
 *   meter --color [--table FILE [--pattern PBM]] [--method 4|1]
 *         [--segment COLUMNS] [--engine NAME] [--floor] [--json FILE]
 *       inks as one picture; with --floor, joint direct binary search's too
 *   meter --together [--table FILE [--pattern PBM]] [--method 4|1]
 *         [--segment COLUMNS] [--engine NAME] [--json FILE]
 *       how even mixtures of inks look: bands, inks out of register, ramps
 *   meter --round [--steps] [--tone LIST] [--resolution X[xY]] [--parts N]
 *         [--jobs N] [--table FILE [--pattern PBM]] [--method 4|1]
 *         [--segment COLUMNS] [--engine NAME] [--json FILE]
 *       how even tones of one ink look, of square dots and of round ones of
 *       1.2, 1.41 and 1.6 pitches, from 12 and 6 inches: 16, 20 .. 240, or
 *       those of LIST, "108,127"; pixels of N x N parts. With --steps, of all
 *       tones, how even the steps between them and ramps are
 *   meter --drops AREAS [--mixed N] [--table FILE [--pattern PBM]]
 *         [--method 4|1] [--segment COLUMNS] [--engine NAME] [--json FILE]
 *       drops of several sizes, of these areas in percent (100: whole dots
 *       alone), mixed on N of 16 pixels; musts are those of 33.333,66.667,100
 *   meter --sharpness [--table FILE [--pattern PBM]] [--method 4|1]
 *         [--segment COLUMNS] [--photo FILE.pgm ...] [--peers]
 *       of this table what is about fine detail
 *   meter --screen [--photo FILE.pgm] [--json FILE]
 *       what is demanded of the method Screen; exits 3 when a must is missed
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

#include "halftone/base/text.h"
#include "tools/command.h"
#include "lab/train/cover.h"
#include "lab/train/jobs.h"
#include "lab/train/quality.h"
#include "lab/train/report.h"
#include "lab/train/resolution.h"
#include "lab/train/screen.h"

#define PHOTOS 8
#define TONES 256

static const char usage[] =
    "Usage: meter --quality --work DIR [--table FILE [--pattern PBM]]\n"
    "             [--method 4|1] [--segment COLUMNS] "
    "[--photo FILE.pgm:LIMIT ...]\n"
    "             [--peers] [--no-inks] [--json FILE] [--tones PREFIX] "
    "[--jobs N]\n"
    "             [--baseline FILE]\n"
    "       meter --tints [--table FILE [--pattern PBM]] [--method 4|1]\n"
    "             [--segment COLUMNS] [--peers] [--json FILE] "
    "[--baseline FILE]\n"
    "       meter --color [--table FILE [--pattern PBM]] [--method 4|1]\n"
    "             [--segment COLUMNS] [--engine NAME] [--floor] "
    "[--json FILE]\n"
    "       meter --together [--table FILE [--pattern PBM]] [--method 4|1]\n"
    "             [--segment COLUMNS] [--engine NAME] [--json FILE]\n"
    "       meter --round [--steps] [--tone LIST] [--resolution X[xY]]\n"
    "             [--parts N] [--jobs N] [--table FILE [--pattern PBM]]\n"
    "             [--method 4|1] [--segment COLUMNS] [--engine NAME] "
    "[--json FILE]\n"
    "       meter --drops AREAS [--mixed N] [--table FILE [--pattern PBM]]\n"
    "             [--method 4|1] [--segment COLUMNS] [--engine NAME]\n"
    "             [--json FILE]\n"
    "       meter --sharpness [--table FILE [--pattern PBM]] [--method 4|1]\n"
    "             [--segment COLUMNS] [--photo FILE.pgm ...] [--peers]\n"
    "       meter --screen [--photo FILE.pgm] [--json FILE]\n"
    "       meter CONTONE.pgm DOTS.pbm\n";

struct meter_options {
    bool quality, tints_alone, color, together, drops, screen, sharpness, round,
        steps, with_floor, with_peers, no_inks;
    const char *work, *table, *pattern, *baseline_path, *json, *tones;
    struct photo {
        const char *path;
        double limit; /* of its HVS error at S over DBS's */
    } photo[PHOTOS];
    int photos;
    int tone[TONES];
    struct round_options one_ink;
    struct printer printer;
    ht_table_t *own, *baseline;
};

/* FILE.pgm:LIMIT, or FILE.pgm without a colon; cut at the colon. */
static bool parse_photo(struct meter_options *o, char *text)
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

static bool parse_tones(struct meter_options *o, char *list)
{
    for (char *tone = strtok(list, ","); tone; tone = strtok(NULL, ",")) {
        uint32_t value;

        if (o->one_ink.count == TONES)
            return command_complain("--tone", "too many");
        if (!command_number("--tone", tone, 0, 255, &value))
            return false;
        o->tone[o->one_ink.count++] = (int)value;
    }
    return true;
}

static bool parse(struct meter_options *o, int argc, char **argv)
{
    static const struct option options[] = {
        {"quality", no_argument, NULL, 'q'},
        {"screen", no_argument, NULL, 'S'},
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
        {"tints", no_argument, NULL, 'l'},
        {"baseline", required_argument, NULL, 'b'},
        {"color", no_argument, NULL, 'o'},
        {"together", no_argument, NULL, 'T'},
        {"drops", required_argument, NULL, 'd'},
        {"mixed", required_argument, NULL, 'x'},
        {"round", no_argument, NULL, 'R'},
        {"steps", no_argument, NULL, 'E'},
        {"tone", required_argument, NULL, 'L'},
        {"resolution", required_argument, NULL, 'D'},
        {"parts", required_argument, NULL, 'P'},
        {"floor", no_argument, NULL, 'F'},
        {"engine", required_argument, NULL, 'g'},
        COMMAND_OPTIONS};
    int option;
    bool ok = true;

    while (ok && (option = command_option(argc, argv, options, usage)) != -1)
        switch (option) {
        case 'q':
            o->quality = true;
            break;
        case 'S':
            o->screen = true;
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
            ok =
                command_number("--jobs", optarg, 0, JOBS_MAX, &o->one_ink.jobs);
            break;
        case 'l':
            o->tints_alone = true;
            break;
        case 'b':
            o->baseline_path = optarg;
            break;
        case 'o':
            o->color = true;
            break;
        case 'T':
            o->together = true;
            break;
        case 'd':
            o->drops = true;
            ok = sizes_read(optarg, &o->printer.drops);
            break;
        case 'x':
            ok = command_number("--mixed", optarg, 0, HT_MAX_MIXED,
                                &o->printer.drops.mixed);
            break;
        case 'R':
            o->round = true;
            break;
        case 'E':
            o->steps = true;
            break;
        case 'L':
            ok = parse_tones(o, optarg);
            break;
        case 'D':
            ok = resolution_parse(optarg, o->one_ink.dpi);
            break;
        case 'P':
            ok = command_number("--parts", optarg, 1, 255, &o->one_ink.parts);
            break;
        case 'F':
            o->with_floor = true;
            break;
        case 'g':
            o->printer.engine = optarg;
            break;
        }
    int tasks = o->quality + o->tints_alone + o->color + o->together +
                o->drops + o->screen + o->sharpness + o->round;
    int files = tasks > 0 ? 0 : 2;
    if (ok &&
        (argc - optind != files || (o->quality && o->work == NULL) ||
         tasks > 1 || (o->screen && o->photos > 1) || (o->steps && !o->round)))
        command_misuse(usage);
    if (ok && o->pattern != NULL && o->table == NULL)
        ok = command_complain("--pattern", "only with --table");
    return ok && sizes_can_be_mixed(&o->printer.drops);
}

/* Gives the printer the resolution and the table, with another pattern where
 * one is named. The tables are to be freed, also when one was not loaded. */
static bool load_tables(struct meter_options *o)
{
    uint8_t pattern[HT_PATTERN_BYTES];

    o->printer.across = (uint32_t)o->one_ink.dpi[0];
    o->printer.down = (uint32_t)o->one_ink.dpi[1];
    if (o->baseline_path != NULL) {
        o->baseline = printer_load_table(o->baseline_path);
        if (o->baseline == NULL)
            return false;
    }
    if (o->table == NULL)
        return true;
    o->own = printer_load_table(o->table);
    if (o->own != NULL && o->pattern != NULL) {
        ht_table_t *changed = NULL;

        if (printer_load_pattern(pattern, o->pattern))
            ht_table_new(&changed, ht_table_tones(o->own), pattern,
                         ht_table_rules(o->own));
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

/* Number -1 is the library, 0 and up are the peers; false for one that is not
 * there. */
static bool choose_maker(const struct meter_options *o, int number,
                         struct maker *maker)
{
    if (number < 0) {
        *maker = (struct maker){"library", &o->printer, NULL};
        return true;
    }
    *maker = (struct maker){peers[number].name, NULL, &peers[number]};
    return peers[number].available == NULL || peers[number].available();
}

static bool assess_tints(const struct meter_options *o,
                         const struct maker *maker, struct quality *quality)
{
    return quality_dots(quality, maker) &&
           (maker->printer == NULL ||
            quality_tints(quality, maker->printer, o->baseline));
}

/* The rows on fine detail, of the library and the photos, or of a peer. */
static bool assess_sharpness(const struct meter_options *o,
                             const struct maker *maker, struct quality *quality)
{
    bool ok = quality_sharpness(quality, maker);

    for (int i = 0; ok && i < o->photos; i++)
        ok = quality_sharp_photo(quality, maker, o->photo[i].path);
    return ok;
}

/* The rows on how even mixtures look, which peers have none of. */
static bool assess_together(const struct meter_options *o,
                            const struct maker *maker, struct quality *quality)
{
    (void)o;
    return maker->printer == NULL || quality_together(quality, maker->printer);
}

static bool assess_drops(const struct meter_options *o,
                         const struct maker *maker, struct quality *quality)
{
    (void)o;
    return maker->printer == NULL || quality_drops(quality, maker->printer);
}

static bool assess_one_ink(const struct meter_options *o,
                           const struct maker *maker, struct quality *quality)
{
    return o->steps ? quality_steps(quality, maker->printer, &o->one_ink)
                    : quality_round(quality, maker->printer, &o->one_ink);
}

static bool assess(struct meter_options *o, const struct maker *maker,
                   const struct measured *measured,
                   const struct measured *rival, const struct reference *best,
                   struct quality *quality)
{
    bool ok = true;

    quality->count = 0;
    quality_flat(quality, measured, rival);
    ok = quality_ramp(quality, maker, o->work);
    for (int i = 0; ok && i < o->photos; i++)
        ok = quality_photo(quality, maker, o->work, o->photo[i].path,
                           o->photo[i].limit);
    ok = ok && quality_forced(quality, maker) &&
         assess_sharpness(o, maker, quality);
    if (ok && maker->printer != NULL && !o->no_inks)
        ok = quality_inks(quality, maker->printer, best);
    return ok && assess_tints(o, maker, quality);
}

/* Assesses the library first, then, when asked, the peers. Returns the
 * program's exit status. */
static int assess_all(struct meter_options *o)
{
    struct maker zhou_fang = {"zhou-fang", NULL, find_peer("zhou-fang")};
    struct maker maker;
    struct reference *usual = reference_load_all(o->work, DBS_USUAL);
    struct reference *best = reference_load_all(o->work, DBS_BEST);
    struct report report = {.tones = o->tones};
    const struct measured *rival = NULL;
    int missed = 0;

    if (usual == NULL || best == NULL)
        return 1;
    rival = quality_measure(&zhou_fang, usual, best, o->one_ink.jobs);
    if (rival == NULL || !report_open(&report, o->json))
        return 1;
    for (int i = -1; i < (o->with_peers ? peers_count : 0); i++) {
        static struct quality quality;
        const struct measured *measured;

        if (!choose_maker(o, i, &maker))
            continue;
        measured = i >= 0 && strcmp(peers[i].name, "zhou-fang") == 0
                       ? rival
                       : quality_measure(&maker, usual, best, o->one_ink.jobs);
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

/* assess_all() for a single part that needs no references. */
static int assess_part(const struct meter_options *o,
                       bool (*assess_one)(const struct meter_options *o,
                                          const struct maker *maker,
                                          struct quality *quality))
{
    struct report report = {0};
    int missed = 0;

    if (!report_open(&report, o->json))
        return 1;
    for (int i = -1; i < (o->with_peers ? peers_count : 0); i++) {
        static struct quality quality;
        struct maker maker;

        if (!choose_maker(o, i, &maker))
            continue;
        quality.count = 0;
        if (!assess_one(o, &maker, &quality))
            return 1;
        int misses = report_quality(&report, maker.name, &quality, NULL);
        missed += i < 0 ? misses : 0;
    }
    if (!report_close(&report))
        return 1;
    return missed > 0 ? 3 : 0;
}

/* assess_all() for the library's inks as one picture. */
static int assess_color(const struct meter_options *o)
{
    static struct quality quality, floor = {.unlimited = true};
    struct report report = {0};

    if (!report_open(&report, o->json) || !quality_color(&quality, &o->printer))
        return 1;
    int missed = report_quality(&report, "library", &quality, NULL);
    if (o->with_floor) {
        quality_color_floor(&floor);
        report_quality(&report, "joint-dbs", &floor, NULL);
    }
    if (!report_close(&report))
        return 1;
    return missed > 0 ? 3 : 0;
}

/* assess_all() for the method Screen. */
static int assess_screen(const struct meter_options *o)
{
    static struct quality quality;
    struct report report = {0};
    const char *photo = o->photos > 0 ? o->photo[0].path : NULL;

    if (!report_open(&report, o->json) || !screen_quality(&quality, photo))
        return 1;
    int missed = report_quality(&report, "screen", &quality, NULL);
    if (!report_close(&report))
        return 1;
    return missed > 0 ? 3 : 0;
}

/* The task that was asked for. Returns the program's exit status. */
static int run_task(struct meter_options *o, char **files)
{
    if (o->screen)
        return assess_screen(o);
    if (o->quality)
        return assess_all(o);
    if (o->tints_alone)
        return assess_part(o, assess_tints);
    if (o->color)
        return assess_color(o);
    if (o->together)
        return assess_part(o, assess_together);
    if (o->drops)
        return assess_part(o, assess_drops);
    if (o->round)
        return assess_part(o, assess_one_ink);
    if (o->sharpness)
        return assess_part(o, assess_sharpness);
    return !measure_files(files[0], files[1]);
}

int main(int argc, char **argv)
{
    struct meter_options o = {
        .one_ink = {.parts = COVER_PARTS, .dpi = {600, 600}},
        .printer = {.segment = HT_DEFAULT_SEGMENT}};
    int status;

    o.one_ink.tones = o.tone;
    if (!parse(&o, argc, argv))
        return EXIT_USAGE;
    status = load_tables(&o) ? run_task(&o, argv + optind) : 1;
    ht_table_free(o.own);
    ht_table_free(o.baseline);
    return status;
}
