/*
 * size_goals.h - measures the cost of several sizes of drops: the same pages
 * with one size and with three.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef BENCH_SIZE_GOALS_H
#define BENCH_SIZE_GOALS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#define MAX_SIZE_GOALS 128u

struct size_goals {
    struct size_goal {
        const char *engine, *method, *content;
        uint32_t inks, bits;
        double one, three; /* nanoseconds a pixel of an ink */
    } goal[MAX_SIZE_GOALS];
    unsigned count;
};

/*
 * Measures gray and CMYK photos and text of 8 and 16 bits by one thread, each
 * method and engine that does such pages, but not the reference. False, with a
 * line on standard error, without memory or such an engine, or when one failed.
 *
 *   engine  the only one to measure; NULL = all
 *   rounds  in each of which every page is run once
 */
bool size_goals_measure(struct size_goals *goals, const char *engine,
                        unsigned rounds);

/* Prints what was measured as a Markdown table, for lab/doc/performance.md. */
void size_goals_print(const struct size_goals *goals);

/* Writes it as the elements of an array. */
void size_goals_json(const struct size_goals *goals, FILE *out);

#endif
