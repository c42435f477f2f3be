/*
 * sharpen.c - sharper samples for the engines: doc/dev/halftone.md,
 * "Sharpness".
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <assert.h>
#include <stddef.h>

#include "halftone/halftone.h"
#include "halftone/sharpen.h"

static const int16_t strengths[HT_MAX_SHARPNESS + 1] = {0, 4, 7, 10};

void ht_sharpen(const void *above, const void *row, const void *below,
                uint32_t bits, uint32_t width, uint32_t sharpness, void *out)
{
    void (*sharpen)(const void *, const void *, const void *, uint32_t,
                    uint32_t, int16_t, void *) = NULL;

    assert(width > 0 && sharpness <= HT_MAX_SHARPNESS);
#define TAKE(set, text, runs_here)                                             \
    if (runs_here)                                                             \
        sharpen = ht_sharpen_##set;
    HT_SETS(TAKE)
#undef TAKE
    sharpen(above != NULL ? above : row, row, below != NULL ? below : row, bits,
            width, strengths[sharpness], out);
}
