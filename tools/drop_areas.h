/*
 * drop_areas.h - the areas of several sizes of drops, on a command line.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef TOOLS_DROP_AREAS_H
#define TOOLS_DROP_AREAS_H

#include <stdbool.h>

#define DROP_AREAS 3u /* sizes, at most */

/* Areas of drops, of a whole dot, unless the user gives others. */
#define DROP_AREAS_USUAL                                                       \
    {                                                                          \
        1.0 / 3, 2.0 / 3, 1                                                    \
    }

/* Reads "AREA,..." of 1 to DROP_AREAS sizes, the smallest first, in percent of
 * the largest; further sizes are set to 1. Changes `text`. False after a
 * complaint about --drops. */
bool drop_areas(char *text, double area[DROP_AREAS]);

#endif
