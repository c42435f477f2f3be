/*
 * chain.c - trains one set of offsets, tone after tone.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "lab/train/chain.h"
#include "lab/train/jobs.h"
#include "lab/train/random.h"
#include "lab/train/search.h"

#define FREE                                                                   \
    4 /* numbers that are searched: the weights (0,+1) and of the              \
         next row, and t_u; t_l = 1 - t_u, and the fourth weight,              \
         straight down, is left */
#define LAST_EVEN 31    /* up to this tone t_u = t_l = 1/2 is tried as well, */
#define ONLY_EVEN 3     /* up to this one it is taken */
#define RANDOM_STARTS 3 /* each the best of so many random places: */
#define DRAWS 6
#define FIRST_STARTS 10 /* at a chain's first tone, which has no neighbour */
#define SEARCH 70       /* evaluations from the neighbour's optimum */
#define SHORT_SEARCH 50 /* from a random start */
#define POLISH 50       /* from the best of them */
#define STEP_COST 0.02  /* of the squared step from the neighbour's optimum */
#define FEW_STARTS 5    /* at tones of few dots, where costs are rougher */
#define FEW_POLISHES 4  /* there, each from another simplex */

/*
 * The largest weight at (0,+1), and at the next row's columns -6..+1: so that
 * a table of several sets, whatever tones meet, keeps errors within 16 bits.
 * That it does ht_table_new() says when it is whole.
 */
static const double most_ahead = 0.70;
static const double most_below[HT_REACH + 2] = {0.10, 0.10, 0.11, 0.17,
                                                0.24, 0.44, 0.44, 0.17};

/* One tone at work. */
struct chain_task {
    const struct train_chain *chain;
    int number;
    const double *neighbour; /* [FREE] or NULL */
    bool even;               /* t_u is 1/2, so that the pattern is not seen */
};

/* ---- Cost ------------------------------------------------------------- */

static ht_tone_t tone_of(const struct chain_task *task, const double *x)
{
    double t_upper = task->even ? 0.5 : x[3];
    ht_tone_t tone = {.t_upper = t_upper, .t_lower = 1 - t_upper};
    double rest = 1;

    for (int k = 0; k < 3; k++) {
        tone.weight[k] = x[k];
        rest -= x[k];
    }
    tone.weight[3] = rest;
    memcpy(tone.column, task->chain->column, sizeof tone.column);
    return tone;
}

static double beyond(double value, double low, double high)
{
    return value < low ? low - value : value > high ? value - high : 0;
}

/* Returns how far a tone's weights and t_u are outside their bounds; 0 =
 * inside. */
static double outside(const ht_tone_t *tone)
{
    double sum =
        beyond(tone->t_upper, 0.5, 1) + beyond(tone->weight[0], 0, most_ahead);

    for (unsigned k = 1; k < HT_TAPS; k++)
        sum +=
            beyond(tone->weight[k], 0, most_below[tone->column[k] + HT_REACH]);
    return sum;
}

/* A table that has this tone at all tones; NULL when errors could leave 16
 * bits. */
static ht_table_t *table_of(const struct train_chain *chain,
                            const ht_tone_t *tone)
{
    ht_tone_t tones[HT_TONES];
    ht_table_t *table;

    for (unsigned i = 0; i < HT_TONES; i++)
        tones[i] = *tone;
    return ht_table_new(&table, tones, chain->pattern, NULL) == HT_OK ? table
                                                                      : NULL;
}

/* Prints a tone and cuts out what is judged, `side` pixels a side. False when
 * it cannot be printed. */
static bool print(const struct train_chain *chain, int number,
                  const ht_tone_t *tone, int side, struct plane *patch)
{
    ht_table_t *table = table_of(chain, tone);
    struct plane printed;

    if (table == NULL)
        return false;

    struct printer printer = {
        .method = chain->method, .table = table, .segment = chain->segment};
    bool ok = printer_print_flat(&printer, side + COST_MARGIN,
                                 side + COST_MARGIN / 2, &number, 1, &printed);
    if (ok) {
        *patch =
            plane_crop(&printed, COST_MARGIN / 2, COST_MARGIN / 2, side, side);
        plane_free(&printed);
    }
    ht_table_free(table);
    return ok;
}

