/*
 * engines.h - the engines that are compiled in, for the list in engine.c.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HT_ENGINES_H
#define HT_ENGINES_H

#include "halftone/engine.h"

extern const struct ht_engine_ops ht_reference_engine;
extern const struct ht_engine_ops ht_threshold_engine;
extern const struct ht_engine_ops ht_cpu_plain_engine;
extern const struct ht_engine_ops ht_cpu_avx2_engine;
extern const struct ht_engine_ops ht_cpu_avx512_engine;
extern const struct ht_engine_ops ht_wavefront_plain_engine;
extern const struct ht_engine_ops ht_wavefront_avx2_engine;
extern const struct ht_engine_ops ht_wavefront_avx512_engine;

#endif
