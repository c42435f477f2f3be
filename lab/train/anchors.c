/*
 * anchors.c - searches a table's anchors in three steps: candidates for each
 * anchor by itself; the way through them whose tones between look best; and
 * then each anchor again, with its neighbors as they are.
 *
 * A tone and its mirror have the same numbers and are judged together. The cost
 * is the grain that the eye sees, the mean of several kinds of dots, and what a
 * table must not have beside: lines of rows, lost error, steps of L* from tone
 * to tone (with round dots a tone's lightness depends on its texture).
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <math.h>
#include <string.h>
#include <sys/mman.h>

#include "lab/train/anchors.h"
#include "lab/train/fit.h"
#include "lab/train/jobs.h"
#include "lab/train/printer.h"
#include "lab/train/random.h"
#include "lab/train/search.h"

#define MARGIN 64     /* pixels beside the patch that is judged */
#define STARTS 6      /* of random places, the best, which are searched from */
#define KEPT 10       /* candidates of an anchor, */
#define APART 0.05    /* at least so far from each other */
#define REFUSED 1e3   /* cost of what cannot be printed */
#define ROWS_FREE 2.0 /* spread of row means that costs nothing, /255 */
#define ROWS_COST 0.05
#define LOST_COST 100. /* of a share of dots that is lost */
#define LOST_FREE 0.0005
#define STEP_COST 1.0 /* of L* beside the smooth curve, but for this: */
#define STEP_FREE 0.02
#define TURN_COST 0.3 /* of the squared way from anchor to anchor */
#define SMOOTH 24     /* tones on each side that the smooth curve looks at */

/* Bounds of the weight at (0,+1), and of the one straight down; with those of
 * struct anchors they keep errors within 16 bits, whatever tones meet. */
static const double least_ahead = 0.30, most_ahead = 0.60, most_down = 0.44;

struct candidate {
    double x[ANCHOR_NUMBERS], cost;
};

/* Holds results of jobs for the others. */
struct shared {
    struct candidate found[ANCHORS_MOST][KEPT];
    double way[ANCHORS_MOST][KEPT][KEPT]; /* cost from the anchor before */
    double x[ANCHORS_MOST][ANCHOR_NUMBERS];
    double light[HT_TONES * 2][GRAIN_DOTS], cost[HT_TONES];
};

struct anchor_task {
    struct anchors *anchors;
    struct shared *shared;
    int anchor, part;
    double smooth[HT_TONES * 2][GRAIN_DOTS]; /* L* as it should be */
    uint64_t random;
    /* The evaluations of an anchor's own search, the best first. */
    struct candidate best[KEPT];
};

/* ---- Numbers to tones --------------------------------------------------- */

/* Returns the number of a tone's set. */
static int set_of(const struct anchors *anchors, int tone)
{
    int set = 0;

    while (set + 1 < anchors->sets && tone > anchors->set[set].last)
        set++;
    return set;
}

void anchors_place(struct anchors *anchors, int step)
{
    anchors->count = 0;
    for (int set = 0; set < anchors->sets; set++) {
        const struct anchor_set *s = &anchors->set[set];
        int tone = s->first;

        for (; tone < s->last; tone += tone < 16 ? step / 2 : step)
            anchors->tone[anchors->count++] = tone;
        anchors->tone[anchors->count++] = s->last;
    }
}

/* Returns the middle of the thresholds, which flat tints do not show: near the
 * one that leaves no error on average. */
static double middle_of(int tone)
{
    return 0.5 * pow(tone / 127.5, 0.38);
}

static ht_tone_t tone_of(const struct anchors *anchors, int tone,
                         const double *x)
{
    const int *column = anchors->set[set_of(anchors, tone)].column;
    ht_tone_t t = {.column = {1, column[0], column[1], 0}};
    double rest = 1;

    for (int k = 0; k < ANCHOR_WEIGHTS; k++) {
        t.weight[k] = x[k];
        rest -= x[k];
    }
    t.weight[ANCHOR_WEIGHTS] = rest;
    t.t_upper = middle_of(tone) + x[ANCHOR_SPREAD] / 2;
    t.t_lower = middle_of(tone) - x[ANCHOR_SPREAD] / 2;
    t.feedback = tone < (int)HT_FEEDBACK_FROM ? 0 : x[ANCHOR_FEEDBACK];
    return t;
}

