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

static const int key[] = {3, 13, 25, 38, 51, 57, 64, 76, 89, 102, 115, 127};

#define MARGIN 0.9 /* of what is allowed, for the tones between */
#define KEYS (int)(sizeof key / sizeof key[0])
#define STRENGTHS 31 /* to be tried: 0, 1/100, .. */
#define ROUNDED 1e-4 /* more than thresholds and strengths are rounded by */
#define FOUR_FIT 51  /* up to this tone four inks find room side by side */

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
    static struct measured alone[INKS_MAX];
    struct avoidance *a = context;
    int tone = key[job], most = tone > FOUR_FIT ? 2 : 4;
    double least = 1e9, error[INKS_MAX];

    for (int i = 0; i < STRENGTHS; i++) {
        struct together together;
        ht_table_t *table;
        double cost = 0;

        for (unsigned k = 0; k < HT_TONES; k++)
            a->tones[k].avoid = i / 100.0;
        if (ht_table_new(&table, a->tones, a->pattern) != HT_OK)
            return false;
        a->printer.table = table;
        bool ok =
            i > 0 || inks_alone(&a->printer, tone, most, a->best, alone, error);
        for (int inks = 2; ok && inks <= most; inks += 2) {
            ok = inks_together(&together, &a->printer, tone, inks, alone, error,
                               a->best);
            cost += ok ? avoid_cost(&together, tone) : 0;
        }
        ht_table_free(table);
        if (!ok)
            return false;
        if (cost < least) {
            least = cost;
            a->found[job] = i / 100.0;
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
        double wanted = a.found[i] + along * (a.found[i + 1] - a.found[i]);
        double room = fmin(tones[tone].t_lower, 1 - tones[tone].t_upper);
        double most = fmax(room - ROUNDED, 0);
        tones[tone].avoid = floor(fmin(wanted + 0.5e-3, most) * 1e3) / 1e3;
    }
    munmap(a.found, sizeof(double) * KEYS);
    return true;
}
