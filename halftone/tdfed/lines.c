/*
 * lines.c - parts of the state's lines to a tape and back, in scan order.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <string.h>

#include "halftone/tdfed/lines.h"

void ht_tdfed_inherit(const struct ht_tdfed_chunk *chunk,
                      const struct ht_tdfed_strip *strip, const int16_t *line,
                      int16_t *to)
{
    uint32_t at = 0;

    for (unsigned i = 0; i < strip->count && line != NULL; i++) {
        const struct ht_tdfed_stretch *stretch = &strip->stretch[i];
        struct part part = part_of(chunk, strip, stretch, 0, chunk->steps);

        if (part.from == part.to)
            continue;
        const int16_t *from = line + leftmost(stretch, &part);
        uint32_t begin = (uint32_t)(part.from + part.offset);
        uint32_t count = (uint32_t)(part.to - part.from);

        memset(to + at, 0, (begin - at) * sizeof *to);
        chunk->page->kernel->copy(to + begin, from, count,
                                  stretch->swath->step < 0);
        at = begin + count;
    }
    memset(to + at, 0, (chunk->steps - at) * sizeof *to);
}

void ht_tdfed_leave(const struct ht_tdfed_chunk *chunk,
                    const struct ht_tdfed_strip *strip, int16_t *line,
                    const int16_t *from)
{
    for (unsigned i = 0; i < strip->count && line != NULL; i++) {
        const struct ht_tdfed_stretch *stretch = &strip->stretch[i];
        struct part part =
            part_of(chunk, strip, stretch, chunk->rows, chunk->steps);

        if (part.from == part.to)
            continue;
        int16_t *to = line + leftmost(stretch, &part);
        const int16_t *left = from + part.from + part.offset;
        uint32_t count = (uint32_t)(part.to - part.from);

        chunk->page->kernel->copy(to, left, count, stretch->swath->step < 0);
    }
}
