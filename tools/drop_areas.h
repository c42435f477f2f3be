/*
 * drop_areas.h - the areas of several sizes of drops, on a command line.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef TOOLS_DROP_AREAS_H
#define TOOLS_DROP_AREAS_H

#include <stdbool.h>
#include <stdint.h>

#define DROP_AREAS 5u /* sizes, at most */

/* Areas that the user has not given. */
#define DROP_AREAS_UNKNOWN                                                     \
    {                                                                          \
        -1                                                                     \
    }

/* Returns areas that the user has given, or else those that are usual in a
 * raster of so many bits: thirds of a whole dot, of 4 bits fifths. */
const double *drop_areas_or_usual(const double area[DROP_AREAS], uint32_t bits);

/* Reads "AREA,..." of 1 to DROP_AREAS sizes, the smallest first, in percent of
 * the largest; further sizes are set to 1. Changes `text`. False after a
 * complaint about --drops. */
bool drop_areas(char *text, double area[DROP_AREAS]);

#endif
