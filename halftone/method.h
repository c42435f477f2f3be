/*
 * method.h - a row of the table of methods in method.c.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HT_METHOD_H
#define HT_METHOD_H

#include "halftone/halftone.h"

/* Shapes of pixels, by the resolution: at least 1.5 times as fine across the
 * page as down, or down as across. */
/* Pages that may have tables of their own: by the shape of pixels, and those of
 * square pixels with drops of several sizes that are close to each other. */
enum ht_shape {
    HT_SQUARE,
    HT_FINE_ACROSS,
    HT_FINE_DOWN,
    HT_SQUARE_DROPS,
    HT_SHAPES
};

struct ht_own_table {
    const char *name;                      /* of its file, without ".table" */
    ht_status_t (*make)(ht_table_t **out); /* NULL: there is no such table */
};

struct ht_method {
    ht_method_info_t info;
    struct ht_own_table own[HT_SHAPES]; /* without one, that of HT_SQUARE */
    /* Defines a row of a method that does not diffuse, from tones [width] and,
     * if it has `cells`, the row's ranks [HT_SCREEN_SIZE], as dots
     * [ht_row_bytes()]; otherwise NULL: ht_diffuse_row() does. */
    void (*print_row)(const ht_page_t *page, const int16_t *tone,
                      const int16_t *rank, uint8_t *dots);
};

/* Returns the row of a method, which is one of HT_METHODS. */
const struct ht_method *ht_method_of(ht_method_t method);

/* Returns the own table of a page's method for the shape of its pixels. */
const struct ht_own_table *ht_own_table(const ht_page_t *page);

/* Returns ht_method_info() of a page's method, which is one of HT_METHODS. */
const ht_method_info_t *ht_info_of(const ht_page_t *page);

#endif
