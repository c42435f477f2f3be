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

/* A pixel is printed with these inks, solid, a bit each; where they are -1, as
 * the pixel (x, y) of the page is, mostly itself. */
struct strokes_pixel {
    int inks;
    uint32_t x, y;
};

/* Returns all pixels, [height][width], to be freed. */
struct strokes_pixel *strokes_wanted(const struct toned_sheet *sheet,
                                     const struct two_level *dots);

#endif
