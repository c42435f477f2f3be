/*
 * method.h - a row of the table of methods in method.c.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HT_METHOD_H
#define HT_METHOD_H

#include "halftone/halftone.h"

struct ht_method {
    ht_method_info_t info;
    /* Makes the method's own table. NULL: the method has none. */
    ht_status_t (*make_table)(ht_table_t **out);
    /* Defines a row of a method that does not diffuse, from tones [width] and,
     * if it has `cells`, the row's ranks [HT_SCREEN_SIZE], as dots
     * [ht_row_bytes()]; otherwise NULL: ht_diffuse_row() does. */
    void (*print_row)(const ht_page_t *page, const int16_t *tone,
                      const int16_t *rank, uint8_t *dots);
};

/* Returns the row of a method, which is one of HT_METHODS. */
const struct ht_method *ht_method_of(ht_method_t method);

/* Returns ht_method_info() of a page's method, which is one of HT_METHODS. */
const ht_method_info_t *ht_info_of(const ht_page_t *page);

#endif
