/*
 * avoid.c - finds how strongly inks should avoid each other at each tone.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <math.h>
#include <string.h>
#include <sys/mman.h>

#include "train/avoid.h"
#include "train/jobs.h"

static const int key[] = {3, 13, 26, 38, 51, 57, 64, 77, 89, 102, 115, 127};
static const double strength[] = {0,   .02, .04, .06, .08, .10, .12,
                                  .14, .16, .18, .20, .22, .25, .30};

#define MARGIN 0.9 /* of what is allowed, for the tones between */
#define KEYS (int)(sizeof key / sizeof key[0])
#define STRENGTHS (int)(sizeof strength / sizeof strength[0])

struct avoidance {
    ht_tone_t tones[HT_TONES];
    struct printer printer;
    const uint8_t *pattern;
    const struct reference *best;
    double *found; /* [KEYS], shared between processes */
};

/* ---- Cost ------------------------------------------------------------- */

static double allowed(int tone)
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
    return 4 * above(t->overprint, MARGIN * allowed(tone)) +
           above(t->ratio, 1.05) + above(t->texture, 1.05) +
           above(t->sum, 0.97) + t->overprint / 10;
}

/* ---- Search ----------------------------------------------------------- */

static bool find_at(int job, void *context)
{
    static struct measured alone[2];
    struct avoidance *a = context;
    int tone = key[job];
    double least = 1e9, error[2];

    for (int i = 0; i < STRENGTHS; i++) {
        struct together together;
        ht_table_t *table;

        for (unsigned k = 0; k < HT_TONES; k++)
            a->tones[k].avoid = strength[i];
        if (ht_table_new(&table, a->tones, a->pattern) != HT_OK)
            return false;
        a->printer.table = table;
        bool ok = (i > 0 ||
                   inks_alone(&a->printer, tone, 2, a->best, alone, error)) &&
                  inks_together(&together, &a->printer, tone, 2, alone, error,
                                a->best);
        ht_table_free(table);
        if (!ok)
            return false;
        double cost = avoid_cost(&together, tone);
        if (cost < least) {
            least = cost;
            a->found[job] = strength[i];
        }
    }
    return true;
}

bool avoid_find(ht_tone_t *tones, ht_method_t method, uint32_t segment,
                const uint8_t *pattern, const struct reference *best, int jobs)
{
    static struct avoidance a;

    a = (struct avoidance){.printer = {method, NULL, segment, "reference"},
                           .pattern = pattern,
                           .best = best};
    memcpy(a.tones, tones, sizeof a.tones);
    a.found = mmap(NULL, sizeof(double) * KEYS, PROT_READ | PROT_WRITE,
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
            round((a.found[i] + along * (a.found[i + 1] - a.found[i])) * 1e3) /
            1e3;
    }
    munmap(a.found, sizeof(double) * KEYS);
    return true;
}
