/*
 * halftone_options.h - the command line of halftone, halftone(1).
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef TOOLS_HALFTONE_OPTIONS_H
#define TOOLS_HALFTONE_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "halftone/halftone.h"
#include "page/ink.h"
#include "tools/separation.h"
#include "tools/sizes.h"

struct halftone_options {
    ht_method_t method;
    const char *engine;
    const char *table; /* file or name, NULL = the method's own, */
    uint32_t segment;
    uint32_t cells;         /* of screen; 0 = the default */
    uint32_t dpi;           /* of the printer, for cells; 0 = unknown */
    uint32_t resolution[2]; /* across and down, for the method's own table */
    uint32_t ink;           /* the image is printed as this ink */
    struct drop_sizes drops;
    struct ink_settings tones;
    struct image_separation separation;
    uint32_t threads;
    uint32_t band;
    bool verbose;
    const char *in;
    const char *out;
};

/* Reads the options, of which those that are not given have their defaults;
 * ends the program for --help and --version, and where files are missing or too
 * many. Returns false after a message for values that do not fit. The texts are
 * those of `argv`; free options->separation with separation_free(), in either
 * case. */
bool halftone_parse(struct halftone_options *options, int argc, char **argv);

#endif
