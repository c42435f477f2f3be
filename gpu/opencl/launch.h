/*
 * launch.h - the kernels of a page, and its launches, struct ht_device_ops.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HT_CL_LAUNCH_H
#define HT_CL_LAUNCH_H

#include "gpu/opencl/page.h"

/* Makes the page's kernels and gives them the buffers. */
bool ht_cl_kernels_make(ht_engine_t *engine);

/* Do what ht_device_ops says. */
bool ht_cl_send(ht_engine_t *engine, const struct ht_launch *launch);
bool ht_cl_run(ht_engine_t *engine, const struct ht_launch *launch);
bool ht_cl_fetch(ht_engine_t *engine, const struct ht_launch *launch);
bool ht_cl_send_state(ht_engine_t *engine, const struct ht_launch *launch);

#endif
