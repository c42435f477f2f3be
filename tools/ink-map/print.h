/*
 * print.h - prints the results of ink-report, as text and as JSON.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef INK_MAP_PRINT_H
#define INK_MAP_PRINT_H

#include <stdbool.h>
#include <stdint.h>

#include "tools/ink-map/loads.h"
#include "tools/ink-map/picture.h"
#include "tools/inks.h"

/* Measurements that are wanted of every page. */
struct ink_question {
    unsigned sizes;
    double window[INK_MAP_SIZES]; /* mm */
    const char *ink;              /* whose loads are wanted; NULL = all inks' */
    double limit;                 /* percent; below 0 = none */
};

/* A page. */
struct ink_report {
    unsigned page; /* its number, from 1 */
    uint32_t width, height;
    unsigned dpi[2];
    const char *space; /* static */
    char name[INK_MAP_INKS][INK_SET_NAME];
    uint32_t inks;
    uint64_t dots[INK_MAP_INKS]; /* of each ink */
    struct ink_loads loads[INK_MAP_SIZES];
    const char *map; /* the picture's path; NULL = none */
    struct ink_mark marks[INK_PICTURE_MARKS];
    unsigned marked;
};

/* Prints some lines. */
void ink_report_text(const struct ink_report *report,
                     const struct ink_question *question);

/* Print JSON: what comes before the first page, a page, and what comes after
 * the last. */
void ink_report_json_begin(const struct ink_question *question);
void ink_report_json(const struct ink_report *report,
                     const struct ink_question *question);
void ink_report_json_end(void);

#endif
