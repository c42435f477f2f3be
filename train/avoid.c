/*
 * avoid.c - finds how strongly inks should avoid each other at each tone.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <math.h>
#include <string.h>
#include <sys/mman.h>

#include "halftone/definition.h"
#include "train/avoid.h"
#include "train/jobs.h"

/* From 112 on, beside other inks, too, thresholds follow the pattern. */
static const int key[] = {3,  12, 25,  31,  38,  51,  57, 64,
                          76, 89, 102, 111, 112, 119, 127};

#define MARGIN 0.95  /* of what is allowed, for the tones between */
#define ROUNDED 1e-4 /* more than thresholds and strengths are rounded by */
#define KEYS (int)(sizeof key / sizeof key[0])
#define STEPS 46  /* strengths that are tried first: */
#define STEP 0.01 /* 0, 0.01 and so on */
#define OTHER 120 /* a tone that is no key */

struct avoidance {
    ht_tone_t tones[HT_TONES];
    struct printer printer;
    ht_table_t *table; /* the printer's */
    const uint8_t *pattern;
    const struct reference *best;
    double *found; /* [KEYS], shared between processes */
};

/* ---- Cost ------------------------------------------------------------- */

double avoid_allowed(int tone)
{
    static const double at[][2] = {
        {0, .05}, {.2, .05}, {.3, .3}, {.4, .6}, {.51, .93}};
    double ink = tone / 255.0;
    int i = 0;

    while (at[i + 1][0] < ink)
        i++;
    return at[i][1] + (at[i + 1][1] - at[i][1]) * (ink - at[i][0]) /
                          (at[i + 1][0] - at[i][0]);
}

static double above(double value, double limit)
{
    return value > limit ? value - limit : 0;
}

double avoid_cost(const struct together *t, int tone)
{
    return 4 * above(t->overprint, MARGIN * avoid_allowed(tone)) +
           2 * above(t->ratio, 1.05) + 2 * above(t->texture, 1.05) +
           2 * above(t->sum, 0.97) + (t->overprint + above(t->ratio, 1)) / 10;
}

/* ---- Search ----------------------------------------------------------- */

/* Inks of a tone by themselves: two of them, and four. */
struct alone {
    struct of_ink ink[2][INKS_MAX];
    int most; /* inks that are judged together: 2 or 4 */
};

/* A table with the same strength at all tones, for the printer. Some other
 * tone has one in any case, as in the table that is made: there light tones
 * beside other inks do not look at the pattern, even if their strength is 0. */
static bool set_strength(struct avoidance *a, double strength)
{
    ht_table_t *table;

    for (unsigned k = 0; k < HT_TONES; k++)
        a->tones[k].avoid = strength;
    a->tones[OTHER].avoid = fmax(strength, STEP);
    if (ht_table_new(&table, a->tones, a->pattern, NULL) != HT_OK)
        return false;
    ht_table_free(a->table);
    a->printer.table = a->table = table;
    return true;
}

static bool cost_of(struct avoidance *a, int tone, const struct alone *alone,
                    double *cost)
{
    *cost = 0;
    for (int inks = 2; inks <= alone->most; inks += 2) {
        struct together together;

        if (!inks_together(&together, &a->printer, tone, inks,
                           alone->ink[inks / 4], a->best))
            return false;
        *cost += avoid_cost(&together, tone);
    }
    return true;
}

static bool print_alone(struct avoidance *a, int tone, struct alone *alone)
{
    bool ok = set_strength(a, 0);

    alone->most = tone > AVOID_FOUR_FIT ? 2 : 4;
    for (int inks = 2; ok && inks <= alone->most; inks += 2)
        ok = inks_alone(&a->printer, tone, inks, a->best, alone->ink[inks / 4]);
    return ok;
}

double avoid_held(double wanted, int number, const ht_tone_t *tone)
{
    double raise = (double)ht_raise(number) / HT_ONE;
    double room = fmin(tone->t_lower, 1 - tone->t_upper - raise);

    return floor(fmin(wanted + 0.5e-3, fmax(room - ROUNDED, 0)) * 1e3) / 1e3;
}

/* The best strength so far, and what it costs. */
struct best {
    double strength, cost;
};

static bool try_strength(struct avoidance *a, int tone,
                         const struct alone *alone, double wanted,
                         struct best *best)
{
    struct best tried = {.strength = avoid_held(wanted, tone, &a->tones[tone])};

    if (!set_strength(a, tried.strength) ||
        !cost_of(a, tone, alone, &tried.cost))
        return false;
    if (tried.cost < best->cost)
        *best = tried;
    return true;
}

/* First in steps, then halfway to both sides of the best. */
static bool find_at(int job, void *context)
{
    struct alone alone;
    struct avoidance *a = context;
    struct best best = {.cost = 1e9};
    int tone = key[job];
    bool ok = print_alone(a, tone, &alone);

    for (int i = 0; ok && i < STEPS; i++)
        ok = try_strength(a, tone, &alone, i * STEP, &best);
    const double middle = best.strength;
    for (int side = -1; ok && side <= 1; side += 2)
        ok = try_strength(a, tone, &alone, fmax(middle + side * STEP / 2, 0),
                          &best);
    a->found[job] = best.strength;
    ht_table_free(a->table);
    a->table = NULL;
    return ok;
}

bool avoid_find(ht_tone_t *tones, ht_method_t method, uint32_t segment,
                const uint8_t *pattern, const struct reference *best,
                uint32_t jobs)
{
    static struct avoidance a;

    a = (struct avoidance){.printer = {.method = method, .segment = segment},
                           .pattern = pattern,
                           .best = best};
    memcpy(a.tones, tones, sizeof a.tones);
    a.found = mmap(NULL, sizeof *a.found * KEYS, PROT_READ | PROT_WRITE,
                   MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (a.found == MAP_FAILED ||
        !jobs_run(KEYS, jobs, "ink avoidance", find_at, &a))
        return false;
    for (int tone = 0, i = 0; tone < (int)HT_TONES; tone++) {
        while (i + 2 < KEYS && key[i + 1] < tone)
            i++;
        double along = (double)(tone - key[i]) / (key[i + 1] - key[i]);
        along = along < 0 ? 0 : along;
        tones[tone].avoid =
            avoid_held(a.found[i] + along * (a.found[i + 1] - a.found[i]), tone,
                       &tones[tone]);
    }
    munmap(a.found, sizeof *a.found * KEYS);
    return true;
}
