/*
 * engine.h - the OpenCL engine, for its bench, too.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HT_CL_ENGINE_H
#define HT_CL_ENGINE_H

#include "halftone/engine.h"

extern const struct ht_engine_ops ht_opencl_engine;

#endif
