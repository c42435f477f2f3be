/*
 * models.h - lists the PPDs that CUPS offers.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef PPD_DRIVER_MODELS_H
#define PPD_DRIVER_MODELS_H

#include <stdbool.h>
#include <stdio.h>

#include "ppd/driver/child.h"

#define MODELS_SCHEME "halftone:" /* begins the names of our PPDs */
#define MODELS_MARK '\1'          /* where the name of the dots goes */

/* Whether CUPS can have a PPD or a driver program of this name beside ours. */
bool models_is_other(const char *name);

/*
 * Writes the answer of cups-driverd as lines of a driver program for CUPS:
 *
 *   "halftone:NAME" LANGUAGE "MAKE" "MODEL\1" "DEVICE ID" "PRODUCT" "VERSION"
 *
 * Leaves out models whose name cannot be in a line, and our own. False when
 * there is no answer.
 */
bool models_write(FILE *answer, FILE *out);

/* Asks cups-driverd for those of a scheme: "drv", "file" or a driver program's
 * name. To be run in a child. */
child_work_fn models_list;

#endif
