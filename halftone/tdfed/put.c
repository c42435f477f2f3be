/*
 * put.c - dots from the tape to the page's rows.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include "halftone/simd/dots.h"
#include "halftone/tdfed/put.h"

/* Returns 64 bits of a lane's dots from a bit on, which is modulo 2^32 and may
 * be up to 63 before the tape. */
static inline uint64_t dots_at(const struct ht_tdfed_tape *tape, unsigned lane,
                               uint32_t first_bit)
{
    uint32_t at = first_bit + 64;
    uint64_t first = tape->dots[at / 64][lane];
    uint64_t second = tape->dots[at / 64 + 1][lane];

    return first << at % 64 | second >> 1 >> (63 - at % 64);
}

static inline void add_eight(uint8_t *bytes, uint64_t dots)
{
    uint8_t more[8];
    uint64_t own, some;

    ht_dots_to_bytes(more, dots);
    memcpy(&some, more, sizeof some);
    memcpy(&own, bytes, sizeof own);
    own |= some;
    memcpy(bytes, &own, sizeof own);
}

/* Adds dots to bytes from..end-1 of a row; bytes that are not the segment's
 * own, own_from..own_to-1, may be another thread's, too. */
static inline void add_dots(uint8_t *bytes, uint32_t from, uint32_t end,
                            const struct ht_tdfed_stretch *stretch,
                            uint64_t dots)
{
    const uint32_t own_from = stretch->own_from, own_to = stretch->own_to;

    if (dots == 0)
        return;
    if (from >= own_from && from + 8 <= own_to) {
        add_eight(bytes + from, dots);
        return;
    }
    if (from >= own_from && end <= own_to && own_to >= own_from + 8) {
        add_eight(bytes + own_to - 8, dots >> 8 * (from + 8 - own_to));
        return;
    }
    for (; from < end; from++, dots <<= 8) {
        uint8_t byte = (uint8_t)(dots >> 56);

        if (from >= own_from && from < own_to)
            bytes[from] |= byte;
        else if (byte != 0)
            __atomic_fetch_or(&bytes[from], byte, __ATOMIC_RELAXED);
    }
}

/* Puts the dots of a part, of `bits` bits each, 3 of 4 on the tape. Positions
 * are counted in bits. */
static inline __attribute__((always_inline)) void
put_part(const struct ht_tdfed_stretch *stretch, const struct part *part,
         uint8_t *bytes, const struct ht_tdfed_tape *tape, unsigned lane,
         const uint32_t bits)
{
    const bool right = stretch->swath->step > 0;
    const uint32_t tape_bits = bits == 3 ? 4 : bits;
    uint32_t at = bits * leftmost(stretch, part);
    uint32_t left = bits * (uint32_t)(part->to - part->from), some;
    uint32_t from =
        tape_bits * (uint32_t)(part->offset + (right ? part->from : part->to));

    if (!right)
        from -= 64;
    for (; left > 0; left -= some, at += some) {
        uint64_t dots = dots_at(tape, lane, from);

        if (!right)
            dots = bits == 1   ? ht_mirrored(dots)
                   : bits == 2 ? ht_mirrored_pairs(dots)
                               : ht_mirrored_fours(dots);
        if (bits == 3)
            dots = ht_threes_of_fours(dots);
        some = bits == 3 ? 48 : 64 - at % 8;
        some = some < left ? some : left;
        if (some == 64) { /* which no other has dots of */
            ht_dots_to_bytes(bytes + at / 8, dots);
        } else {
            dots = (dots & ~(uint64_t)0 << (64 - some)) >> at % 8;
            add_dots(bytes, at / 8, (at + some + 7) / 8, stretch, dots);
        }
        from += some / bits * (right ? tape_bits : -tape_bits);
    }
}

static void put_stretch(const struct ht_tdfed_page *page,
                        const struct ht_tdfed_stretch *stretch,
                        const struct part *part, uint8_t *bytes,
                        const struct ht_tdfed_tape *tape, unsigned lane)
{
    if (page->dot_bits == 1)
        put_part(stretch, part, bytes, tape, lane, 1);
    else if (page->dot_bits == 3)
        put_part(stretch, part, bytes, tape, lane, 3);
    else
        put_part(stretch, part, bytes, tape, lane, 2);
}

void ht_tdfed_put_dots(const struct ht_tdfed_chunk *chunk,
                       const struct ht_tdfed_strip *strip, uint32_t row,
                       const struct ht_tdfed_tape *tape, unsigned lane)
{
    const struct ht_tdfed_page *page = chunk->page;

    for (unsigned i = 0; i < strip->count; i++) {
        const struct ht_tdfed_stretch *stretch = &strip->stretch[i];
        struct part part = part_of(chunk, strip, stretch, row, chunk->steps);
        uint8_t *dots = stretch->swath->dots[row];

        if (part.from < part.to && dots != NULL)
            put_stretch(page, stretch, &part, dots + strip->ink * page->plane,
                        tape, lane);
    }
}
