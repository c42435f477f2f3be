/*
 * drops.c - sizes of drops: what is accepted is what engines and packers take.
 *
 *   input   the text of a file, which also chooses the page that is printed
 *   holds   areas rise to a whole dot, all engines print a page of them alike,
 *           and a header says their codes
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <stdint.h>
#include <string.h>

#include "page/drops.h"
#include "test/fuzz/engines.h"
#include "test/fuzz/run.h"
#include "test/unit/pages.h"

static void check_header(const struct drops *drops)
{
    cups_page_header2_t header = {.cupsBitsPerColor =
                                      drops->levels > HT_MIXED_LEVELS ? 4 : 2};
    struct drop_codes codes;

    drops_set(&header, &drops->codes);
    if (!drops_get(&header, &codes) || codes.command != drops->codes.command ||
        codes.codes != drops->codes.codes)
        run_fail("a header does not have codes %u of set %u",
                 drops->codes.codes, drops->codes.command);
}

/* Prints a page in these sizes. */
static void check_drops(const struct drops *drops, uint64_t seed)
{
    uint8_t page[ENGINES_BYTES];
    struct engines_sizes sizes = {.levels = drops->levels,
                                  .mixed = drops->mixed};

    for (size_t i = 0; i < sizeof page; i++)
        page[i] = (uint8_t)next_random(&seed);
    page[ENGINES_WIDTH + 1] %= 128; /* small pages */
    memcpy(sizes.area, drops->area, sizeof sizes.area);
    engines_check(page, NULL, &sizes);
    check_header(drops);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct printer_drops printer = {0};
    unsigned line = 0;
    uint64_t seed = size;

    if (!drops_parse(&printer, (const char *)data, size, "a", &line)) {
        if (line < 1 || line > size + 2)
            run_fail("line %u is at fault", line);
        drops_free(&printer);
        return 0;
    }
    for (size_t i = 0; i < size; i++)
        seed = seed * 31 + data[i];
    for (unsigned i = 0; i < printer.count; i++)
        check_drops(&printer.at[i], seed + i);
    drops_free(&printer);
    return 0;
}
