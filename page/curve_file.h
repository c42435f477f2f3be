/*
 * curve_file.h - finds the file of a tone curve by its name.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef PAGE_CURVE_FILE_H
#define PAGE_CURVE_FILE_H

#include <stdbool.h>

#include "page/curve.h"

#define CURVE_FILE_PATH 1024

/* Where a curve was found, and what is wrong with it. */
struct curve_file {
    char path[CURVE_FILE_PATH]; /* "": the built-in curve */
    unsigned line;              /* at fault */
    enum curve_status status;   /* CURVE_NO_FILE: errno says why */
};

/*
 * Loads NAME.curve from rastertohalftone/ of the server's configuration
 * ($CUPS_SERVERROOT, which a filter of CUPS has), where curves are that were
 * made for its printers, or else of the data directory `data`. False when
 * neither has one.
 */
bool curve_file_named(struct curve *curve, struct curve_file *file,
                      const char *data, const char *name);

/* Loads the curve of the queue's name ($PRINTER) from the server's
 * configuration, or else the built-in one. */
void curve_file_default(struct curve *curve, struct curve_file *file);

#endif
