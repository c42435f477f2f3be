/*
 * search.c - downhill simplex and pattern search.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <assert.h>
#include <stdbool.h>
#include <string.h>

#include "lab/train/search.h"

struct corner {
    double x[SEARCH_MAX], cost;
};

/* ---- Downhill simplex ------------------------------------------------- */

/* Best first; insertion keeps equal costs in their order. */
static void sort_corners(struct corner *corner, int count)
{
    for (int i = 1; i < count; i++) {
        struct corner c = corner[i];
        int j = i;

        for (; j > 0 && corner[j - 1].cost > c.cost; j--)
            corner[j] = corner[j - 1];
        corner[j] = c;
    }
}

/* The place `along` of the way from the worst corner to the others' middle:
 * 2 = reflected, 3 = twice as far, 1.5 and 0.5 = drawn in. */
static struct corner try_corner(const struct search *s,
                                const struct corner *corner, double along)
{
    int n = s->dimensions;
    struct corner made = {.cost = 0};

    for (int k = 0; k < n; k++) {
        double middle = 0;

        for (int i = 0; i < n; i++)
            middle += corner[i].x[k] / n;
        made.x[k] = corner[n].x[k] + along * (middle - corner[n].x[k]);
    }
    made.cost = s->cost(made.x, s->context);
    return made;
}

static int shrink(const struct search *s, struct corner *corner)
{
    for (int i = 1; i <= s->dimensions; i++) {
        for (int k = 0; k < s->dimensions; k++)
            corner[i].x[k] = (corner[i].x[k] + corner[0].x[k]) / 2;
        corner[i].cost = s->cost(corner[i].x, s->context);
    }
    return s->dimensions;
}

/* One move of the simplex; returns the evaluations made. */
static int move(const struct search *s, struct corner *corner)
{
    struct corner *worst = &corner[s->dimensions];
    struct corner first = try_corner(s, corner, 2);

    if (first.cost < corner[0].cost) {
        struct corner second = try_corner(s, corner, 3);
        *worst = second.cost < first.cost ? second : first;
        return 2;
    }
    if (first.cost < worst[-1].cost) {
        *worst = first;
        return 1;
    }

    bool outside = first.cost < worst->cost;
    struct corner second = try_corner(s, corner, outside ? 1.5 : 0.5);
    if (second.cost < (outside ? first.cost : worst->cost)) {
        *worst = second;
        return 2;
    }
    return 2 + shrink(s, corner);
}

double search_downhill(const struct search *s, double *x)
{
    struct corner corner[SEARCH_MAX + 1];
    int n = s->dimensions, made = n + 1;

    assert(n >= 1 && n <= SEARCH_MAX);
    for (int i = 0; i <= n; i++) {
        memcpy(corner[i].x, x, (size_t)n * sizeof *x);
        if (i > 0)
            corner[i].x[i - 1] += s->step[i - 1];
        corner[i].cost = s->cost(corner[i].x, s->context);
    }
    sort_corners(corner, n + 1);
    while (made < s->evaluations &&
           corner[n].cost - corner[0].cost > s->tolerance) {
        made += move(s, corner);
        sort_corners(corner, n + 1);
    }
    memcpy(x, corner[0].x, (size_t)n * sizeof *x);
    return corner[0].cost;
}

/* ---- Pattern search --------------------------------------------------- */

/* Tries a step each way along each number, keeping what is better. */
static int explore(const struct search *s, const double *step,
                   struct corner *at)
{
    int made = 0;

    for (int k = 0; k < s->dimensions; k++) {
        double from = at->x[k];
        bool better = false;

        for (int way = 1; way >= -1 && !better; way -= 2, made++) {
            at->x[k] = from + way * step[k];
            double cost = s->cost(at->x, s->context);
            better = cost < at->cost;
            if (better)
                at->cost = cost;
        }
        if (!better)
            at->x[k] = from;
    }
    return made;
}

double search_pattern(const struct search *s, double *x)
{
    struct corner base, next;
    double step[SEARCH_MAX], span = 1;
    int made = 1;

    memcpy(base.x, x, (size_t)s->dimensions * sizeof *x);
    memcpy(step, s->step, sizeof step);
    base.cost = s->cost(base.x, s->context);
    while (made < s->evaluations && span > 1e-3) {
        next = base;
        made += explore(s, step, &next);
        if (next.cost >= base.cost) {
            span /= 2;
            for (int k = 0; k < s->dimensions; k++)
                step[k] /= 2;
            continue;
        }
        /* Goes on the same way for as long as that is better. */
        while (next.cost < base.cost && made < s->evaluations) {
            struct corner far = next;

            for (int k = 0; k < s->dimensions; k++)
                far.x[k] += next.x[k] - base.x[k];
            base = next;
            far.cost = s->cost(far.x, s->context);
            made += 1 + explore(s, step, &far);
            next = far;
        }
    }
    memcpy(x, base.x, (size_t)s->dimensions * sizeof *x);
    return base.cost;
}
