/*
 * train_main.c - program train: makes a tone table.
 *
 *   train --name NAME --out TABLE --pattern PBM --sets SETS --dots DIAMETERS
 *         [--resolution ACROSSxDOWN] [--weights MOST] [--base TABLE]
 *         [--start TABLE] [--feedback] [--from TONE] [--sweeps N]
 *         [--join LOW-HIGH] [--hold TONE] [--method 4|1] [--segment COLUMNS]
 *         [--seed N] [--jobs N]
 *
 * SETS are the columns of the next row's two weights beside the one straight
 * down, and the tones that have them, like -1,-4:1-11/-1,-2:12-127; tones
 * before the first are those of BASE. DIAMETERS are those of the dots that the
 * table is judged by, in pitches, 0 for square ones, which count half:
 * 0,1.2,1.6; or of the two drops that pixels have the choice of: 0.76:1.12. All
 * count by what is seen of the whole step from no dots to all. MOST are the
 * largest weights at columns -1, -2 and -4, which with the others keep errors
 * within 16 bits. With --start the search begins with that table's numbers, in
 * place of random ones, of which those of anchors before --from stay. At last
 * tones between LOW and HIGH are put on straight lines, and tones above --hold
 * get its numbers.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lab/train/anchors.h"
#include "lab/train/balance.h"
#include "lab/train/jobs.h"
#include "lab/train/printer.h"
#include "lab/train/table_file.h"
#include "tools/command.h"

#define STEP 4   /* tones from anchor to anchor */
#define NEAR 0.1 /* of the cost: what is seen at 6 inches */

static const char usage[] =
    "Usage: train --name NAME --out TABLE --pattern PBM --sets SETS\n"
    "             --dots DIAMETERS [--resolution ACROSSxDOWN]\n"
    "             [--weights MOST] [--base TABLE] [--start TABLE] "
    "[--feedback]\n"
    "             [--from TONE] [--sweeps N] [--join LOW-HIGH] [--hold TONE]\n"
    "             [--method 4|1] [--segment COLUMNS] [--seed N] [--jobs N]\n";

struct training {
    const char *name, *out;
    char made_by[300];
    struct anchors anchors;
    ht_table_t *base, *start;
    int low, high;       /* the tones that are joined, or 0 */
    uint32_t from, last; /* the first and last tones with numbers of their own
                          */
    double across, down;
    struct cover_dots dots[GRAIN_DOTS];
    int kinds;
    uint32_t seed, sweeps;
};

/* ---- Options ---------------------------------------------------------- */

/* A column of the next row that a weight may go to, beside straight down. */
static bool valid_column(int column)
{
    return column >= -HT_REACH && column <= 1 && column != 0;
}

static bool parse_sets(struct anchors *anchors, const char *text)
{
    int first = 0;

    for (anchors->sets = 0; anchors->sets < ANCHORS_SETS; anchors->sets++) {
        struct anchor_set *set = &anchors->set[anchors->sets];
        int used = 0;

        if (sscanf(text, "%d,%d:%d-%d%n", &set->column[0], &set->column[1],
                   &set->first, &set->last, &used) != 4 ||
            !valid_column(set->column[0]) || !valid_column(set->column[1]) ||
            set->column[0] == set->column[1] || set->first <= first ||
            set->last <= set->first || set->last >= (int)HT_TONES ||
            (first > 0 && set->first != first + 1))
            return false;
        first = set->last;
        text += used;
        if (*text == '\0') {
            anchors->sets++;
            return set->last == (int)HT_TONES - 1;
        }
        if (*text++ != '/')
            return false;
    }
    return false;
}

static bool parse_dots(struct training *t, const char *text)
{
    double sum = 0;

    for (t->kinds = 0; t->kinds < GRAIN_DOTS; t->kinds++) {
        int used = 0;
        struct cover_dots *dots = &t->dots[t->kinds];

        if (sscanf(text, "%lf%n:%lf%n", &dots->diameter, &used, &dots->smaller,
                   &used) == 2) {
            double larger = dots->smaller;

            dots->smaller = dots->diameter;
            dots->diameter = larger;
        }
        if (used == 0 || dots->smaller < 0 || dots->diameter < dots->smaller ||
            dots->diameter > 2)
            return false;
        sum += t->anchors.weight[t->kinds] = dots->diameter > 0 ? 1 : 0.5;
        text += used;
        if (*text == '\0') {
            t->kinds++;
            for (int i = 0; i < t->kinds; i++)
                t->anchors.weight[i] /= sum;
            return true;
        }
        if (*text++ != ',')
            return false;
    }
    return false;
}

