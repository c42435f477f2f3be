/*
 * report.h - reports measurements: rows as they come.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef BENCH_REPORT_H
#define BENCH_REPORT_H

#include <stdbool.h>
#include <stdint.h>

#include "lab/bench/clock.h"
#include "lab/bench/machine.h"
#include "lab/bench/scaling_rows.h"

/* Way of executing the code. */
enum kind {
    ENGINE, /* of the library, in this process */
    PEER,   /* another library, in this process */
    PROGRAM /* a whole process, from its start to its end */
};

struct result {
    enum kind kind;
    char name[32];
    char version[64]; /* of a peer */
    const char *method, *content;
    uint32_t inks, threads;
    double pixels; /* a run, all inks */
    struct timing timing;
};

#define MAX_RESULTS 512u
#define MAX_MISSING 16u

struct bench_report {
    bool quick;             /* shorter or fewer pages, and fewer runs */
    const char *filter;     /* the program that is measured as ours */
    struct machine machine; /* before anything was run */
    struct result result[MAX_RESULTS];
    unsigned results;
    char missing[MAX_MISSING][96]; /* "name: why it is not measured" */
    unsigned missings;
    struct scaling_rows scaling;
};

/* Millions of pixels of one ink a second. */
double megapixels(const struct result *result);

/* Describes the machine and prints it. */
void report_begin(struct bench_report *report);

/* Prints the head of the table that report_add() goes on with. */
void report_head(void);

/* Keeps a copy and prints it. */
void report_add(struct bench_report *report, const struct result *result);

/* Keeps and prints why something is not measured. */
void report_missing(struct bench_report *report, const char *name,
                    const char *why);

/* The fastest result of those names (a name may end in * for any rest) and
 * values, or NULL. */
const struct result *report_best(const struct bench_report *report,
                                 const char *name, const char *method,
                                 const char *content, uint32_t inks,
                                 uint32_t threads);

#endif
