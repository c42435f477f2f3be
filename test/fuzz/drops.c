/*
 * drops.c - sizes of drops: what is accepted is what engines and packers take.
 *
 *   input   the text of a file
 *   holds   areas rise to a whole dot, a page may have them, and a header says
 *           their codes
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <stdint.h>
#include <string.h>

#include "page/drops.h"
#include "test/fuzz/run.h"

static void check_header(const struct drops *drops)
{
    cups_page_header2_t header = {.MediaClass = ""};
    struct drop_codes codes;

    drops_set(&header, &drops->codes);
    if (!drops_get(&header, &codes) || codes.command != drops->codes.command ||
        codes.codes != drops->codes.codes)
        run_fail("a header does not have codes %u of set %u",
                 drops->codes.codes, drops->codes.command);
}

static void check_drops(const struct drops *drops)
{
    ht_engine_t *engine = NULL;
    ht_page_t page;

    ht_page_init(&page);
    page.width = 8;
    page.levels = drops->levels;
    page.mixed = drops->mixed;
    memcpy(page.area, drops->area, sizeof page.area);
    if (ht_engine_open(&engine, "reference", &page) != HT_OK)
        run_fail("no page may have %u levels, the first of %u", drops->levels,
                 drops->area[0]);
    ht_engine_close(engine);
    check_header(drops);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct printer_drops printer;
    unsigned line = 0;

    if (!drops_parse(&printer, (const char *)data, size, "a", &line)) {
        if (line < 1 || line > size + 2)
            run_fail("line %u is at fault", line);
        return 0;
    }
    for (unsigned i = 0; i < printer.count; i++)
        check_drops(&printer.at[i]);
    return 0;
}