/* Records the part of the command that a table notes. */
static void note_command(struct training *t, int argc, char **argv)
{
    static const char *const apart[] = {"--name", "--out",  "--pattern",
                                        "--seed", "--jobs", "--base",
                                        "--start"};
    size_t used = (size_t)snprintf(t->made_by, sizeof t->made_by, "train");

    for (int i = 1; i < argc; i++) {
        bool told = true;

        for (size_t k = 0; told && k < sizeof apart / sizeof *apart; k++)
            if (strncmp(argv[i], apart[k], strlen(apart[k])) == 0) {
                told = false;
                i += argv[i][strlen(apart[k])] == '\0'; /* its value */
            }
        if (told && used < sizeof t->made_by)
            used += (size_t)snprintf(t->made_by + used,
                                     sizeof t->made_by - used, " %s", argv[i]);
    }
}

static bool parse(struct training *t, int argc, char **argv, uint8_t *pattern)
{
    static const struct option options[] = {
        {"name", required_argument, NULL, 'n'},
        {"out", required_argument, NULL, 'o'},
        {"pattern", required_argument, NULL, 'p'},
        {"sets", required_argument, NULL, 's'},
        {"dots", required_argument, NULL, 'd'},
        {"resolution", required_argument, NULL, 'R'},
        {"weights", required_argument, NULL, 'w'},
        {"base", required_argument, NULL, 'b'},
        {"feedback", no_argument, NULL, 'f'},
        {"sweeps", required_argument, NULL, 'S'},
        {"join", required_argument, NULL, 'J'},
        {"hold", required_argument, NULL, 'H'},
        {"start", required_argument, NULL, 'B'},
        {"from", required_argument, NULL, 'F'},
        {"method", required_argument, NULL, 'm'},
        {"segment", required_argument, NULL, 't'},
        {"seed", required_argument, NULL, 'r'},
        {"jobs", required_argument, NULL, 'j'},
        COMMAND_OPTIONS};
    struct anchors *anchors = &t->anchors;
    int option;
    bool ok = true;

    while (ok && (option = command_option(argc, argv, options, usage)) != -1)
        switch (option) {
        case 'n':
            t->name = optarg;
            break;
        case 'o':
            t->out = optarg;
            break;
        case 'p':
            ok = printer_load_pattern(pattern, optarg);
            anchors->pattern = pattern;
            break;
        case 's':
            ok = parse_sets(anchors, optarg) ||
                 command_complain("--sets", "not like -1,-4:1-11/-1,-2:12-127");
            break;
        case 'd':
            ok = parse_dots(t, optarg) ||
                 command_complain("--dots", "not like 0,1.2,1.41,1.6");
            break;
        case 'R':
            ok = sscanf(optarg, "%lfx%lf", &t->across, &t->down) == 2 ||
                 command_complain("--resolution", "not like 720x360");
            break;
        case 'w':
            ok = sscanf(optarg, "%lf,%lf,%lf", &anchors->most[HT_REACH - 1],
                        &anchors->most[HT_REACH - 2],
                        &anchors->most[HT_REACH - 4]) == 3 ||
                 command_complain("--weights", "not like 0.39,0.22,0.09");
            break;
        case 'b':
            t->base = printer_load_table(optarg);
            ok = t->base != NULL;
            break;
        case 'f':
            anchors->feedback = true;
            break;
        case 'S':
            ok = command_number("--sweeps", optarg, 0, 100, &t->sweeps);
            break;
        case 'J':
            ok = (sscanf(optarg, "%d-%d", &t->low, &t->high) == 2 &&
                  t->low > 0 && t->high > t->low && t->high < (int)HT_TONES) ||
                 command_complain("--join", "not like 8-16");
            break;
        case 'H':
            ok = command_number("--hold", optarg, 1, HT_TONES - 1, &t->last);
            break;
        case 'B':
            t->start = printer_load_table(optarg);
            ok = t->start != NULL;
            break;
        case 'F':
            ok = command_number("--from", optarg, 0, HT_TONES - 1, &t->from);
            break;
        case 'm':
            ok = printer_parse_method(optarg, &anchors->method);
            break;
        case 't':
            ok = printer_parse_segment(optarg, &anchors->segment);
            break;
        case 'r':
            ok = command_number("--seed", optarg, 0, UINT32_MAX, &t->seed);
            break;
        case 'j':
            ok = command_number("--jobs", optarg, 0, JOBS_MAX, &anchors->jobs);
            break;
        }
    if (ok && (optind < argc || !t->name || !t->out || !anchors->pattern ||
               anchors->sets == 0 || t->kinds == 0 ||
               (t->base == NULL && anchors->set[0].first > 1)))
        command_misuse(usage);
    return ok;
}

