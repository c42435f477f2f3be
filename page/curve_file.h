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

/* File in which a curve was found, and its fault. */
struct curve_file {
    char path[CURVE_FILE_PATH]; /* "": the built-in curve */
    unsigned line;              /* at fault */
    enum curve_status status;   /* CURVE_NO_FILE: errno says why */
};

/*
 * Loads NAME.curve from rastertohalftone/ of the folder `own`, where curves are
 * that were made for this system's printers (CUPS's: $CUPS_SERVERROOT), or else
 * of the data directory `data`. Either may be NULL. False when neither has one.
 */
bool curve_file_named(struct curve *curve, struct curve_file *file,
                      const char *own, const char *data, const char *name);

/* Loads the curve of the queue's name (CUPS's: $PRINTER) from the folder `own`,
 * or else the built-in one. Both may be NULL. */
void curve_file_default(struct curve *curve, struct curve_file *file,
                        const char *own, const char *queue);

#endif
