/*
 * filters.h - the filters that a PPD names, and that of its raster.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef PPD_CONVERT_FILTERS_H
#define PPD_CONVERT_FILTERS_H

#include <stdbool.h>

#include "ppd/convert/text.h"

#define FILTERS_MAX 32   /* lines */
#define FILTERS_WORD 256 /* bytes, of a type or a program */
#define FILTERS_HALFTONE "application/vnd.cups-halftone-raster"
#define FILTERS_RASTER "application/vnd.cups-raster"

/* A line of a PPD: cupsFilter or cupsFilter2. */
struct ppd_filter {
    struct ppd_statement *statement;
    char from[FILTERS_WORD], to[FILTERS_WORD]; /* types; no `to`: "" */
    char cost[16];
    char most[64]; /* "maxsize(N) ", or "" */
    char program[FILTERS_WORD];
    bool hidden; /* CUPS does not read it: there is a cupsFilter2 */
};

struct ppd_filters {
    struct ppd_filter lines[FILTERS_MAX];
    int count;
    const struct ppd_filter *driver; /* that takes the RIP's raster */
    char why[2 * FILTERS_WORD];      /* why there is none for our dots */
};

/* Whether foomatic-rip takes the pages, for which a command line in the PPD is
 * the driver: ppd/convert/foomatic.h. */
bool ppd_filters_are_foomatic(const struct ppd_text *text);

/* Reads the lines and finds the driver. False, with the reason, when our dots
 * cannot be put before it. */
bool ppd_filters_read(struct ppd_filters *filters, struct ppd_text *text);

/* Puts rastertohalftone before the driver, or before a packer of ours for the
 * same printers, with `more` lines behind its own. The other lines that can
 * still be used stay what they are for CUPS. `model` is cupsModelNumber. */
void ppd_filters_convert(const struct ppd_filters *filters, int model,
                         struct ppd_text *text, const char *more);

#endif
