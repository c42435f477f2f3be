/*
 * engines.h - the engines that are compiled in, for the list in engine.c.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HT_ENGINES_H
#define HT_ENGINES_H

#include "halftone/simd/sets.h"

struct ht_engine_ops;

extern const struct ht_engine_ops ht_reference_engine;
extern const struct ht_engine_ops ht_compare_engine;

#define HT_DECLARE_ENGINES(set, text, runs_here)                               \
    extern const struct ht_engine_ops ht_tdfed_##set##_engine;                 \
    extern const struct ht_engine_ops ht_floyd_##set##_engine;
HT_SETS(HT_DECLARE_ENGINES)
#undef HT_DECLARE_ENGINES

#endif
