/*
 * sizes.h - the sizes of a page's drops, on a command line and in its dots.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef TOOLS_SIZES_H
#define TOOLS_SIZES_H

#include "halftone/halftone.h"

/* The drops of a page, as in ht_page_t. */
struct drop_sizes {
    uint32_t levels, mixed; /* 0 levels = 2 */
    uint16_t area[HT_MAX_LEVELS - 1];
};

/* Reads areas as drop_areas() does, for a page: the last one is the whole dot,
 * 100, which may be left out after less than five; 100 alone is whole dots (2
 * levels). False after a complaint about --drops. */
bool sizes_read(char *text, struct drop_sizes *drops);

/* Says whether these can be mixed as they are; complains about --mixed. */
bool sizes_can_be_mixed(const struct drop_sizes *drops);

/* Gives a page these drops. */
void sizes_put(const struct drop_sizes *drops, ht_page_t *page);

/* Returns the bytes of a row of one ink. */
size_t sizes_row_bytes(const struct drop_sizes *drops, uint32_t width);

/* Returns the number of the size at column x of a row of one ink, 0 = none, */
unsigned sizes_at(const struct drop_sizes *drops, const uint8_t *row,
                  uint32_t x);

/* the area of a size, 0..HT_WHOLE_DOT, */
unsigned sizes_area(const struct drop_sizes *drops, unsigned size);

/* and the sum of the areas of a row of one ink. */
uint64_t sizes_covered(const struct drop_sizes *drops, const uint8_t *row,
                       uint32_t width);

#endif
