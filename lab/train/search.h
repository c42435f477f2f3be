/*
 * search.h - finds the least value of a function of a few numbers without
 * derivatives.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef TRAIN_SEARCH_H
#define TRAIN_SEARCH_H

#define SEARCH_MAX 8 /* numbers */

struct search {
    int dimensions; /* 1..SEARCH_MAX */
    double (*cost)(const double *x, void *context);
    void *context;
    double step[SEARCH_MAX]; /* first step along each number */
    int evaluations;         /* at most about as many calls of `cost` */
    double tolerance;        /* downhill ends when costs differ by less */
};

/* Downhill simplex (Nelder and Mead, The Computer Journal 7, 1965) from `x`,
 * which becomes the best place found; returns its cost. */
double search_downhill(const struct search *search, double *x);

#endif
