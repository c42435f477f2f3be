/*
 * start.c - the devices that have been started; see start.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

#include "gpu/cuda/device.h"
#include "gpu/cuda/start.h"

#define LIMIT_MS 30000 /* until a page goes on without the device */

static atomic_bool starting;  /* there is a thread of start() */
static atomic_bool exhausted; /* no device is left to be started */

/* In the order in which they were started; `count` is set last. */
static int started[HT_GPU_MOST_DEVICES];
static atomic_uint count;

/* Returns the next device that start() has not tried, and -1 when all have
 * been. Processes begin with different ones. Only its thread calls this. */
static int next_untried(void)
{
    static unsigned tried;
    int devices = ht_gpu_devices();

    return tried < (unsigned)devices
               ? (int)((ht_gpu_first_device() + tried++) % (unsigned)devices)
               : -1;
}

static void *start(void *unused)
{
    int device;

    while ((device = next_untried()) >= 0 && !ht_gpu_begin(device))
        ;
    if (device >= 0) {
        unsigned i = atomic_load(&count);
        started[i] = device;
        atomic_store(&count, i + 1);
    } else {
        atomic_store(&exhausted, true);
    }
    atomic_store(&starting, false);
    return unused;
}

void ht_gpu_start_another(void)
{
    pthread_t thread;

    if (atomic_load(&exhausted) || atomic_exchange(&starting, true))
        return;
    if (pthread_create(&thread, NULL, start, NULL) == 0) {
        pthread_detach(thread);
    } else {
        atomic_store(&exhausted, true);
        atomic_store(&starting, false);
    }
}

int ht_gpu_started(unsigned i)
{
    return i < atomic_load(&count) ? started[i] : -1;
}

int ht_gpu_await(unsigned i)
{
    const struct timespec nap = {0, 1000000};

    if (ht_gpu_started(i) < 0)
        ht_gpu_start_another();
    for (int ms = 0;
         ht_gpu_started(i) < 0 && ht_gpu_is_starting() && ms < LIMIT_MS; ms++)
        nanosleep(&nap, NULL);
    return ht_gpu_started(i);
}

bool ht_gpu_is_starting(void)
{
    return atomic_load(&starting);
}