/* Cost of one tone's settings, printed as a patch. */
static double cost_of_tone(const struct train_chain *chain, int number,
                           const ht_tone_t *tone)
{
    struct target target = {&chain->usual[number], &chain->best[number]};
    int across = number <= COST_FEW_DOTS ? 2 : 1; /* patches, and down */
    struct plane patch;
    double cost = 0;

    if (!print(chain, number, tone, across * COST_SIDE, &patch))
        return COST_REFUSED;
    for (int i = 0; i < across * across; i++) {
        struct plane dots =
            plane_crop(&patch, i % across * COST_SIDE, i / across * COST_SIDE,
                       COST_SIDE, COST_SIDE);

        cost +=
            cost_of(chain->cost, &dots, number, &target) / (across * across);
        plane_free(&dots);
    }
    plane_free(&patch);
    return round(cost * 1e8) / 1e8; /* last bits differ between processors */
}

static double task_cost(const double *x, void *context)
{
    const struct chain_task *task = context;
    ht_tone_t tone = tone_of(task, x);
    const double at[FREE] = {tone.weight[0], tone.weight[1], tone.weight[2],
                             tone.t_upper};
    double step = 0, cost = outside(&tone);

    for (int k = 0; task->neighbour != NULL && k < FREE; k++)
        step += (at[k] - task->neighbour[k]) * (at[k] - task->neighbour[k]);
    cost = cost > 0 ? COST_REFUSED + cost
                    : cost_of_tone(task->chain, task->number, &tone);
    return cost + STEP_COST * step;
}

/* ---- Search ----------------------------------------------------------- */

static double search_from(struct chain_task *task, double *x, double step,
                          int evaluations)
{
    struct search search = {.dimensions = task->even ? FREE - 1 : FREE,
                            .cost = task_cost,
                            .context = task,
                            .step = {step, -step, step, step},
                            .evaluations = evaluations,
                            .tolerance = 1e-5};

    if (x[3] > 0.7)
        search.step[3] = -step;
    return task->chain->pattern_search ? search_pattern(&search, x)
                                       : search_downhill(&search, x);
}

/* A random place within the bounds. */
static void draw(const struct chain_task *task, uint64_t *random, double *x)
{
    const int *column = task->chain->column;
    ht_tone_t tone;

    do {
        x[0] = 0.2 + (most_ahead - 0.2) * random_unit(random);
        for (int k = 1; k < 3; k++)
            x[k] = random_unit(random) * most_below[column[k] + HT_REACH];
        x[3] = 0.5 + 0.25 * random_unit(random);
        tone = tone_of(task, x);
    } while (outside(&tone) > 0);
}

static double search_randomly(struct chain_task *task, uint64_t *random,
                              double *x)
{
    double least = INFINITY;

    for (int i = 0; i < DRAWS; i++) {
        double try[FREE];

        draw(task, random, try);
        double cost = task_cost(try, task);
        if (cost < least) {
            least = cost;
            memcpy(x, try, sizeof try);
        }
    }
    return search_from(task, x, 0.05, SHORT_SEARCH);
}

/* From the neighbour's optimum and from random places: the best, and its
 * cost. */
static double search_starts(struct chain_task *task, uint64_t *random,
                            double *best)
{
    int starts = task->neighbour == NULL         ? FIRST_STARTS
                 : task->number <= COST_FEW_DOTS ? FEW_STARTS
                                                 : RANDOM_STARTS;
    double least = INFINITY;

    if (task->neighbour != NULL) {
        memcpy(best, task->neighbour, FREE * sizeof *best);
        least = search_from(task, best, 0.02, SEARCH);
    }
    for (int i = 0; i < starts; i++) {
        double x[FREE];
        double cost = search_randomly(task, random, x);

        if (cost < least) {
            least = cost;
            memcpy(best, x, sizeof x);
        }
    }
    return least;
}

