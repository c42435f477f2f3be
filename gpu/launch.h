/*
 * launch.h - rows of a page through the device: copy in, diffuse, copy out.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HT_GPU_LAUNCH_H
#define HT_GPU_LAUNCH_H

#include "gpu/engine.h"

/* Makes the device ready for a page that has its scan, sizes and buffers:
 * tables, kernels, error lines without errors; or least samples. Returns false
 * if the device has failed. */
bool ht_gpu_open_page(ht_engine_t *engine);

/* Launches the next `rows` rows, 1..sizes.part, which are submitted and do not
 * wrap round the ring. A launch must be free. Does not wait. Returns false if
 * the device has failed. */
bool ht_gpu_send_rows(ht_engine_t *engine, size_t rows);

/* Does the same with the pre-roll: before all launches, when the page's first
 * row is submitted. */
bool ht_gpu_send_preroll(ht_engine_t *engine);

/* Notes that rows before `finished` are done, with the errors behind them
 * [inks][width], which must stay where they are until the next call. */
void ht_gpu_note_state(ht_engine_t *engine, uint64_t finished,
                       const int16_t *errors);

/* Sends the device the state that ht_gpu_note_state() got last:
 * launch->host_errors, through launch->errors. Returns false if the device has
 * failed. */
bool ht_gpu_send_state(ht_engine_t *engine, struct ht_gpu_launch *launch);

#endif
