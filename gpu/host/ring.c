/*
 * ring.c - the sizes of a page's ring.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include "gpu/host/ring.h"

size_t ht_ring_whole_swaths(size_t rows)
{
    return (rows + HT_RING_SWATH - 1) / HT_RING_SWATH * HT_RING_SWATH;
}

/* Nothing overflows: a page's limits keep the sums far inside size_t, the
 * largest being 2 * 65536 rows of 15 x 262144 samples of 2 bytes, 2^40
 * bytes. */
struct ht_ring_sizes ht_ring_least(const ht_page_t *page)
{
    const size_t samples = (size_t)page->inks * page->width;

    return (struct ht_ring_sizes){
        .rows = ht_ring_whole_swaths(2 * (size_t)page->band + HT_RING_SWATH +
                                     ht_info_of(page)->diffuses),
        .sample_row = samples * (page->bits / 8),
        .dot_row = page->inks * ht_row_bytes(page),
        .state = (size_t)ht_state_lines(page) * page->width * sizeof(int16_t)};
}
