/*
 * lines.c - parts of the state's lines to a tape and back, in scan order.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <string.h>

#include "halftone/simd/dots.h"
#include "halftone/tdfed/lines.h"
#include "halftone/tdfed/part.h"

void ht_tdfed_copy_mirrored(int16_t *to, const int16_t *from, uint32_t count)
{
    ht_words eight;

    for (; count >= 8; count -= 8, from += 8) {
        memcpy(&eight, from, sizeof eight);
        eight = ht_reversed(eight);
        memcpy(to + count - 8, &eight, sizeof eight);
    }
    for (; count > 0; count--)
        to[count - 1] = *from++;
}

void ht_tdfed_lay_lines(const struct ht_tdfed_section *section, unsigned s,
                        const struct ht_tdfed_lines *lines, int16_t *to)
{
    const struct ht_tdfed_strip *strip = &section->strips[s];
    uint32_t at = 0;

    for (unsigned i = 0; i < strip->count; i++) {
        const struct ht_tdfed_piece *piece = &strip->piece[i];
        struct part part = part_of(section, piece, piece->lag);

        if (part.from == part.to || lines->of[i] == NULL)
            continue;
        const int16_t *from = lines->of[i] + leftmost(piece->segment, &part);
        uint32_t begin = (uint32_t)(part.from + part.offset);
        uint32_t count = (uint32_t)(part.to - part.from);

        memset(to + at, 0, (begin - at) * sizeof *to);
        if (piece->segment->swath->step > 0)
            memcpy(to + begin, from, count * sizeof *to);
        else
            ht_tdfed_copy_mirrored(to + begin, from, count);
        at = begin + count;
    }
    memset(to + at, 0, (section->steps - at) * sizeof *to);
}

void ht_tdfed_put_lines(const struct ht_tdfed_section *section, unsigned s,
                        const struct ht_tdfed_lines *lines, const int16_t *from)
{
    const struct ht_tdfed_strip *strip = &section->strips[s];

    for (unsigned i = 0; i < strip->count; i++) {
        const struct ht_tdfed_piece *piece = &strip->piece[i];
        struct part part =
            part_of(section, piece, piece->lag + HT_TDFED_LAG * section->rows);

        if (part.from == part.to || lines->of[i] == NULL)
            continue;
        int16_t *to = lines->of[i] + leftmost(piece->segment, &part);
        const int16_t *error = from + part.from + part.offset;
        uint32_t count = (uint32_t)(part.to - part.from);

        if (piece->segment->swath->step > 0)
            memcpy(to, error, count * sizeof *to);
        else
            ht_tdfed_copy_mirrored(to, error, count);
    }
}

void ht_tdfed_errors_of(const struct ht_tdfed_section *section, unsigned s,
                        uint32_t turn, struct ht_tdfed_lines *lines)
{
    const struct ht_tdfed_page *page = section->page;
    const struct ht_tdfed_strip *strip = &section->strips[s];

    for (unsigned i = 0; i < strip->count; i++) {
        uint32_t ink = ink_of(page, strip->piece[i].segment, turn);

        lines->of[i] = has_ink(strip->piece[i].segment, ink)
                           ? page->error + (size_t)ink * page->width
                           : NULL;
    }
}

void ht_tdfed_overlaps_of(const struct ht_tdfed_section *section, unsigned s,
                          uint32_t turn, uint32_t other,
                          struct ht_tdfed_lines *lines)
{
    const struct ht_tdfed_page *page = section->page;
    const struct ht_tdfed_strip *strip = &section->strips[s];

    for (unsigned i = 0; i < strip->count; i++) {
        const struct ht_tdfed_segment *segment = strip->piece[i].segment;
        uint8_t pair = page->pair[ink_of(page, segment, turn)]
                                 [ink_of(page, segment, other)];

        lines->of[i] = page->overlap + (size_t)pair * page->width;
    }
}

void ht_tdfed_light_of(const struct ht_tdfed_section *section, unsigned s,
                       struct ht_tdfed_lines *lines)
{
    for (unsigned i = 0; i < section->strips[s].count; i++)
        lines->of[i] = section->page->light;
}
