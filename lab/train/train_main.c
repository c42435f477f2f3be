/*
 * train_main.c - program train: makes a tone table.
 *
 *   train [--name NAME --out TABLE] --work DIR --pattern PBM --sets SETS
 *         [--method 4|1] [--segment COLUMNS] [--seed N] [--jobs N]
 *         [--cost extended|li|chang|han] [--search downhill|pattern]
 *
 * SETS are the columns of the next row's two weights beside the one straight
 * down, and the tones to train, like -1,-3:1-31/-1,-2:1-127/1,-1:32-127;
 * every tone gets the set that suits it best. DIR holds the references that
 * "dbs references DIR" makes, and what is finished of each set, from which a
 * stopped training goes on, or that of another table with the same set; without
 * --out that is all that is made.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/command.h"
#include "lab/train/balance.h"
#include "lab/train/choose.h"
#include "lab/train/jobs.h"

#define NOT_TRAINED (10 * COST_REFUSED) /* cost; another set is chosen */
#define PARTS 2 /* of the tones, trained at the same time: */
static const int part_first[PARTS] = {127, 63}, part_last[PARTS] = {64, 1};

static const char usage[] =
    "Usage: train [--name NAME --out TABLE] --work DIR --pattern PBM "
    "--sets SETS\n"
    "             [--method 4|1] [--segment COLUMNS] [--seed N] [--jobs N]\n"
    "             [--cost extended|li|chang|han] "
    "[--search downhill|pattern]\n";

struct training {
    const char *name, *out, *work;
    char made_by[200]; /* the command, without files and what is said apart */
    struct train_chain chain; /* what all sets have in common */
    int sets;
    int column[CHOOSE_MAX][HT_TAPS];
    int low[CHOOSE_MAX], high[CHOOSE_MAX]; /* tones */
    uint32_t jobs, seed;
};

/* By enum cost_kind. */
static const char *const cost_name[] = {"extended", "li", "chang", "han"};

/* ---- Options ---------------------------------------------------------- */

/* A column of the next row that a weight may go to, beside straight down. */
static bool valid_column(int column)
{
    return column >= -HT_REACH && column <= 1 && column != 0;
}

static bool parse_sets(struct training *t, const char *text)
{
    for (t->sets = 0; t->sets < CHOOSE_MAX; t->sets++) {
        int *column = t->column[t->sets], used = 0;
        int *low = &t->low[t->sets], *high = &t->high[t->sets];

        column[0] = 1;
        column[3] = 0;
        if (sscanf(text, "%d,%d:%d-%d%n", &column[1], &column[2], low, high,
                   &used) != 4 ||
            !valid_column(column[1]) || !valid_column(column[2]) ||
            column[1] == column[2] || *low < 1 || *high > 127)
            return false;
        text += used;
        if (*text == '\0') {
            t->sets++;
            return true;
        }
        if (*text++ != '/')
            return false;
    }
    return false;
}

static bool parse_cost(struct training *t, const char *text)
{
    for (int i = 0; i < 4; i++)
        if (strcmp(text, cost_name[i]) == 0) {
            t->chain.cost = (enum cost_kind)i;
            return true;
        }
    return false;
}

/* Records the part of the command that a table notes. */
static void note_command(struct training *t, int argc, char **argv)
{
    static const char *const apart[] = {"--name",    "--out",  "--work",
                                        "--pattern", "--seed", "--jobs"};
    size_t used = (size_t)snprintf(t->made_by, sizeof t->made_by, "train");

    for (int i = 1; i < argc; i++) {
        bool told = true;

        for (size_t k = 0; k < sizeof apart / sizeof *apart; k++) {
            size_t length = strlen(apart[k]);

            if (strncmp(argv[i], apart[k], length) == 0) {
                told = false;
                i += argv[i][length] == '\0'; /* its value comes next */
                break;
            }
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
        {"work", required_argument, NULL, 'w'},
        {"pattern", required_argument, NULL, 'p'},
        {"sets", required_argument, NULL, 's'},
        {"method", required_argument, NULL, 'm'},
        {"segment", required_argument, NULL, 't'},
        {"seed", required_argument, NULL, 'r'},
        {"jobs", required_argument, NULL, 'j'},
        {"cost", required_argument, NULL, 'c'},
        {"search", required_argument, NULL, 'd'},
        COMMAND_OPTIONS};
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
        case 'w':
            t->work = optarg;
            break;
        case 'p':
            ok = printer_load_pattern(pattern, optarg);
            t->chain.pattern = pattern;
            break;
        case 's':
            ok = parse_sets(t, optarg) ||
                 command_complain("--sets", "not like -1,-3:1-31/-1,-2:1-127");
            break;
        case 'm':
            ok = printer_parse_method(optarg, &t->chain.method);
            break;
        case 't':
            ok = printer_parse_segment(optarg, &t->chain.segment);
            break;
        case 'r':
            ok = command_number("--seed", optarg, 0, UINT32_MAX, &t->seed);
            break;
        case 'j':
            ok = command_number("--jobs", optarg, 0, JOBS_MAX, &t->jobs);
            break;
        case 'c':
            ok = parse_cost(t, optarg) ||
                 command_complain("--cost", "not extended, li, chang or han");
            break;
        case 'd':
            t->chain.pattern_search = strcmp(optarg, "pattern") == 0;
            ok = t->chain.pattern_search || strcmp(optarg, "downhill") == 0 ||
                 command_complain("--search", "not downhill or pattern");
            break;
        }
    t->chain.seed = t->seed;
    if (ok && (optind < argc || !t->name != !t->out || !t->work ||
               !t->chain.pattern || t->sets == 0))
        command_misuse(usage);
    return ok;
}

