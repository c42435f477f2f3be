/*
 * small.c - keeps a run's pages small; see raster.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <stdio.h>

#include "test/fuzz/raster.h"

static uint64_t samples, most_samples;

void raster_begin(uint64_t most)
{
    samples = 0;
    most_samples = most;
}

/* The linker puts it in the place of layout_read(). */
bool __real_layout_read(struct layout *layout,
                        const cups_page_header2_t *header,
                        const struct leaving *leaving, char why[LAYOUT_WHY]);
bool __wrap_layout_read(struct layout *layout,
                        const cups_page_header2_t *header,
                        const struct leaving *leaving, char why[LAYOUT_WHY]);

bool __wrap_layout_read(struct layout *layout,
                        const cups_page_header2_t *header,
                        const struct leaving *leaving, char why[LAYOUT_WHY])
{
    if (!__real_layout_read(layout, header, leaving, why))
        return false;
    samples += (uint64_t)layout->width * layout->height * layout->inks;
    if (samples <= most_samples)
        return true;
    snprintf(why, LAYOUT_WHY, "Too large to be fuzzed");
    return false;
}
