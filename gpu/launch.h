/*
 * launch.h - rows of a page through the device: copy in, diffuse, copy out.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HT_GPU_LAUNCH_H
#define HT_GPU_LAUNCH_H

#include "gpu/engine.h"

/* Makes the device ready for launches of a page that has its scan, sizes and
 * buffers: tables, kernels, and error lines without error. False: the device
 * has failed. */
bool ht_gpu_open_page(struct ht_gpu_page *own, const ht_page_t *page);

/* Sends the next `rows` rows, which are submitted and do not wrap round the
 * ring. Does not wait; a launch has to be free. False: the device has
 * failed. */
bool ht_gpu_send_rows(ht_engine_t *engine, size_t rows);

/* The same for the pre-roll, before all rows; the first one is submitted. */
bool ht_gpu_send_preroll(ht_engine_t *engine);

/* Notes what is known behind row `finished`: errors [inks][width], which stay
 * where they are until the next call. */
void ht_gpu_note_state(ht_engine_t *engine, uint64_t finished,
                       const int16_t *errors);

/* The device goes on from the state that ht_gpu_note_state() got last, whose
 * errors are those of `launch` and reach the device with it. False: the device
 * has failed. */
bool ht_gpu_send_state(ht_engine_t *engine, struct ht_gpu_launch *launch);

#endif