static bool within(double value, double low, double high)
{
    return value >= low && value <= high;
}

static bool allowed(const struct anchors *anchors, const ht_tone_t *t)
{
    const double room = 0.02; /* for balanced thresholds */
    bool ok = within(t->weight[0], least_ahead, most_ahead) &&
              within(t->t_upper - t->t_lower, 0, 0.6) &&
              within(t->feedback, 0, 0.2) &&
              t->t_lower - 2 * t->feedback >= room &&
              t->t_upper + 2 * t->feedback <= 1 - room;

    for (unsigned k = 1; k < HT_TAPS - 1; k++)
        ok = ok &&
             within(t->weight[k], 0, anchors->most[t->column[k] + HT_REACH]);
    return ok && within(t->weight[HT_TAPS - 1], 0, most_down);
}

/* Finds the numbers of a tone between anchors, whose own are `x`. */
static void numbers_at(const struct anchors *anchors,
                       const double (*x)[ANCHOR_NUMBERS], int tone, double *out)
{
    const int set = set_of(anchors, tone);
    int high = 0;

    while (high + 1 < anchors->count && anchors->tone[high] < tone)
        high++;
    int low = high > 0 && anchors->tone[high] > tone ? high - 1 : high;
    if (set_of(anchors, anchors->tone[low]) != set)
        low = high;
    double width = anchors->tone[high] - anchors->tone[low];
    double part = width > 0 ? (tone - anchors->tone[low]) / width : 0;

    for (int k = 0; k < ANCHOR_NUMBERS; k++)
        out[k] = x[low][k] + part * (x[high][k] - x[low][k]);
}

ht_tone_t anchors_tone(const struct anchors *anchors, int tone)
{
    double x[ANCHOR_NUMBERS];

    numbers_at(anchors, anchors->x, tone, x);
    return tone_of(anchors, tone, x);
}

/* ---- Cost --------------------------------------------------------------- */

/* Prints a flat patch of a level by numbers of its tone, and judges it. */
static bool judge(const struct anchors *anchors, int level, const ht_tone_t *t,
                  struct grain *grain)
{
    const int side = GRAIN_SIDE + 2;
    ht_tone_t tones[HT_TONES];
    ht_table_t *table;
    struct plane printed;

    for (unsigned i = 0; i < HT_TONES; i++) {
        tones[i] = *t;
        tones[i].feedback = i < HT_FEEDBACK_FROM ? 0 : t->feedback;
    }
    if (ht_table_new(&table, tones, anchors->pattern, NULL) != HT_OK)
        return false;
    struct printer printer = {
        .method = anchors->method, .table = table, .segment = anchors->segment};
    bool ok = printer_print_flat(&printer, side + 2 * MARGIN, side, &level, 1,
                                 &printed);
    if (ok) {
        struct plane patch = plane_crop(&printed, MARGIN, 0, side, side);
        grain_measure(grain, &anchors->judge, &patch);
        plane_free(&patch);
        plane_free(&printed);
    }
    ht_table_free(table);
    return ok;
}

/* Returns the cost of a tone and its mirror by these numbers, and their L* in
 * `light`: of the tone, then of its mirror. */
static double cost_of(const struct anchors *anchors, int tone, const double *x,
                      double light[2][GRAIN_DOTS])
{
    const ht_tone_t t = tone_of(anchors, tone, x);
    double cost = 0;

    if (!allowed(anchors, &t) || (!anchors->feedback && t.feedback > 0))
        return REFUSED;
    for (int side = 0; side < 2; side++) {
        int level = side ? 255 - tone : tone;
        struct grain grain;

        if (!judge(anchors, level, &t, &grain))
            return REFUSED;
        for (int kind = 0; kind < anchors->judge.kinds; kind++) {
            cost += anchors->weight[kind] *
                    (grain.seen[kind][0] + anchors->near * grain.seen[kind][1]);
            light[side][kind] = grain.light[kind];
        }
        cost +=
            ROWS_COST * fmax(0, grain.rows - ROWS_FREE) +
            LOST_COST * fmax(0, fabs(grain.mean - level / 255.) - LOST_FREE);
    }
    return cost / 2;
}

/* ---- Candidates of an anchor -------------------------------------------- */

