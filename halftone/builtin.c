/*
 * builtin.c - the tables and the pattern that are compiled in; the build
 * turns the files of halftone/tables/ into the lists of bytes included here.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include "halftone/definition.h"

static const char tdfed4_text[] = {
#include "halftone/tables/tdfed-4row.inc"
};

static const char tdfed1_text[] = {
#include "halftone/tables/tdfed-1row.inc"
};

const uint8_t ht_builtin_pattern[] = {
#include "halftone/tables/dbs-128.inc"
};

_Static_assert(sizeof ht_builtin_pattern == HT_PATTERN_BYTES,
               "halftone/tables/dbs-128.pbm is 128 x 128");

ht_status_t ht_table_tdfed4(ht_table_t **out)
{
    return ht_table_parse(out, tdfed4_text, sizeof tdfed4_text, NULL);
}

ht_status_t ht_table_tdfed1(ht_table_t **out)
{
    return ht_table_parse(out, tdfed1_text, sizeof tdfed1_text, NULL);
}
