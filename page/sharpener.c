/*
 * sharpener.c - the rows of a page become sharper, ink by ink.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "page/sharpener.h"
#include "halftone/halftone.h"

uint16_t sharpener_take(struct sharpener *s, void *row, uint16_t inked)
{
    const struct row_ring *ring = &s->ring;
    const size_t y = ring->taken;
    const uint16_t now = *row_ring_inked(ring, y);
    const uint8_t *above = y > 0 ? row_ring_at(ring, y - 1) : NULL;
    const uint8_t *middle = row_ring_at(ring, y);
    const uint8_t *below = y + 1 < ring->put ? row_ring_at(ring, y + 1) : NULL;
    uint8_t *to = row;

    assert(y < ring->put);
    for (uint32_t k = 0; k < ring->inks; k++) {
        size_t at = k * ring->plane;

        if ((now >> k & 1) != 0)
            ht_sharpen(above != NULL ? above + at : NULL, middle + at,
                       below != NULL ? below + at : NULL, ring->bits,
                       ring->width, s->sharpness, to + at);
        else if ((inked >> k & 1) != 0)
            memset(to + at, 0, ring->plane);
    }
    row_ring_take(&s->ring, 1);
    return now;
}
