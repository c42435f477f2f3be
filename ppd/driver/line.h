/*
 * line.h - a line of what a driver program of CUPS lists: a PPD.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DRIVER_LINE_H
#define DRIVER_LINE_H

#include <stdbool.h>
#include <stdio.h>

#include "ppd/driver/models.h"

/* Writes the line of a model whose dots are ours, with the suffix behind its
 * name. A model whose name cannot be in a line has none. */
void line_write(FILE *out, const struct driver_model *model,
                const char *suffix);

/* Whether the bytes, without the end of the line, are such a line. */
bool line_is_valid(const char *line, size_t size);

#endif
