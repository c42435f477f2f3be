/*
 * row_ring.c - a ring buffer of a page's rows of ink; see row_ring.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "page/row_ring.h"

bool row_ring_open(struct row_ring *ring, uint32_t inks, uint32_t width,
                   uint32_t bits, size_t rows)
{
    *ring = (struct row_ring){.inks = inks,
                              .width = width,
                              .bits = bits,
                              .plane = (size_t)width * (bits / 8),
                              .rows = rows};
    ring->data = malloc(rows * inks * ring->plane + ROW_RING_SPARE);
    ring->inked = malloc(rows * sizeof *ring->inked);
    ring->place = malloc(rows * sizeof *ring->place);
    if (ring->data == NULL || ring->inked == NULL || ring->place == NULL)
        return false;
    for (size_t i = 0; i < rows; i++) {
        ring->inked[i] = UINT16_MAX;
        ring->place[i] = (uint32_t)i;
    }
    return true;
}

void row_ring_close(struct row_ring *ring)
{
    free(ring->data);
    free(ring->inked);
    free(ring->place);
}

void row_ring_put(struct row_ring *ring, const void *row, uint16_t inked)
{
    uint16_t *had = row_ring_inked(ring, ring->put);
    uint8_t *to = row_ring_at(ring, ring->put);
    const uint8_t *from = row;

    for (uint32_t k = 0; k < ring->inks; k++) {
        const size_t at = k * ring->plane;

        if ((inked >> k & 1) != 0)
            memcpy(to + at, from + at, ring->plane);
        else if ((*had >> k & 1) != 0)
            memset(to + at, 0, ring->plane);
    }
    *had = inked;
    ring->put++;
}

void row_ring_take(struct row_ring *ring, size_t above)
{
    if (ring->taken >= above) {
        uint32_t *old = &ring->place[(ring->taken - above) % ring->rows];
        uint32_t *next = &ring->place[ring->put % ring->rows];
        const uint32_t place = *old;

        *old = *next;
        *next = place;
    }
    ring->taken++;
}
