/*
 * selftest.h - a few rows that the device prints before it prints a page.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HT_CL_SELFTEST_H
#define HT_CL_SELFTEST_H

#include "halftone/engine.h"

/* Prints a few rows of a page like the engine's with `untested` calls, the same
 * engine's without this test, and compares them with the reference's. */
bool ht_cl_passes(const ht_engine_t *engine,
                  const struct ht_engine_ops *untested);

#endif
