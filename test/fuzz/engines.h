/*
 * engines.h - a page through all engines, described by a few bytes.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef FUZZ_ENGINES_H
#define FUZZ_ENGINES_H

#include <stdint.h>

#include "halftone/halftone.h"

#define ENGINES_BYTES 26
#define ENGINES_WIDTH 2  /* where the width is, in 2 bytes, low one first */
#define ENGINES_SIZES 20 /* where drop sizes are, to the end */

/* The sizes of a page's drops, in the terms of ht_page_t. */
struct engines_sizes {
    uint32_t levels, mixed;
    uint16_t area[HT_MAX_LEVELS - 1];
};

/*
 * Halftones the page that `of` [ENGINES_BYTES] describes through the reference
 * in one piece, and through another engine, or all, in bands and with other
 * threads, handed over to the reference or from it. With a table it is all.
 * Fails unless all dots are the same and no engine writes elsewhere. `table`
 * NULL: the methods' own; `sizes` NULL: those that `of` describes.
 */
void engines_check(const uint8_t *of, const ht_table_t *table,
                   const struct engines_sizes *sizes);

#endif
