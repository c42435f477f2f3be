/*
 * method.c - the table of methods.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <assert.h>

#include "halftone/definition.h"
#include "halftone/method.h"
#include "halftone/sizes.h"

static const struct ht_method methods[HT_METHODS] = {
    [HT_TDFED4] = {{.name = "tdfed4",
                    .choice = "TDFED4",
                    .swath = 4,
                    .segments = true,
                    .table = true,
                    .diffuses = true,
                    .tones = true},
                   {[HT_SQUARE] = {"tdfed-4row", ht_table_tdfed4},
                    [HT_FINE_ACROSS] = {"tdfed-4row-2x1", ht_table_tdfed4_2x1},
                    [HT_FINE_DOWN] = {"tdfed-4row-1x2", ht_table_tdfed4_1x2},
                    [HT_SQUARE_DROPS] = {"tdfed-4row-drops",
                                         ht_table_tdfed4_drops}},
                   NULL},
    [HT_TDFED1] = {{.name = "tdfed1",
                    .choice = "TDFED1",
                    .swath = 1,
                    .segments = true,
                    .table = true,
                    .diffuses = true,
                    .tones = true},
                   {{"tdfed-1row", ht_table_tdfed1}},
                   NULL},
    [HT_FLOYD_STEINBERG] = {{.name = "fs",
                             .choice = "FloydSteinberg",
                             .swath = 0,
                             .diffuses = true,
                             .tones = true},
                            {{NULL, ht_table_floyd_steinberg}},
                            NULL},
    [HT_THRESHOLD] = {{.name = "threshold", .choice = "Threshold", .swath = 1},
                      {{NULL, NULL}},
                      ht_threshold_row},
    [HT_SCREEN] = {{.name = "screen",
                    .choice = "Screen",
                    .swath = 1,
                    .cells = true,
                    .tones = true},
                   {{NULL, NULL}},
                   ht_screen_row},
};

const struct ht_method *ht_method_of(ht_method_t method)
{
    assert((unsigned)method < HT_METHODS);
    return &methods[method];
}

/* Says whether drops have several sizes that are not mixed, each at most half a
 * dot from the next one. */
static bool has_close_sizes(const ht_page_t *page)
{
    if (page->levels <= 2 || page->levels > HT_MAX_LEVELS || page->mixed > 0)
        return false;
    for (uint32_t i = 0, before = 0; i + 1 < page->levels; i++) {
        if (page->area[i] > before + HT_WHOLE_DOT / 2)
            return false;
        before = page->area[i];
    }
    return true;
}

static enum ht_shape shape_of(const ht_page_t *page)
{
    const bool known = page->across > 0 && page->down > 0;

    if (known && 2 * page->across >= 3 * page->down)
        return HT_FINE_ACROSS;
    if (known && 2 * page->down >= 3 * page->across)
        return HT_FINE_DOWN;
    return has_close_sizes(page) ? HT_SQUARE_DROPS : HT_SQUARE;
}

const struct ht_own_table *ht_own_table(const ht_page_t *page)
{
    const struct ht_own_table *own = ht_method_of(page->method)->own;
    const enum ht_shape shape = shape_of(page);

    return &own[own[shape].make != NULL ? shape : HT_SQUARE];
}

const char *ht_table_name(const ht_page_t *page)
{
    return ht_own_table(page)->name;
}

bool ht_inks_meet(const ht_page_t *page)
{
    return page->inks >= 2 && page->table != NULL &&
           page->table->rules.together;
}

struct ht_meeting_rules ht_rules_of(const ht_page_t *page)
{
    /* With z = ONE nothing is near. */
    static const struct ht_table_rules of_spans = {
        .from = HT_ONE, .light = {32735, 27853, 29491, 16384}};
    const struct ht_table_rules *rules = page->levels > 2 && page->mixed == 0
                                             ? &of_spans
                                             : &page->table->meeting;
    struct ht_meeting_rules of_inks = {.from = rules->from,
                                       .steps = rules->steps};

    for (uint32_t ink = 0; ink < page->inks; ink++) {
        const ht_lighter_t *lighter = &page->lighter[ink];
        const uint32_t light = ink + 1 - ht_black_inks(page->inks);

        of_inks.absorbed[ink] =
            lighter->share > 0
                ? (int16_t)ht_weighted(of_inks.absorbed[lighter->of],
                                       lighter->share)
                : rules->light[light < HT_LIGHTS ? light : HT_LIGHTS - 1];
    }
    return of_inks;
}

uint32_t ht_state_lines(const ht_page_t *page)
{
    return ht_inks_meet(page) ? 2 * page->inks : page->inks; /* E, V and U */
}

uint32_t ht_swath_rows(const ht_page_t *page)
{
    const ht_method_info_t *info = ht_info_of(page);

    return info->diffuses && info->swath > 0 ? info->swath : 1;
}

size_t ht_row_bytes(const ht_page_t *page)
{
    return ((size_t)page->width * ht_dot_bits(page->levels) + 7) / 8;
}

const ht_method_info_t *ht_info_of(const ht_page_t *page)
{
    return &ht_method_of(page->method)->info;
}

struct ht_scan ht_scan_of(const ht_page_t *page)
{
    const ht_method_info_t *info = ht_info_of(page);

    return (struct ht_scan){.table = page->table,
                            .width = page->width,
                            .swath = info->swath,
                            .segment = info->segments ? page->segment : 0,
                            .sizes = ht_sizes_of(page)};
}

const ht_method_info_t *ht_method_info(ht_method_t method)
{
    return (unsigned)method < HT_METHODS ? &methods[method].info : NULL;
}
