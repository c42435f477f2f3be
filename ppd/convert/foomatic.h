/*
 * foomatic.h - PPDs whose filter is foomatic-rip: their driver is a command
 * line, into which our dots are put.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef PPD_CONVERT_FOOMATIC_H
#define PPD_CONVERT_FOOMATIC_H

#include <stdbool.h>

#include "ppd/convert/text.h"

#define FOOMATIC_WHY 256
#define FOOMATIC_WORD 64 /* bytes, of a program */

enum foomatic_kind {
    FOOMATIC_NO,     /* the filter is another one */
    FOOMATIC_RASTER, /* gs makes CUPS raster for a filter in the pipe */
    FOOMATIC_PBM,    /* gs makes PBM for a program in the pipe */
    FOOMATIC_WRAPPER /* a script runs gs, as $GSBIN says */
};

struct foomatic {
    enum foomatic_kind kind;
    struct ppd_statement *command; /* FoomaticRIPCommandLine */
    char *line;                    /* its value, in one line */
    char driver[FOOMATIC_WORD];    /* the program that takes the dots */
    char why[FOOMATIC_WHY];        /* why our dots cannot be put before it */
};

/* Reads the command line. False, with the reason, when our dots cannot be put
 * into it. Free in any case. */
bool foomatic_read(struct foomatic *pipe, const struct ppd_text *text);
void foomatic_free(struct foomatic *pipe);

/* Edits the command line, adds our options and removes the choices of color,
 * which wrappers have halftoned by Ghostscript. `mode` is a choice of
 * HalftoneMode. False, with the reason, when no choice is left. */
bool foomatic_convert(struct foomatic *pipe, struct ppd_text *text,
                      const char *mode);

#endif
