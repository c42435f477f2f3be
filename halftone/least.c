/*
 * least.c - the least samples that have a dot; see least.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include "halftone/least.h"

static int tone_of(const ht_page_t *page, uint32_t ink, uint32_t sample)
{
    if (page->curves != NULL)
        return ht_tone_of(page->curves[ink][sample], UINT16_MAX);
    return ht_tone_of(sample, page->bits == 8 ? UINT8_MAX : UINT16_MAX);
}

/* Finds the least sample of each tone 0..HT_ONE or above. Solid ink has the
 * highest. */
static void find_samples(const ht_page_t *page, uint32_t ink,
                         uint16_t sample_of[HT_ONE + 1])
{
    uint32_t sample = 0;

    for (int tone = 0; tone <= HT_ONE; tone++) {
        while (tone_of(page, ink, sample) < tone)
            sample++;
        sample_of[tone] = (uint16_t)sample;
    }
}

void ht_find_least(const ht_page_t *page, const int16_t *ranks, void *least)
{
    uint16_t sample_of[HT_ONE + 1];

    for (size_t i = 0; i < (size_t)page->inks * HT_TILE_PIXELS; i++) {
        uint32_t ink = (uint32_t)(i / HT_TILE_PIXELS);

        if (i == 0 || (i % HT_TILE_PIXELS == 0 && page->curves != NULL))
            find_samples(page, ink, sample_of);
        uint16_t sample = sample_of[ranks != NULL ? ranks[i] + 1 : HT_ONE / 2];
        if (page->bits == 8)
            ((uint8_t *)least)[i] = (uint8_t)sample;
        else
            ((uint16_t *)least)[i] = sample;
    }
}
