/*
 * beside.c - fits tones to pages where other inks are beside.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <math.h>
#include <string.h>
#include <sys/mman.h>

#include "train/avoid.h"
#include "train/balance.h"
#include "train/beside.h"
#include "train/jobs.h"
#include "train/search.h"

#define FIRST 12 /* lighter tones hardly meet */
#define LAST 63  /* four inks of more than a quarter cover all paper */
#define NUMBERS (LAST - FIRST + 1)
#define FREE CHAIN_FREE
#define EVALUATIONS 70
#define STEP 0.02
#define STRENGTH 0.005 /* of avoidance, a tone: about what is found later */
#define UNEVEN 0.52    /* t_u to start from where t_u = t_l */
#define INKS CHAIN_INKS

struct fitted {
    ht_tone_t tone;
    double total, single; /* costs, of the ink by itself alone */
};

struct fitting {
    const struct chain *chain;
    const ht_tone_t *tones;
    struct fitted *fitted; /* [NUMBERS], shared between processes */
};

/* One tone at work. */
struct task {
    const struct fitting *fitting;
    int number;
    bool even; /* t_u = t_l */
};

/* ---- Cost ------------------------------------------------------------- */

static double above(double value, double limit)
{
    return value > limit ? value - limit : 0;
}

/* Squares of a patch, and down: more where more is at stake. */
static int squares_across(int tone)
{
    return tone <= AVOID_FOUR_FIT ? 2 : 1;
}

/* Means over the squares of a patch: its HVS error at S, and, if `cost` is not
 * NULL, its cost by itself. */
static double judge_patch(const struct task *task, const struct plane *patch,
                          double *cost)
{
    const struct chain *chain = task->fitting->chain;
    int across = squares_across(task->number), count = across * across;
    struct target target = {&chain->usual[task->number],
                            &chain->best[task->number]};
    double seen = 0, sum = 0, error[2];

    for (int i = 0; i < count; i++) {
        struct plane square = chain_square(patch, across, i);

        cost_seen(&square, task->number, error);
        seen += error[0] / count;
        if (cost != NULL)
            sum += cost_of(chain->cost, &square, task->number, &target) / count;
        plane_free(&square);
    }
    if (cost != NULL)
        *cost = chain_round(sum);
    return seen;
}

/* What four inks of a tone cost, whose error is `alone` by themselves. */
static double cost_together(const struct task *task,
                            const struct plane patch[INKS], double alone)
{
    double best = task->fitting->chain->best[task->number].hvs[0];
    double seen = 0, worst = 0, overprint = 0, cost;
    const int pairs = INKS * (INKS - 1) / 2;

    for (int ink = 0; ink < INKS; ink++) {
        double error = judge_patch(task, &patch[ink], NULL);

        seen += log(fmax(error / best, 1)) / INKS;
        worst = fmax(worst, error / alone);
        for (int other = 0; other < ink; other++)
            overprint += inks_overprint(&patch[ink], &patch[other]) / pairs;
    }
    cost = 0.05 * seen + 0.05 * overprint;
    if (task->number <= AVOID_FOUR_FIT)
        cost += 0.25 * above(worst, 1.02) +
                0.5 * above(overprint, 0.95 * avoid_allowed(task->number));
    return cost;
}

/* Prints the tone by itself and in four inks; leaves a cost as it is when it
 * cannot be printed. */
static void judge(const struct task *task, struct fitted *one)
{
    const struct chain *chain = task->fitting->chain;
    int across = squares_across(task->number);
    struct plane patch, together[INKS];

    if (!chain_print(chain, task->number, &one->tone, 1, across, &patch))
        return;
    double alone = judge_patch(task, &patch, &one->single);
    plane_free(&patch);
    if (!chain_print(chain, task->number, &one->tone, INKS, across, together))
        return;
    one->total =
        one->single + chain_round(cost_together(task, together, alone));
    for (int ink = 0; ink < INKS; ink++)
        plane_free(&together[ink]);
}

/* ---- Search ----------------------------------------------------------- */

/* Balances the tone, and lets it look at other inks. */
static bool balance(const struct task *task, ht_tone_t *tone)
{
    const struct chain *chain = task->fitting->chain;
    ht_table_t *table = chain_table(chain, tone);
    double shift = 0;

    if (table == NULL)
        return false;
    bool ok = balance_mean_error(chain->method, table, chain->segment,
                                 task->number, &shift);
    ht_table_free(table);
    balance_shift(tone, shift);
    tone->avoid = avoid_held(STRENGTH * task->number, task->number, tone);
    return ok;
}

static struct fitted fitted_at(const struct task *task, const double *x)
{
    const int *column = task->fitting->tones[task->number].column;
    struct fitted one = {.tone = chain_tone(column, x, task->even)};
    double outside = chain_outside(&one.tone);

    one.total = one.single = COST_REFUSED + outside;
    if (outside == 0 && balance(task, &one.tone))
        judge(task, &one);
    return one;
}

static double task_cost(const double *x, void *context)
{
    return fitted_at(context, x).total;
}

static struct fitted search_from(struct task *task, double *x)
{
    struct search search = {.dimensions = task->even ? FREE - 1 : FREE,
                            .cost = task_cost,
                            .context = task,
                            .step = {STEP, -STEP, STEP, STEP / 2},
                            .evaluations = EVALUATIONS,
                            .tolerance = 1e-5};

    search_downhill(&search, x);
    return fitted_at(task, x);
}

static bool fit(int job, void *context)
{
    struct task task = {context, FIRST + job, false};
    const ht_tone_t *from = &task.fitting->tones[task.number];
    double x[FREE] = {from->weight[0], from->weight[1], from->weight[2],
                      0.5 + (from->t_upper - from->t_lower) / 2};
    double uneven[FREE];
    struct fitted best;

    task.even = from->t_upper == from->t_lower;
    memcpy(uneven, x, sizeof uneven);
    uneven[3] = UNEVEN;
    best = search_from(&task, x);
    if (task.even) {
        task.even = false;
        struct fitted other = search_from(&task, uneven);
        if (other.total < best.total)
            best = other;
    }
    task.fitting->fitted[job] = best;
    return best.total < COST_REFUSED;
}

bool beside_fit(const struct chain *chain, uint32_t jobs, ht_tone_t *tones,
                double *cost)
{
    struct fitting fitting = {chain, tones, NULL};
    size_t size = NUMBERS * sizeof *fitting.fitted;

    fitting.fitted = mmap(NULL, size, PROT_READ | PROT_WRITE,
                          MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (fitting.fitted == MAP_FAILED ||
        !jobs_run(NUMBERS, jobs, "tones beside inks", fit, &fitting))
        return false;
    for (int i = 0; i < NUMBERS; i++) {
        tones[FIRST + i] = fitting.fitted[i].tone;
        tones[FIRST + i].avoid = 0;
        cost[FIRST + i] = fitting.fitted[i].single;
    }
    munmap(fitting.fitted, size);
    return true;
}
