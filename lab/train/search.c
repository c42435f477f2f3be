/*
 * search.c - finds the least value of a function by downhill simplex.
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
