/*
 * engine.h - the CUDA engine, which module.c exports.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HT_GPU_ENGINE_H
#define HT_GPU_ENGINE_H

#include "halftone/engine.h"

extern const struct ht_engine_ops ht_cuda_engine;

#endif
