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

/* Finds the least samples of an ink that have size i, or a larger one. */
static void find_of_size(const ht_page_t *page, const struct ht_sizes *sizes,
                         uint32_t i, const int16_t *ranks,
                         const uint16_t *sample_of, void *least)
{
    for (size_t k = 0; k < HT_TILE_PIXELS; k++) {
        int32_t tone = ranks != NULL
                           ? ht_screen_tone(sizes, page->cells, i, ranks[k])
                           : ht_threshold_tone(sizes, i);

        if (page->bits == 8)
            ((uint8_t *)least)[k] = (uint8_t)sample_of[tone];
        else
            ((uint16_t *)least)[k] = sample_of[tone];
    }
}

void ht_find_least(const ht_page_t *page, const int16_t *ranks, void *least)
{
    const struct ht_sizes sizes = ht_sizes_of(page);
    const size_t of_ink = HT_TILE_PIXELS * (page->bits / 8);
    uint16_t sample_of[HT_ONE + 1];

    for (uint32_t ink = 0; ink < page->inks; ink++) {
        const int16_t *own =
            ranks != NULL ? ranks + ink * HT_TILE_PIXELS : NULL;

        if (ink == 0 || page->curves != NULL)
            find_samples(page, ink, sample_of);
        for (uint32_t i = 1; i < sizes.levels; i++)
            find_of_size(page, &sizes, i, own, sample_of,
                         (uint8_t *)least +
                             (i - 1) * ht_least_bytes_of_size(page) +
                             ink * of_ink);
    }
}
