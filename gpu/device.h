/*
 * device.h - the machine's CUDA devices: whether there are any, whether they
 * are worth using for a page, and waiting for one that may not answer.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HT_GPU_DEVICE_H
#define HT_GPU_DEVICE_H

#include <cuda_runtime_api.h>
#include <stdbool.h>
#include <stddef.h>

#include "halftone/halftone.h"

/* Starts the driver's part of every device, which takes a good part of a
 * second, once. */
void ht_gpu_warm(void);

/* Whether a device can do such pages. Says so before ht_gpu_warm() is done. */
bool ht_gpu_available(const ht_page_t *page);

/* Whether it is the faster engine for one now; `*why` becomes the reason. */
bool ht_gpu_pays(const ht_page_t *page, const char **why);

/* The device for the next page, they take turns; -1 if there is none. It is
 * selected for this thread. */
int ht_gpu_next_device(void);

/* Selects a device for this thread. */
void ht_gpu_select(int device);

/* Bytes that a page may have on the selected device: `most`, or if that is 0
 * a quarter of what is free, and never more than is free. */
size_t ht_gpu_memory(size_t most);

/* Whether a call went well; ht_gpu_error() has the text if not. */
bool ht_gpu_ok(cudaError_t error);
const char *ht_gpu_error(void);

/* Waits for an event. False if the device failed, or gave no answer in time:
 * then `*stop` was set to end the kernels, and if that did not help either
 * `*hung` is true. */
bool ht_gpu_wait(cudaEvent_t event, int *stop, bool *hung);

#endif
