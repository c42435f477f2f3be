/*
 * least.h - the methods Threshold and Screen in terms of samples: tones rise
 * with samples, so a pixel has a dot where its sample is not below the least
 * one that has a dot there; of several sizes it has as many sizes up as it
 * reaches least samples.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HT_LEAST_H
#define HT_LEAST_H

#include <stddef.h>

#include "halftone/definition.h"
#include "halftone/sizes.h"

#define HT_TILE_PIXELS (HT_SCREEN_SIZE * HT_SCREEN_SIZE)

/* Returns the bytes of a page's least samples for a size of drops, .. */
static inline size_t ht_least_bytes_of_size(const ht_page_t *page)
{
    return (size_t)page->inks * HT_TILE_PIXELS * (page->bits / 8);
}

/* .. and for all its sizes. */
static inline size_t ht_least_bytes(const ht_page_t *page)
{
    return (ht_sizes_of(page).levels - 1) * ht_least_bytes_of_size(page);
}

/* Finds the least samples of a page of Threshold or Screen, of the page's bits
 * and 1 or more: least [sizes][inks][HT_SCREEN_SIZE][HT_SCREEN_SIZE], for each
 * size the tile that the page repeats. Least samples of a size are not below
 * those of a smaller one. `ranks`: from ht_ranks_new(); NULL for Threshold. */
void ht_find_least(const ht_page_t *page, const int16_t *ranks, void *least);

#endif
