/*
 * builtin.c - the tables and the pattern that are compiled in; the build
 * turns the files of data/ into the lists of bytes included here.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include "halftone/internal.h"

static const char tdfed4_text[] = {
#include "data/tdfed-4row.inc"
};

static const char tdfed1_text[] = {
#include "data/tdfed-1row.inc"
};

const uint8_t ht_builtin_pattern[] = {
#include "data/dbs-128.inc"
};

_Static_assert(sizeof ht_builtin_pattern == HT_PATTERN_BYTES,
               "data/dbs-128.pbm is 128 x 128");

ht_status_t ht_table_builtin(ht_table_t **out, ht_method_t method)
{
    switch (method) {
    case HT_TDFED4:
        return ht_table_parse(out, tdfed4_text, sizeof tdfed4_text, NULL);
    case HT_TDFED1:
        return ht_table_parse(out, tdfed1_text, sizeof tdfed1_text, NULL);
    case HT_FLOYD_STEINBERG:
        return ht_table_floyd_steinberg(out);
    case HT_THRESHOLD:
        break;
    }
    return HT_ERR_ARGUMENT;
}
