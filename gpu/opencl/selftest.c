/*
 * selftest.c - a few rows that the device prints before it prints a page: a
 * compiler that makes other dots of the kernels shows there.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "gpu/host/fault.h"
#include "halftone/definition.h"
#include "halftone/method.h"
#include "gpu/opencl/selftest.h"

#define WIDTH 150 /* columns: a few bricks, and a few segments */
#define ROWS 70   /* more than a brick's */
#define SEGMENT 40

/* Fills samples: noise, and stretches of white and solid. */
static void fill(const ht_page_t *page, void *samples)
{
    const size_t count = (size_t)ROWS * page->inks * WIDTH;
    uint8_t *narrow = samples;
    uint16_t *wide = samples;

    for (size_t i = 0; i < count; i++) {
        uint32_t noise = ht_hash((uint32_t)i),
                 stretch = ht_hash(~(uint32_t)i / 13);
        uint32_t sample = stretch % 5 == 0   ? 0
                          : stretch % 5 == 1 ? 65535
                                             : noise & 0xffff;

        if (page->bits == 16)
            wide[i] = (uint16_t)sample;
        else
            narrow[i] = (uint8_t)(sample >> 8);
    }
}

/* Gives a page whose drops have several sizes as many as there may be, which
 * half of the pixels mix: other pages' programs are the same. */
static void give_sizes(ht_page_t *page)
{
    page->levels = HT_MIXED_LEVELS;
    for (uint32_t i = 1; i < HT_MIXED_LEVELS; i++)
        page->area[i - 1] = (uint16_t)(HT_ONE * i / (HT_MIXED_LEVELS - 1));
    page->mixed = HT_MAX_MIXED / 2;
}

/* Prints the rows with the reference. */
static bool print(const ht_page_t *page, const void *samples, uint8_t *dots)
{
    ht_engine_t *engine = NULL;
    bool ok = ht_engine_open(&engine, "reference", page) == HT_OK &&
              ht_engine_submit(engine, samples, NULL, ROWS) == HT_OK &&
              ht_engine_end(engine) == HT_OK &&
              ht_engine_collect(engine, dots, ROWS) == HT_OK;

    ht_engine_close(engine);
    return ok;
}

/* Prints them with the device, as part of an engine's opening: the library does
 * not open this engine inside the module. */
static bool print_here(const ht_engine_t *engine,
                       const struct ht_engine_ops *ops, const ht_page_t *page,
                       const void *samples, uint8_t *dots)
{
    ht_engine_t own = {.ops = ops, .page = *page, .ranks = engine->ranks};

    own.page.table = engine->page.table;
    bool ok = ops->open(&own) == HT_OK &&
              ht_engine_submit(&own, samples, NULL, ROWS) == HT_OK &&
              ht_engine_end(&own) == HT_OK &&
              ht_engine_collect(&own, dots, ROWS) == HT_OK &&
              own.trouble[0] == '\0';

    ops->close(&own);
    return ok;
}

bool ht_cl_passes(const ht_engine_t *engine,
                  const struct ht_engine_ops *untested)
{
    ht_page_t page = engine->page;
    size_t row = (size_t)page.inks * WIDTH * (page.bits / 8);
    void *samples = malloc(row * ROWS);

    if (!ht_info_of(&page)->table)
        page.table = NULL;
    page.width = WIDTH;
    if (page.levels > 2)
        give_sizes(&page);
    size_t dots = page.inks * ht_row_bytes(&page) * ROWS;
    uint8_t *got = malloc(dots), *wanted = malloc(dots);
    bool ok = samples != NULL && got != NULL && wanted != NULL;

    page.band = ROWS;
    page.height = 0;
    page.lent = 0;
    if (page.segment != 0)
        page.segment = SEGMENT;
    if (ok)
        fill(&page, samples);
    ok = ok && print_here(engine, untested, &page, samples, got);
    if (ok && ht_fault("dots"))
        got[0] ^= 0x80;
    ok = ok && print(&page, samples, wanted) && memcmp(got, wanted, dots) == 0;
    free(samples);
    free(got);
    free(wanted);
    return ok;
}
