/*
 * launch.h - launches of a page on its device, struct ht_device_ops: copy in,
 * diffuse, copy out.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HT_GPU_LAUNCH_H
#define HT_GPU_LAUNCH_H

#include "gpu/host/device.h"

/* Makes the device ready for a page that has its scan, sizes and buffers:
 * tables, kernels, error lines without errors; or least samples. Returns false
 * if the device has failed. */
bool ht_gpu_open_page(ht_engine_t *engine);

/* Do what ht_device_ops says. */
bool ht_gpu_send(ht_engine_t *engine, const struct ht_launch *launch);
bool ht_gpu_run(ht_engine_t *engine, const struct ht_launch *launch);
bool ht_gpu_fetch(ht_engine_t *engine, const struct ht_launch *launch);
bool ht_gpu_send_state(ht_engine_t *engine, const struct ht_launch *launch);

#endif