static double distance(const double *a, const double *b)
{
    double sum = 0;

    for (int k = 0; k < ANCHOR_NUMBERS; k++)
        sum += (a[k] - b[k]) * (a[k] - b[k]);
    return sqrt(sum);
}

/* Keeps the best places of a search that are apart from each other, the best
 * first. */
static void keep(struct candidate *best, const double *x, double cost)
{
    int kept = 0;

    for (int i = 0; i < KEPT; i++)
        if (best[i].cost <= cost && distance(best[i].x, x) < APART)
            return;
    for (int i = 0; i < KEPT; i++) /* worse ones near it go */
        if (best[i].cost <= cost || distance(best[i].x, x) >= APART)
            best[kept++] = best[i];
    while (kept < KEPT)
        best[kept++].cost = REFUSED;

    int at = KEPT;
    while (at > 0 && best[at - 1].cost > cost)
        at--;
    if (at == KEPT)
        return;
    memmove(best + at + 1, best + at, (size_t)(KEPT - 1 - at) * sizeof *best);
    memcpy(best[at].x, x, sizeof best[at].x);
    best[at].cost = cost;
}

static double own_cost(const double *x, void *context)
{
    struct anchor_task *task = context;
    double light[2][GRAIN_DOTS];
    double cost =
        cost_of(task->anchors, task->anchors->tone[task->anchor], x, light);

    keep(task->best, x, cost);
    return cost;
}

static void draw(struct anchor_task *task, double *x)
{
    const struct anchors *anchors = task->anchors;
    const int tone = anchors->tone[task->anchor];
    ht_tone_t t;

    do {
        x[0] = least_ahead +
               (most_ahead - least_ahead) * random_unit(&task->random);
        t = tone_of(anchors, tone, x);
        for (int k = 1; k < ANCHOR_WEIGHTS; k++)
            x[k] = random_unit(&task->random) *
                   anchors->most[t.column[k] + HT_REACH];
        x[ANCHOR_SPREAD] =
            0.5 * random_unit(&task->random) * random_unit(&task->random);
        x[ANCHOR_FEEDBACK] = anchors->feedback &&
                                     tone >= (int)HT_FEEDBACK_FROM &&
                                     random_unit(&task->random) < 0.7
                                 ? 0.18 * random_unit(&task->random)
                                 : 0;
        t = tone_of(anchors, tone, x);
    } while (!allowed(anchors, &t));
}

static struct search search_of(struct anchor_task *task,
                               double (*cost)(const double *, void *),
                               double step, int evaluations)
{
    const int tone = task->anchors->tone[task->anchor];
    bool feeds = task->anchors->feedback && tone >= (int)HT_FEEDBACK_FROM;
    struct search search = {.dimensions =
                                feeds ? ANCHOR_NUMBERS : ANCHOR_FEEDBACK,
                            .cost = cost,
                            .context = task,
                            .evaluations = evaluations,
                            .tolerance = 1e-5};

    for (int k = 0; k < search.dimensions; k++)
        search.step[k] = step;
    return search;
}

static bool find_candidates(int anchor, void *context)
{
    struct anchor_task task = *(struct anchor_task *)context;

    task.anchor = anchor;
    task.random = task.anchors->seed * 1000003 + (uint64_t)anchor * 257;
    for (int i = 0; i < KEPT; i++)
        task.best[i] = (struct candidate){.cost = REFUSED};
    for (int i = 0; i < task.anchors->draws; i++) {
        double x[ANCHOR_NUMBERS] = {0};

        draw(&task, x);
        own_cost(x, &task);
    }
    struct candidate from[STARTS];
    memcpy(from, task.best, sizeof from);
    for (int i = 0; i < STARTS; i++) {
        struct search search =
            search_of(&task, own_cost, 0.03, task.anchors->search);

        if (from[i].cost < REFUSED)
            search_downhill(&search, from[i].x);
    }
    memcpy(task.shared->found[anchor], task.best, sizeof task.best);
    return true;
}

/* ---- The way through the candidates ------------------------------------- */

/* Finds what it costs to come from each candidate of the anchor before to each
 * of an anchor: the tone in the middle, and its L* beside theirs. */
