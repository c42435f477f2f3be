/*
 * start.h - the devices that have been started. To start one takes the driver a
 * good part of a second, so it is done in a thread, for one device at a time,
 * and only for as many as there is work for.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HT_GPU_START_H
#define HT_GPU_START_H

#include <stdbool.h>

/* Starts the next device in a thread of its own, if there is one left and none
 * is being started. One that cannot be started is passed over. The caller
 * blocks signals, which the thread must not take. */
void ht_gpu_start_another(void);

/* Returns the `i`-th device that has been started, 0 the first; -1 if there are
 * not so many. */
int ht_gpu_started(unsigned i);

/* ht_gpu_started(), but starts the device if need be, and waits for it; -1 if
 * it cannot be started, or not in time. The devices before it have been
 * started. */
int ht_gpu_await(unsigned i);

/* Returns whether a device is being started, which nothing can stop. */
bool ht_gpu_is_starting(void);

#endif
