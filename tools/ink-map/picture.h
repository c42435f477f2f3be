/*
 * picture.h - a picture of the loads of a page's windows, with a scale
 * beside it and the worst windows framed.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef INK_MAP_PICTURE_H
#define INK_MAP_PICTURE_H

#include <stdbool.h>
#include <stdint.h>

#include "tools/ink-map/map.h"

#define INK_PICTURE_MARKS 3u

struct ink_picture {
    struct ink_map_axis across, down;
    uint32_t dpi[2];        /* of the page */
    uint32_t inks;          /* the scale ends at so many solid inks */
    uint32_t block;         /* places, across and down, that share a pixel */
    uint32_t width, height; /* pixels of the map */
    uint32_t *loads; /* [height][width]: the most of a pixel's places, 1/10000
                        of a solid ink */
};

/* A window that is framed. */
struct ink_mark {
    double load;
    uint32_t x, y; /* its first pixel on the page */
};

/* Begins a picture of at most some MiB however large the page is. False when
 * there is not enough memory. Close it in any case. */
bool ink_picture_open(struct ink_picture *picture,
                      const struct ink_map_axis *across,
                      const struct ink_map_axis *down, uint32_t inks,
                      const uint32_t dpi[2]);

/* Adds a row of places whose windows have so many dots [across.places]. */
void ink_picture_add(struct ink_picture *picture, uint32_t row,
                     const uint64_t *dots);

/* Finds the worst windows that do not overlap, the worst first; returns how
 * many there are with any ink. */
unsigned ink_picture_marks(const struct ink_picture *picture,
                           struct ink_mark marks[INK_PICTURE_MARKS]);

/* Writes a PNG, which must not be the file `in`. A line in the scale is at
 * `limit`, a load; 0 = none. False after a complaint. */
bool ink_picture_write(const struct ink_picture *picture, const char *path,
                       const char *in, const struct ink_mark *marks,
                       unsigned count, double limit);

void ink_picture_close(struct ink_picture *picture);

#endif
