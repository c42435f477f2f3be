/*
 * device.h - the machine's CUDA devices: whether they are there, and waiting
 * for one that may not answer.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HT_GPU_DEVICE_H
#define HT_GPU_DEVICE_H

#include <cuda_runtime_api.h>
#include <stdbool.h>
#include <stddef.h>

#include "halftone/halftone.h"

/* Returns whether a device can do such pages. Asks the runtime, which starts
 * it: that waits where start.h does it in a thread. */
bool ht_gpu_available(const ht_page_t *page);

/* Return how many devices there are, at most HT_GPU_MOST_DEVICES, and which one
 * this process begins with: processes begin with different ones. */
#define HT_GPU_MOST_DEVICES 64
int ht_gpu_devices(void);
int ht_gpu_first_device(void);

/* Selects a device for this thread. */
void ht_gpu_select(int device);

/* Selects a device and waits until the driver has started it. Returns false if
 * it cannot be started. */
bool ht_gpu_begin(int device);

/* Sets *bytes to the memory of the selected device that pages may take: `most`
 * bytes; or, if that is 0, a quarter of the memory that would be free without
 * them; and never more than would be free. Pages have `held` bytes now. Returns
 * false if the device does not say. */
bool ht_gpu_memory(size_t held, size_t most, size_t *bytes);

/* Returns whether a call of the runtime went well. If not, ht_gpu_error() of
 * this thread is its text, static, and ht_gpu_error_status() HT_ERR_MEMORY or
 * HT_ERR_DEVICE. */
bool ht_gpu_ok(cudaError_t error);
const char *ht_gpu_error(void);
ht_status_t ht_gpu_error_status(void);

/* Returns whether a test wants a failure here, fault.h, which then is
 * ht_gpu_error(). */
bool ht_gpu_fails(const char *where);

/* Returns whether waiting for an event would take no time: it is over, or the
 * device has failed. */
bool ht_gpu_is_over(cudaEvent_t event);

/* Waits for an event of the selected device. Returns false if the device
 * failed, or gave no answer in time. Then *stop, mapped memory, has been set to
 * end the kernels; if they did not end, the device hangs from now on. */
bool ht_gpu_wait(cudaEvent_t event, int *stop);

/* Waits for a stream of the selected device whose kernels have been told to
 * stop. Returns false if they do not: the device hangs from now on. */
bool ht_gpu_settles(cudaStream_t stream);

/* Return whether a device, 0..HT_GPU_MOST_DEVICES-1, or any has once not
 * answered. It is not waited for again. */
bool ht_gpu_hangs(int device);
bool ht_gpu_any_hangs(void);

#endif
