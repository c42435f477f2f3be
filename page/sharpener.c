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

static size_t plane_bytes(const struct sharpener *s)
{
    return (size_t)s->width * (s->bits / 8);
}

static uint8_t *row_at(const struct sharpener *s, size_t row)
{
    return s->data + row % SHARPENER_ROWS * s->inks * plane_bytes(s);
}

bool sharpener_open(struct sharpener *s, uint32_t inks, uint32_t width,
                    uint32_t bits, uint32_t sharpness)
{
    *s = (struct sharpener){
        .inks = inks, .width = width, .bits = bits, .sharpness = sharpness};
    s->data = malloc(SHARPENER_ROWS * inks * plane_bytes(s));
    for (size_t i = 0; i < SHARPENER_ROWS; i++)
        s->inked[i] = UINT16_MAX;
    return s->data != NULL;
}

void sharpener_close(struct sharpener *s)
{
    free(s->data);
}

uint8_t *sharpener_space(struct sharpener *s, uint16_t **inked)
{
    *inked = &s->inked[s->put % SHARPENER_ROWS];
    return row_at(s, s->put);
}

void sharpener_put(struct sharpener *s)
{
    s->put++;
    assert(s->put - s->taken < SHARPENER_ROWS);
}

uint16_t sharpener_take(struct sharpener *s, void *row, uint16_t inked)
{
    size_t y = s->taken, plane = plane_bytes(s);
    uint16_t now = s->inked[y % SHARPENER_ROWS];
    const uint8_t *above = y > 0 ? row_at(s, y - 1) : NULL;
    const uint8_t *middle = row_at(s, y);
    const uint8_t *below = y + 1 < s->put ? row_at(s, y + 1) : NULL;
    uint8_t *to = row;

    assert(s->taken < s->put);
    for (uint32_t k = 0; k < s->inks; k++) {
        size_t at = k * plane;

        if ((now >> k & 1) != 0)
            ht_sharpen(above != NULL ? above + at : NULL, middle + at,
                       below != NULL ? below + at : NULL, s->bits, s->width,
                       s->sharpness, to + at);
        else if ((inked >> k & 1) != 0)
            memset(to + at, 0, plane);
    }
    s->taken++;
    return now;
}
