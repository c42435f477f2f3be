/*
 * scaling_rows.h - rows that say what more threads, jobs, a GPU or options
 * change.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef BENCH_SCALING_ROWS_H
#define BENCH_SCALING_ROWS_H

#include <stdint.h>
#include <stdio.h>

#include "lab/bench/clock.h"
#include "lab/bench/content.h"

#define MAX_SCALING_ROWS 160u
#define MAX_SCALING_RUNS 5u

/* The tables, each with its own base, the row that the others are compared
 * with. */
enum scaling_part {
    BY_THREADS, /* one thread */
    BY_JOBS,    /* as many jobs with two threads each */
    BY_ENGINES, /* HalftoneEngine=CPU */
    BY_OPTIONS, /* without any */
    SCALING_PARTS
};

enum scaling_program { WHOLE_FILTER, NULL_FILTER, IN_MEMORY, SCALING_PROGRAMS };

/* Options that change the dots. */
enum option_set {
    NO_OPTIONS,
    PPD_OPTIONS, /* as all have them who use our PPDs */
    SHARP_TEXT,  /* these, and TextAndGraphic */
    OPTION_SETS
};

/* Configuration of a row. Two rows are the same if all fields are equal. */
struct scaling_case {
    enum scaling_part part;
    enum scaling_program program;
    enum content content;
    uint32_t inks;
    enum option_set options;
    bool unbroken;      /* rows, without segments */
    const char *engine; /* HalftoneEngine */
    uint32_t threads;   /* 0 = the default */
    uint32_t cpus;      /* that the jobs may use; 0 = all */
    unsigned jobs;      /* at once */
    unsigned pages;     /* a job */
};

struct scaling_row {
    struct scaling_case what;
    unsigned runs;
    struct spent run[MAX_SCALING_RUNS];
    /* Statistics, by scaling_row_end(). */
    double wall, wall_least, wall_most;
    double cpu, cpu_least, cpu_most;
};

/* Zeroed is empty. */
struct scaling_rows {
    struct scaling_row row[MAX_SCALING_ROWS];
    unsigned count;
    unsigned pages; /* a job, but for engines and pages from the RIP */
    double peak;    /* MiB, of the filter with eight threads on CMYK photos; 0 =
                       not measured */
};

/* Adds a row without runs; it stays where it is. */
struct scaling_row *scaling_rows_add(struct scaling_rows *rows,
                                     const struct scaling_case *what);

/* Works out the medians, the least and the most. */
void scaling_row_end(struct scaling_row *row);

/* Finds the row of these values that has been run, or NULL. */
const struct scaling_row *scaling_rows_find(const struct scaling_rows *rows,
                                            const struct scaling_case *what);

/* "CMYK photo, unbroken rows", "page from the RIP". */
const char *scaling_page_name(const struct scaling_case *what, char name[64]);

/* Prints the head of a part's Markdown table, and a row of it. */
void scaling_rows_head(enum scaling_part part);
void scaling_row_print(const struct scaling_rows *rows,
                       const struct scaling_row *row);

/* Writes all rows as the elements of an array. */
void scaling_rows_json(const struct scaling_rows *rows, FILE *out);

#endif
