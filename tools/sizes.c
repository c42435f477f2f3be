/*
 * sizes.c - the sizes of a page's drops, on a command line and in its dots.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <math.h>
#include <string.h>

#include "tools/command.h"
#include "tools/drop_areas.h"
#include "tools/sizes.h"

bool sizes_read(char *text, struct drop_sizes *drops)
{
    double area[DROP_AREAS];
    uint16_t before = 0;

    if (!drop_areas(text, area))
        return false;
    for (drops->levels = 1; before < HT_WHOLE_DOT; drops->levels++) {
        double rounded = round(HT_WHOLE_DOT * area[drops->levels - 1]);

        if (rounded <= before)
            return command_complain("--drops", "each has to be larger than "
                                               "the one before");
        before = drops->area[drops->levels - 1] = (uint16_t)rounded;
        if (drops->levels == DROP_AREAS && before < HT_WHOLE_DOT)
            return command_complain("--drops", "the last is not 100");
    }
    return true;
}

bool sizes_can_be_mixed(const struct drop_sizes *drops)
{
    return drops->mixed == 0 || drops->levels <= HT_MIXED_LEVELS ||
           command_complain("--mixed", "more than three sizes are not mixed");
}

void sizes_put(const struct drop_sizes *drops, ht_page_t *page)
{
    page->levels = drops->levels;
    page->mixed = drops->mixed;
    memcpy(page->area, drops->area, sizeof page->area);
}

size_t sizes_row_bytes(const struct drop_sizes *drops, uint32_t width)
{
    const ht_page_t page = {.width = width, .levels = drops->levels};

    return ht_row_bytes(&page);
}

unsigned sizes_at(const struct drop_sizes *drops, const uint8_t *row,
                  uint32_t x)
{
    return ht_size_at(row, drops->levels, x);
}

unsigned sizes_area(const struct drop_sizes *drops, unsigned size)
{
    if (size == 0)
        return 0;
    return drops->levels > 2 ? drops->area[size - 1] : HT_WHOLE_DOT;
}

uint64_t sizes_covered(const struct drop_sizes *drops, const uint8_t *row,
                       uint32_t width)
{
    uint64_t sum = 0;

    for (uint32_t x = 0; x < width; x++)
        sum += sizes_area(drops, sizes_at(drops, row, x));
    return sum;
}
