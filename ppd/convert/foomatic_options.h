/*
 * foomatic_options.h - our options in a PPD for foomatic-rip.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef PPD_CONVERT_FOOMATIC_OPTIONS_H
#define PPD_CONVERT_FOOMATIC_OPTIONS_H

#include <stdbool.h>

#include "ppd/convert/text.h"

/* Adds HalftoneContent, -Curve, -Gamma and -Density, whose settings go where
 * the command line has this letter behind a "%": as options of a job for the
 * filter, or of the halftone command. `mode` is the choice of HalftoneMode. */
void foomatic_add_options(struct ppd_text *text, bool filter, char letter,
                          const char *mode);

#endif
