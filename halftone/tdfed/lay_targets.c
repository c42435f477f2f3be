/*
 * lay_targets.c - lays the targets of shares that keep to toned pixels.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include "halftone/tdfed/lay_targets.h"

/* Returns ht_tdfed_tape.noise of a pixel in column x of a row, which is toned
 * or has a toned one below. */
static int16_t noise_at(const struct ht_tdfed_page *page,
                        const struct ht_tdfed_swath *swath, uint32_t ink,
                        uint32_t row, uint32_t x, bool toned)
{
    int32_t noise = ht_noise(ht_noise_line(swath->row + row, ink), x);

    if (toned)
        return (int16_t)((noise - INT16_MIN) >> 2);

    const uint8_t *below = ht_tdfed_samples(page, swath, row + 1, ink);
    return (int16_t)ht_weighted(
        noise, page->lookup[ink].noise[ht_tdfed_level_at(page, below, x)]);
}

/* Lays the noise of the pixels of a lane that need it. */
static void lay_noise(const struct ht_tdfed_chunk *chunk,
                      const struct ht_tdfed_strip *strip, uint32_t row,
                      unsigned lane, const uint64_t *noisy,
                      struct ht_tdfed_tape *tape, const uint8_t *toned)
{
    const struct ht_tdfed_stretch *stretch = strip->stretch;
    struct part part = part_of(chunk, strip, stretch, row, chunk->steps);

    for (uint32_t first = 0; first < chunk->steps; first += 64)
        for (uint64_t left = noisy[first / 64]; left != 0; left &= left - 1) {
            uint32_t step = first + (uint32_t)__builtin_ctzll(left);

            if (step >= chunk->steps)
                return;
            while ((int32_t)step >= part.to + part.offset)
                part = part_of(chunk, strip, ++stretch, row, chunk->steps);
            uint32_t column = (uint32_t)((int32_t)step - part.offset);
            uint32_t x = stretch->swath->step > 0 ? stretch->begin + column
                                                  : stretch->end - 1 - column;
            tape->noise[step][lane] =
                noise_at(chunk->page, stretch->swath, strip->ink, row, x,
                         toned[step] != 0);
        }
}

void ht_tdfed_lay_targets(const struct ht_tdfed_chunk *chunk,
                          const struct ht_tdfed_strip *strip, uint32_t row,
                          unsigned lane, struct ht_tdfed_tape *tape,
                          const struct ht_tdfed_space *space)
{
    const uint8_t *toned = space->toned[row];
    uint64_t noisy[HT_TDFED_STEPS / 64 + 1];

    chunk->page->kernel->find_targets(tape->targets[lane], toned,
                                      space->toned[row + 1] + chunk->lag,
                                      chunk->steps, noisy);
    lay_noise(chunk, strip, row, lane, noisy, tape, toned);
}
