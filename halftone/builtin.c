/*
 * builtin.c - the tables that are compiled in; the build
 * turns the files of halftone/tables/ into the lists of bytes included here.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include "halftone/definition.h"

static const char tdfed4_text[] = {
#include "halftone/tables/tdfed-4row.inc"
};

static const char tdfed4_2x1_text[] = {
#include "halftone/tables/tdfed-4row-2x1.inc"
};

static const char tdfed4_1x2_text[] = {
#include "halftone/tables/tdfed-4row-1x2.inc"
};

static const char tdfed4_drops_text[] = {
#include "halftone/tables/tdfed-4row-drops.inc"
};

static const char tdfed1_text[] = {
#include "halftone/tables/tdfed-1row.inc"
};

ht_status_t ht_table_tdfed4(ht_table_t **out)
{
    return ht_table_parse(out, tdfed4_text, sizeof tdfed4_text, NULL);
}

ht_status_t ht_table_tdfed4_2x1(ht_table_t **out)
{
    return ht_table_parse(out, tdfed4_2x1_text, sizeof tdfed4_2x1_text, NULL);
}

ht_status_t ht_table_tdfed4_1x2(ht_table_t **out)
{
    return ht_table_parse(out, tdfed4_1x2_text, sizeof tdfed4_1x2_text, NULL);
}

ht_status_t ht_table_tdfed4_drops(ht_table_t **out)
{
    return ht_table_parse(out, tdfed4_drops_text, sizeof tdfed4_drops_text,
                          NULL);
}

ht_status_t ht_table_tdfed1(ht_table_t **out)
{
    return ht_table_parse(out, tdfed1_text, sizeof tdfed1_text, NULL);
}