static bool find_ways(int anchor, void *context)
{
    struct anchor_task *task = context;
    const struct anchors *anchors = task->anchors;
    double(*way)[KEPT] = task->shared->way[anchor];

    for (int i = 0; i < KEPT * KEPT && anchor > 0; i++) {
        const struct candidate *a = &task->shared->found[anchor - 1][i / KEPT];
        const struct candidate *b = &task->shared->found[anchor][i % KEPT];
        const int low = anchors->tone[anchor - 1], high = anchors->tone[anchor];
        double x[ANCHOR_NUMBERS], light[2][GRAIN_DOTS];
        double turn = distance(a->x, b->x);

        way[i / KEPT][i % KEPT] = REFUSED;
        if (a->cost >= REFUSED || b->cost >= REFUSED)
            continue;
        for (int k = 0; k < ANCHOR_NUMBERS; k++)
            x[k] = (a->x[k] + b->x[k]) / 2;
        if (set_of(anchors, low) != set_of(anchors, high))
            way[i / KEPT][i % KEPT] = 0;
        else
            way[i / KEPT][i % KEPT] =
                cost_of(anchors, (low + high) / 2, x, light) +
                TURN_COST * turn * turn;
    }
    return true;
}

static void choose_way(struct anchors *anchors, const struct shared *shared)
{
    double total[ANCHORS_MOST][KEPT];
    int from[ANCHORS_MOST][KEPT] = {{0}}, at = 0;

    for (int anchor = 0; anchor < anchors->count; anchor++)
        for (int i = 0; i < KEPT; i++) {
            total[anchor][i] = shared->found[anchor][i].cost;
            if (anchor == 0)
                continue;
            double least = INFINITY;
            for (int j = 0; j < KEPT; j++) {
                double cost = total[anchor - 1][j] + shared->way[anchor][j][i];
                if (cost < least) {
                    least = cost;
                    from[anchor][i] = j;
                }
            }
            total[anchor][i] += least;
        }
    for (int i = 1; i < KEPT; i++)
        if (total[anchors->count - 1][i] < total[anchors->count - 1][at])
            at = i;
    for (int anchor = anchors->count - 1; anchor >= 0; anchor--) {
        memcpy(anchors->x[anchor], shared->found[anchor][at].x,
               sizeof anchors->x[anchor]);
        at = from[anchor][at];
    }
}

/* ---- Anchors again ------------------------------------------------------ */

static bool measure_tone(int number, void *context)
{
    struct anchor_task *task = context;
    const int tone = task->anchors->tone[0] + number;
    double x[ANCHOR_NUMBERS], light[2][GRAIN_DOTS] = {{0}};

    numbers_at(task->anchors, task->anchors->x, tone, x);
    task->shared->cost[tone] = cost_of(task->anchors, tone, x, light);
    memcpy(task->shared->light[tone], light[0], sizeof light[0]);
    memcpy(task->shared->light[255 - tone], light[1], sizeof light[1]);
    return true;
}

/* Fits a parabola to the L* around each level, and takes its middle. */
static void smooth_light(struct anchor_task *task)
{
    const int first = task->anchors->tone[0];

    for (int kind = 0; kind < task->anchors->judge.kinds; kind++)
        for (int level = first; level <= 255 - first; level++) {
            int reach = SMOOTH;

            if (reach > level - first)
                reach = level - first;
            if (reach > 255 - first - level)
                reach = 255 - first - level;
            task->smooth[level][kind] = fit_middle(
                &task->shared->light[level][kind], GRAIN_DOTS, reach);
        }
}

/* Returns the cost of an anchor's numbers among its neighbors: at its tone and
 * on both sides of it. */
static double cost_among(const double *x, void *context)
{
    struct anchor_task *task = context;
    const struct anchors *anchors = task->anchors;
    double all[ANCHORS_MOST][ANCHOR_NUMBERS], sum = 0;
    const int own = anchors->tone[task->anchor];
    int tone[3] = {own, own, own}, tones = 1;

    memcpy(all, anchors->x, sizeof all);
    memcpy(all[task->anchor], x, sizeof all[task->anchor]);
    if (task->anchor > 0 && own - anchors->tone[task->anchor - 1] > 1)
        tone[tones++] = (own + anchors->tone[task->anchor - 1]) / 2;
    if (task->anchor + 1 < anchors->count &&
        anchors->tone[task->anchor + 1] - own > 1)
        tone[tones++] = (own + anchors->tone[task->anchor + 1] + 1) / 2;
    for (int i = 0; i < tones; i++) {
        double at[ANCHOR_NUMBERS], light[2][GRAIN_DOTS];

        numbers_at(anchors, all, tone[i], at);
        double cost = cost_of(anchors, tone[i], at, light);
        if (cost >= REFUSED)
            return REFUSED;
        for (int side = 0; side < 2; side++)
            for (int kind = 0; kind < anchors->judge.kinds; kind++) {
                int level = side ? 255 - tone[i] : tone[i];
                double step =
                    fabs(light[side][kind] - task->smooth[level][kind]);
                cost += STEP_COST * anchors->weight[kind] *
                        fmax(0, step - STEP_FREE) / 2;
            }
        sum += cost / tones;
    }
    return sum;
}

