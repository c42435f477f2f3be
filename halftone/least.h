/*
 * least.h - the methods Threshold and Screen in terms of samples: tones rise
 * with samples, so a pixel has a dot where its sample is not below the least
 * one that has a dot there.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HT_LEAST_H
#define HT_LEAST_H

#include <stddef.h>

#include "halftone/definition.h"

#define HT_TILE_PIXELS (HT_SCREEN_SIZE * HT_SCREEN_SIZE)

/* Returns the bytes of a page's least samples. */
static inline size_t ht_least_bytes(const ht_page_t *page)
{
    return (size_t)page->inks * HT_TILE_PIXELS * (page->bits / 8);
}

/* Finds the least samples of a page of Threshold or Screen, of the page's size
 * and 1 or more: least [inks][HT_SCREEN_SIZE][HT_SCREEN_SIZE], the tile that
 * the page repeats. `ranks`: from ht_ranks_new(); NULL for Threshold. */
void ht_find_least(const ht_page_t *page, const int16_t *ranks, void *least);

#endif