static struct trained train_tone(struct chain_task *task)
{
    const struct train_chain *chain = task->chain;
    uint64_t random = chain->seed * 1000003 + (uint64_t)task->number * 257 +
                      (uint64_t)(chain->column[1] + 7) * 64 +
                      (uint64_t)(chain->column[2] + 7);
    double best[FREE], even[FREE];
    double least = search_starts(task, &random, best);

    /* Hardly uneven is worse than even: no search goes there by itself. And
     * the few dots of the lightest tones need no pattern. */
    if (task->number <= LAST_EVEN) {
        task->even = true;
        task->even = search_starts(task, &random, even) < least ||
                     task->number <= ONLY_EVEN;
        if (task->even)
            memcpy(best, even, sizeof best);
    }
    for (int i = 0; i < (task->number <= COST_FEW_DOTS ? FEW_POLISHES : 1); i++)
        search_from(task, best, i % 2 ? 0.03 : 0.01, POLISH);

    ht_tone_t tone = tone_of(task, best);
    struct trained trained = {.tone = chain_rounded(&tone)};
    trained.tone.t_lower = 1 - trained.tone.t_upper; /* as chain_read() does */
    trained.cost = cost_of_tone(chain, task->number, &trained.tone);
    return trained;
}

ht_tone_t chain_rounded(const ht_tone_t *tone)
{
    ht_tone_t rounded = *tone;
    double rest = 1, *largest = &rounded.weight[0];

    rounded.t_upper = round(tone->t_upper * 1e5) / 1e5;
    rounded.t_lower = round(tone->t_lower * 1e5) / 1e5;
    for (int k = 0; k < 3; k++) {
        rounded.weight[k] = round(tone->weight[k] * 1e5) / 1e5;
        rest -= rounded.weight[k];
        if (rounded.weight[k] > *largest)
            largest = &rounded.weight[k];
    }
    rest = round(rest * 1e5) / 1e5;
    if (rest < 0) /* three weights rounded up, and the fourth is none */
        *largest = round((*largest + rest) * 1e5) / 1e5;
    rounded.weight[3] = rest > 0 ? rest : 0;
    return rounded;
}

/* ---- The file of finished tones --------------------------------------- */

void chain_read(const struct train_chain *chain, const char *path,
                struct trained *out)
{
    FILE *file = fopen(path, "r");
    int number;
    struct trained t = {.cost = 0};

    for (unsigned i = 0; i < HT_TONES; i++)
        out[i] = (struct trained){.cost = -1};
    if (file == NULL)
        return;
    memcpy(t.tone.column, chain->column, sizeof t.tone.column);
    while (fscanf(file, "%d %lf %lf %lf %lf %lf %lf\n", &number, &t.cost,
                  &t.tone.t_upper, &t.tone.weight[0], &t.tone.weight[1],
                  &t.tone.weight[2], &t.tone.weight[3]) == 7) {
        t.tone.t_lower = 1 - t.tone.t_upper;
        if (number >= chain->last && number <= chain->first)
            out[number] = t;
    }
    fclose(file);
}

static bool append(const char *path, int number, const struct trained *t)
{
    FILE *file = fopen(path, "a");

    if (file == NULL) {
        perror(path);
        return false;
    }
    fprintf(file, "%d %.8f %.5f %.5f %.5f %.5f %.5f\n", number, t->cost,
            t->tone.t_upper, t->tone.weight[0], t->tone.weight[1],
            t->tone.weight[2], t->tone.weight[3]);
    if (fclose(file) != 0) {
        perror(path);
        return false;
    }
    return true;
}

bool chain_train(const struct train_chain *chain, const char *path,
                 const char *label, struct trained *out)
{
    chain_read(chain, path, out);
    for (int number = chain->first; number >= chain->last; number--) {
        struct chain_task task = {chain, number, NULL, false};
        double neighbour[FREE];

        if (out[number].cost >= 0)
            continue;
        jobs_progress(label, chain->first - number,
                      chain->first - chain->last + 1);
        if (number < chain->first) {
            memcpy(neighbour, out[number + 1].tone.weight, 3 * sizeof(double));
            neighbour[3] = out[number + 1].tone.t_upper;
            task.neighbour = neighbour;
        }
        out[number] = train_tone(&task);
        if (!append(path, number, &out[number]))
            return false;
    }
    return true;
}
