/*
 * device.c - the machine's CUDA devices; see device.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <assert.h>
#include <stdatomic.h>
#include <time.h>
#include <unistd.h>

#include "gpu/cuda/tdfed/lookup.h"
#include "gpu/host/fault.h"
#include "gpu/cuda/band.h"
#include "gpu/cuda/device.h"
#include "gpu/cuda/worth.h"
#include "halftone/definition.h"
#include "halftone/method.h"

#define MEMORY_SHARE 4 /* pages may have one part in 4 of what is free */

/* Milliseconds to wait for a launch. It has at most 1024 rows (engine.c) and
 * takes less than a second, or several for the widest pages in unbroken rows.
 * Tests of launches that hang wait less. */
#ifdef HT_GPU_FAULTS
#define DEADLINE_MS 1500
#else
#define DEADLINE_MS 20000
#endif
#define STOP_MS 2000

static _Thread_local cudaError_t last_error;
static atomic_bool hanging[HT_GPU_MOST_DEVICES];

/* ---- Errors and waiting ----------------------------------------------- */

/* The runtime keeps the last error, too, and the next launch would report
 * it. */
bool ht_gpu_ok(cudaError_t error)
{
    if (ht_fault("call"))
        error = cudaErrorUnknown;
    if (error == cudaSuccess)
        return true;
    last_error = error;
    (void)cudaGetLastError();
    return false;
}

bool ht_gpu_fails(const char *where)
{
    return ht_fault(where) && !ht_gpu_ok(cudaErrorUnknown);
}

const char *ht_gpu_error(void)
{
    return cudaGetErrorString(last_error);
}

ht_status_t ht_gpu_error_status(void)
{
    return last_error == cudaErrorMemoryAllocation ? HT_ERR_MEMORY
                                                   : HT_ERR_DEVICE;
}

static double now_ms(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec * 1e-6;
}

static int selected(void)
{
    int device = 0;

    (void)ht_gpu_ok(cudaGetDevice(&device));
    return device < HT_GPU_MOST_DEVICES ? device : 0;
}

static cudaError_t ask_event(const void *event)
{
    return cudaEventQuery(*(const cudaEvent_t *)event);
}

static cudaError_t ask_stream(const void *stream)
{
    return cudaStreamQuery(*(const cudaStream_t *)stream);
}

/* Asks until the answer is not cudaErrorNotReady; that is the answer when the
 * time is over, and at once from a device that hangs. Short waits spin: a nap
 * takes longer than most launches. */
static cudaError_t poll(cudaError_t (*ask)(const void *), const void *what,
                        double limit_ms)
{
    const struct timespec nap = {0, 50000};
    double begin = now_ms(), spent = 0;
    int device = selected();
    cudaError_t error;

    while ((error = ask(what)) == cudaErrorNotReady) {
        spent = now_ms() - begin;
        if (spent > limit_ms || ht_gpu_hangs(device))
            break;
        if (spent > 0.2)
            nanosleep(&nap, NULL);
    }
    return error;
}

/* Returns whether what was told to stop has stopped, well or not. */
static bool stops(cudaError_t (*ask)(const void *), const void *what)
{
    if (poll(ask, what, STOP_MS) != cudaErrorNotReady)
        return true;
    atomic_store(&hanging[selected()], true);
    return false;
}

bool ht_gpu_is_over(cudaEvent_t event)
{
    return cudaEventQuery(event) != cudaErrorNotReady;
}

bool ht_gpu_wait(cudaEvent_t event, int *stop)
{
    cudaError_t error = poll(ask_event, &event, DEADLINE_MS);

    if (error != cudaErrorNotReady)
        return ht_gpu_ok(error);
    last_error = cudaErrorLaunchTimeout;
    *(volatile int *)stop = 1;
    stops(ask_event, &event);
    return false;
}

bool ht_gpu_settles(cudaStream_t stream)
{
    return stops(ask_stream, &stream);
}

bool ht_gpu_hangs(int device)
{
    assert(device >= 0 && device < HT_GPU_MOST_DEVICES);
    return atomic_load(&hanging[device]);
}

bool ht_gpu_any_hangs(void)
{
    for (int device = 0; device < HT_GPU_MOST_DEVICES; device++)
        if (ht_gpu_hangs(device))
            return true;
    return false;
}

/* ---- Devices ---------------------------------------------------------- */

int ht_gpu_devices(void)
{
    int count = 0;

    if (!ht_gpu_ok(cudaGetDeviceCount(&count)))
        return 0;
    return count < HT_GPU_MOST_DEVICES ? count : HT_GPU_MOST_DEVICES;
}

void ht_gpu_select(int device)
{
    ht_gpu_ok(cudaSetDevice(device));
}

int ht_gpu_first_device(void)
{
    int count = ht_gpu_devices();

    return count > 0 ? (int)(getpid() % count) : 0;
}

bool ht_gpu_memory(size_t held, size_t most, size_t *bytes)
{
    size_t available, total;

    if (!ht_gpu_ok(cudaMemGetInfo(&available, &total)))
        return false;
    available += held;
    *bytes = most == 0          ? available / MEMORY_SHARE
             : most < available ? most
                                : available;
    return true;
}

bool ht_gpu_begin(int device)
{
    ht_gpu_select(device);
    return !ht_gpu_fails("start") && ht_gpu_ok(cudaFree(NULL));
}

bool ht_gpu_available(const ht_page_t *page)
{
    if (ht_gpu_devices() < 1)
        return false;
    if (!ht_info_of(page)->diffuses)
        return page->method == HT_THRESHOLD || page->method == HT_SCREEN;
    return ht_gpu_table_suits(page->table, page->inks);
}