/* Makes weights larger where L* goes less far from no dots to all. */
static void weigh_by_step(struct anchors *anchors)
{
    const double whole = cover_lightness(0) - cover_lightness(1);

    for (int i = 0; i < anchors->judge.kinds; i++) {
        const double *of = anchors->judge.cover[i].of;

        anchors->weight[i] *= whole / (cover_lightness(of[0]) -
                                       cover_lightness(of[COVER_SETS - 1]));
    }
}

/* ---- The table -------------------------------------------------------- */

/* Puts the tones between two on straight lines, with the columns of the higher
 * one. */
static void join(ht_tone_t *tones, int low, int high)
{
    const ht_tone_t *a = &tones[low], *b = &tones[high];

    for (int i = low + 1; i < high; i++) {
        double part = (double)(i - low) / (high - low);
        ht_tone_t *t = &tones[i];

        memcpy(t->column, b->column, sizeof t->column);
        for (unsigned k = 0; k < HT_TAPS; k++)
            t->weight[k] = a->weight[k] + part * (b->weight[k] - a->weight[k]);
        t->t_upper = a->t_upper + part * (b->t_upper - a->t_upper);
        t->t_lower = a->t_lower + part * (b->t_lower - a->t_lower);
    }
}

/* Gives the tones above one its numbers, around their own middle of the
 * thresholds. */
static void hold(ht_tone_t *tones, int last)
{
    const double half = (tones[last].t_upper - tones[last].t_lower) / 2;

    for (int i = last + 1; i < (int)HT_TONES; i++) {
        double middle = (tones[i].t_upper + tones[i].t_lower) / 2;

        tones[i] = tones[last];
        tones[i].t_upper = middle + half;
        tones[i].t_lower = middle - half;
    }
}

static bool finish(const struct training *t)
{
    const struct anchors *anchors = &t->anchors;
    const struct table_note note = {t->name, t->made_by, t->seed,
                                    anchors->cost};
    ht_tone_t tones[HT_TONES];

    for (int i = 0; i < (int)HT_TONES; i++)
        tones[i] = i >= anchors->tone[0] ? anchors_tone(anchors, i)
                   : t->base != NULL     ? ht_table_tones(t->base)[i]
                                         : anchors_tone(anchors, 1);
    if (!balance_thresholds(tones, anchors->method, anchors->segment,
                            anchors->pattern))
        return false;
    if (t->high > 0)
        join(tones, t->low, t->high);
    hold(tones, (int)t->last);
    for (int i = 0; i < (int)HT_TONES; i++)
        tones[i] = table_rounded(&tones[i]);
    return table_write(t->out, &note, tones);
}

int main(int argc, char **argv)
{
    static uint8_t pattern[HT_PATTERN_BYTES];
    static struct training t = {
        .anchors = {.method = HT_TDFED4,
                    .segment = HT_DEFAULT_SEGMENT,
                    .most = {0, 0, 0.085, 0, 0.215, 0.395, 0, 0},
                    .near = NEAR,
                    .draws = 300,
                    .search = 130,
                    .polish = 110},
        .across = 600,
        .down = 600,
        .seed = 1,
        .sweeps = 4,
        .last = HT_TONES - 1};

    note_command(&t, argc, argv);
    if (!parse(&t, argc, argv, pattern))
        return EXIT_USAGE;
    t.anchors.seed = t.seed;
    t.anchors.sweeps = (int)t.sweeps;
    t.anchors.from = (int)t.from;
    anchors_place(&t.anchors, STEP);
    t.anchors.start = t.start != NULL ? ht_table_tones(t.start) : NULL;
    grain_judge_new(&t.anchors.judge, t.kinds, t.dots, t.across, t.down);
    weigh_by_step(&t.anchors);
    bool ok = anchors_search(&t.anchors) && finish(&t);
    grain_judge_free(&t.anchors.judge);
    ht_table_free(t.base);
    ht_table_free(t.start);
    return ok ? 0 : 1;
}
