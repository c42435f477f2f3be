/*
 * put.c - dots from the tape to the page's rows.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include "halftone/simd/dots.h"
#include "halftone/tdfed/part.h"
#include "halftone/tdfed/put.h"

/* Returns 64 dots of a lane from a step on, which is modulo 2^32 and may be up
 * to 63 before the tape. */
static inline uint64_t dots_at(const struct ht_tdfed_tape *tape, unsigned lane,
                               uint32_t step)
{
    uint32_t at = step + 64;
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

/* Puts whole eight bytes of a stretch, which no other has dots of. */
static inline void put_eight(uint8_t *bytes, uint64_t dots, bool right)
{
    ht_dots_to_bytes(bytes, right ? dots : ht_mirrored(dots));
}

static void put_stretch(const struct ht_tdfed_stretch *stretch,
                        const struct part *part, uint8_t *bytes,
                        const struct ht_tdfed_tape *tape, unsigned lane)
{
    const bool right = stretch->swath->step > 0;
    uint32_t x = leftmost(stretch, part);
    uint32_t left = (uint32_t)(part->to - part->from), some;
    uint32_t step =
        (uint32_t)(part->offset + (right ? part->from : part->to - 64));

    for (; left > 0; left -= some, x += some) {
        uint64_t dots = dots_at(tape, lane, step);

        some = 64 - x % 8 < left ? 64 - x % 8 : left;
        if (some == 64) {
            put_eight(bytes + x / 8, dots, right);
        } else {
            if (!right)
                dots = ht_mirrored(dots);
            dots = (dots & ~(uint64_t)0 << (64 - some)) >> x % 8;
            add_dots(bytes, x / 8, (x + some + 7) / 8, stretch, dots);
        }
        step += right ? some : -some;
    }
}

void ht_tdfed_put_dots(const struct ht_tdfed_section *section,
                       const struct ht_tdfed_strip *strip, uint32_t row,
                       const struct ht_tdfed_tape *tape, unsigned lane)
{
    const size_t plane = ((size_t)section->page->width + 7) / 8;

    for (unsigned i = 0; i < strip->count; i++) {
        const struct ht_tdfed_stretch *stretch = &strip->stretch[i];
        struct part part =
            part_of(section, strip, stretch, row, section->steps);
        uint8_t *dots = stretch->swath->dots[row];

        if (part.from < part.to && dots != NULL)
            put_stretch(stretch, &part, dots + strip->ink * plane, tape, lane);
    }
}