static bool polish(int number, void *context)
{
    struct anchor_task task = *(struct anchor_task *)context;

    task.anchor = 2 * number + task.part;
    if (task.anchor >= task.anchors->count)
        return true;
    memcpy(task.shared->x[task.anchor], task.anchors->x[task.anchor],
           sizeof task.anchors->x[task.anchor]);
    if (task.anchors->tone[task.anchor] < task.anchors->from)
        return true;
    struct search search =
        search_of(&task, cost_among, 0.012, task.anchors->polish);
    double x[ANCHOR_NUMBERS], between[ANCHOR_NUMBERS];

    memcpy(x, task.anchors->x[task.anchor], sizeof x);
    double cost = search_downhill(&search, x);
    /* And from where the neighbors lead. */
    if (task.anchor > 0 && task.anchor + 1 < task.anchors->count &&
        set_of(task.anchors, task.anchors->tone[task.anchor - 1]) ==
            set_of(task.anchors, task.anchors->tone[task.anchor + 1])) {
        for (int k = 0; k < ANCHOR_NUMBERS; k++)
            between[k] = (task.anchors->x[task.anchor - 1][k] +
                          task.anchors->x[task.anchor + 1][k]) /
                         2;
        if (search_downhill(&search, between) < cost)
            memcpy(x, between, sizeof x);
    }
    memcpy(task.shared->x[task.anchor], x, sizeof x);
    return true;
}

static bool measure_tones(struct anchor_task *task)
{
    struct anchors *anchors = task->anchors;
    const int tones = (int)HT_TONES - anchors->tone[0];

    if (!jobs_run(tones, anchors->jobs, "tones", measure_tone, task))
        return false;
    anchors->cost = 0;
    for (int i = anchors->tone[0]; i < (int)HT_TONES; i++)
        anchors->cost += task->shared->cost[i] / tones;
    smooth_light(task);
    return true;
}

/* Takes the numbers of a table's tone. */
static void begin_with(double *x, const ht_tone_t *tone)
{
    memcpy(x, tone->weight, ANCHOR_WEIGHTS * sizeof *x);
    x[ANCHOR_SPREAD] = tone->t_upper - tone->t_lower;
    x[ANCHOR_FEEDBACK] = tone->feedback;
}

bool anchors_search(struct anchors *anchors)
{
    const int flags = MAP_SHARED | MAP_ANONYMOUS;
    struct shared *shared =
        mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, flags, -1, 0);
    struct anchor_task task = {.anchors = anchors, .shared = shared};

    if (shared == MAP_FAILED)
        return false;
    bool ok =
        anchors->start != NULL ||
        (jobs_run(anchors->count, anchors->jobs, "candidates", find_candidates,
                  &task) &&
         jobs_run(anchors->count, anchors->jobs, "ways", find_ways, &task));
    for (int i = 0; anchors->start != NULL && i < anchors->count; i++)
        begin_with(anchors->x[i], &anchors->start[anchors->tone[i]]);
    if (ok && anchors->start == NULL)
        choose_way(anchors, shared);
    for (int sweep = 0; ok && sweep < 2 * anchors->sweeps; sweep++) {
        task.part = sweep % 2;
        ok = measure_tones(&task) &&
             jobs_run((anchors->count + 1) / 2, anchors->jobs, "sweeps", polish,
                      &task);
        for (int i = task.part; ok && i < anchors->count; i += 2)
            memcpy(anchors->x[i], shared->x[i], sizeof anchors->x[i]);
    }
    ok = ok && measure_tones(&task);
    munmap(shared, sizeof *shared);
    return ok;
}
