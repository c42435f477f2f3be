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

/* Starts the driver's part of the first device, which takes a good part of a
 * second, once. */
void ht_gpu_warm(void);

/* Whether a device can do such pages. May be asked before ht_gpu_warm() is
 * done. */
bool ht_gpu_available(const ht_page_t *page);

/* Whether it is the faster engine for a page that begins now; `*why` becomes
 * the reason. Counts how often it is asked, which is about once a page, as the
 * pages before may still be on the device, where several take hardly longer
 * than one. */
bool ht_gpu_pays(const ht_page_t *page, const char **why);

/* Whether a device takes more than twice as long to halftone a page as samples
 * take to come, so that the next page can come in meanwhile. */
bool ht_gpu_slower_than_input(const ht_page_t *page);

/* How many devices there are, at most HT_GPU_MOST_DEVICES, and the one that a
 * process begins with: not the same for all processes. */
#define HT_GPU_MOST_DEVICES 64
int ht_gpu_devices(void);
int ht_gpu_first_device(void);

/* Selects a device for this thread. */
void ht_gpu_select(int device);

/* `*bytes` that pages may have on the selected device when they have `held`:
 * `most`, or if that is 0 a quarter of what would be free without them, and
 * never more than is free. False if the device does not say. */
bool ht_gpu_memory(size_t held, size_t most, size_t *bytes);

/* Whether a call went well. If not, the thread's ht_gpu_error() has the text,
 * and ht_gpu_error_status() HT_ERR_MEMORY or HT_ERR_DEVICE. */
bool ht_gpu_ok(cudaError_t error);
const char *ht_gpu_error(void);
ht_status_t ht_gpu_error_status(void);

/* ht_gpu_fault(), which then is the trouble that is reported. */
bool ht_gpu_fails(const char *where);

/* Whether waiting for an event would not take time: it is over, or the device
 * has failed. */
bool ht_gpu_is_over(cudaEvent_t event);

/* Waits for an event of the selected device. False if the device failed, or
 * gave no answer in time: then `*stop` was set to end the kernels, and if that
 * did not help either the device hangs. */
bool ht_gpu_wait(cudaEvent_t event, int *stop);

/* Waits for what a stream of the selected device has to do, after its kernels
 * were told to stop. False: the device hangs. */
bool ht_gpu_settles(cudaStream_t stream);

/* Whether a device was found not to answer, which it is not expected to do any
 * more. */
bool ht_gpu_hangs(int device);
bool ht_gpu_any_hangs(void);

#endif