/* ---- Training --------------------------------------------------------- */

/* A job's tones, and the file of what is finished of them. Its name says all
 * that the result depends on beside the pattern and the references, which are
 * the work folder's, so that tables share what they have in common. */
static struct train_chain part_of(const struct training *t, int job, char *path)
{
    int set = job / PARTS, part = job % PARTS;
    struct train_chain chain = t->chain;

    memcpy(chain.column, t->column[set], sizeof chain.column);
    chain.first = part_first[part];
    if (chain.first > t->high[set])
        chain.first = t->high[set];
    chain.last = part_last[part];
    if (chain.last < t->low[set])
        chain.last = t->low[set];
    snprintf(path, 4096, "%s/chain-%d-%u_%d,%d_%d-%d_%s-%s_%llu.txt", t->work,
             (int)ht_method_info(chain.method)->swath, (unsigned)chain.segment,
             chain.column[1], chain.column[2], chain.first, chain.last,
             cost_name[chain.cost],
             chain.pattern_search ? "pattern" : "downhill",
             (unsigned long long)chain.seed);
    return chain;
}

static bool train_part(int job, void *context)
{
    char path[4096];
    struct train_chain chain = part_of(context, job, path);
    struct trained trained[HT_TONES];

    return chain_train(&chain, path, path, trained);
}

static bool write_table(const struct training *t)
{
    static struct trained trained[CHOOSE_MAX * HT_TONES];
    ht_tone_t tones[HT_TONES];
    int choice[HT_TONES];
    double cost[HT_TONES], mean = 0;
    ht_table_t *table;

    for (int job = 0; job < t->sets * PARTS; job++) {
        struct trained part[HT_TONES];
        char path[4096];
        struct train_chain chain = part_of(t, job, path);

        chain_read(&chain, path, part);
        for (int i = part_last[job % PARTS]; i <= part_first[job % PARTS]; i++)
            trained[job / PARTS * (int)HT_TONES + i] = part[i];
    }
    for (int i = 0; i < t->sets * (int)HT_TONES; i++)
        if (trained[i].cost < 0)
            trained[i].cost = NOT_TRAINED;
    choose_sets(t->sets, trained, choice);
    for (int i = 0; i < (int)HT_TONES; i++) {
        int tone = i == 0 ? 1 : i;
        struct trained *one = &trained[choice[i] * (int)HT_TONES + tone];

        if (one->cost == NOT_TRAINED) {
            fprintf(stderr, "%s: no set has tone %d\n", t->name, tone);
            return false;
        }
        tones[i] = one->tone;
        cost[i] = one->cost;
    }
    if (!balance_thresholds(tones, t->chain.method, t->chain.segment,
                            t->chain.pattern))
        return false;
    for (unsigned i = 1; i < HT_TONES; i++)
        mean += cost[i] / (HT_TONES - 1);
    for (int i = 0; i < (int)HT_TONES; i++)
        tones[i] = chain_rounded(&tones[i]);
    if (ht_table_new(&table, tones, t->chain.pattern, NULL) != HT_OK) {
        fprintf(stderr, "%s: errors could leave 16 bits\n", t->name);
        return false;
    }
    ht_table_free(table);

    static const char *const comment[] = {
        "Weights and thresholds found by downhill search against direct binary",
        "search: lab/doc/quality.md.", NULL};
    struct table_note note = {t->name, t->made_by, t->chain.seed, comment};
    return choose_write(t->out, &note, t->sets,
                        (const int(*)[HT_TAPS])t->column, choice, tones, mean);
}

int main(int argc, char **argv)
{
    static uint8_t pattern[HT_PATTERN_BYTES];
    struct training t = {
        .chain = {.method = HT_TDFED4, .segment = HT_DEFAULT_SEGMENT},
        .seed = 1};

    note_command(&t, argc, argv);
    if (!parse(&t, argc, argv, pattern))
        return EXIT_USAGE;

    struct reference *usual = reference_load_all(t.work, DBS_USUAL);
    struct reference *best = reference_load_all(t.work, DBS_BEST);
    t.chain.usual = usual;
    t.chain.best = best;
    bool ok = usual != NULL && best != NULL &&
              jobs_run(t.sets * PARTS, t.jobs, t.name ? t.name : "sets",
                       train_part, &t) &&
              (t.out == NULL || write_table(&t));
    free(usual);
    free(best);
    return ok ? 0 : 1;
}
