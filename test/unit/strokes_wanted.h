/*
 * strokes_wanted.h - what a page becomes as page/black/strokes.h says, found by
 * looking at all its pixels again and again.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef TEST_STROKES_WANTED_H
#define TEST_STROKES_WANTED_H

#include "page/black/two_level.h"
#include "test/unit/toned_sheet.h"

/* Returns for each pixel, [height][width], the inks that it is printed with,
 * solid, a bit each, or -1 where it stays; to be freed. */
int *strokes_wanted(const struct toned_sheet *sheet,
                    const struct two_level *dots);

#endif
