/*
 * gutenprint_trace.h - the drops of each ink, in what Gutenprint's filter says
 * on standard error while STP_DEBUG is 4.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef PPD_CONVERT_GUTENPRINT_TRACE_H
#define PPD_CONVERT_GUTENPRINT_TRACE_H

#include <stdbool.h>

#define TRACE_CODES 16 /* 0 is no drop */
#define TRACE_INKS 4   /* K, C, M, Y */
#define TRACE_LINE 256 /* bytes, of a line */

/* Drops of an ink: a bit for each code, and its area to that of the largest. */
struct ink_codes {
    unsigned codes;
    double area[TRACE_CODES];
};

/* Starts as zeros. */
struct gutenprint_trace {
    struct ink_codes inks[TRACE_INKS];
    struct ink_codes *ink; /* that the next lines are about; may be NULL */
    bool failed;           /* an ERROR line, or inks that we do not print */
    bool whole;            /* nothing more is said of drops */
};

/* Reads a line. The last that is said of an ink holds: each gets one drop of
 * the area 1 before it gets its own. */
void trace_line(struct gutenprint_trace *trace, const char *line);

/* Returns the largest area of an ink, 0 if it has no drops. */
double trace_largest(const struct ink_codes *ink);

/* Leaves the codes that the other ink has, too. */
void trace_meet(struct ink_codes *ink, const struct ink_codes *other);

/* Writes "K 1=29 2=63 3=100 C ..." with areas in percent. */
void trace_describe(const struct gutenprint_trace *trace,
                    char line[TRACE_LINE]);

#endif
