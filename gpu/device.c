/*
 * device.c - the machine's CUDA devices; see device.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <pthread.h>
#include <stdatomic.h>
#include <time.h>

#include "gpu/band.h"
#include "gpu/device.h"
#include "halftone/internal.h"

#define MEMORY_SHARE 4 /* of what is free: one part */

/* A launch has a few hundred rows: no sane one takes a second. Tests do not
 * want to wait that long for one that hangs on purpose. */
#ifdef HT_GPU_FAULTS
#define DEADLINE_MS 1500
#else
#define DEADLINE_MS 20000
#endif
#define STOP_MS 2000

static _Thread_local cudaError_t last_error;
static atomic_bool warm;
static atomic_uint next_device;

/* ---- Errors and waiting ----------------------------------------------- */

bool ht_gpu_ok(cudaError_t error)
{
    if (error != cudaSuccess)
        last_error = error;
    return error == cudaSuccess;
}

const char *ht_gpu_error(void)
{
    return cudaGetErrorString(last_error);
}

static double now_ms(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec * 1e-6;
}

/* cudaErrorNotReady when the time is over. Short waits spin: a nap takes
 * longer than most launches. */
static cudaError_t poll(cudaEvent_t event, double limit_ms)
{
    const struct timespec nap = {0, 50000};
    double begin = now_ms(), spent = 0;
    cudaError_t error;

    while ((error = cudaEventQuery(event)) == cudaErrorNotReady) {
        spent = now_ms() - begin;
        if (spent > limit_ms)
            break;
        if (spent > 0.2)
            nanosleep(&nap, NULL);
    }
    return error;
}

bool ht_gpu_wait(cudaEvent_t event, int *stop, bool *hung)
{
    cudaError_t error = poll(event, DEADLINE_MS);

    if (error != cudaErrorNotReady)
        return ht_gpu_ok(error);
    last_error = cudaErrorLaunchTimeout;
    *(volatile int *)stop = 1;
    *hung = poll(event, STOP_MS) == cudaErrorNotReady;
    return false;
}

/* ---- Devices ---------------------------------------------------------- */

static int device_count(void)
{
    int count = 0;

    return ht_gpu_ok(cudaGetDeviceCount(&count)) ? count : 0;
}

void ht_gpu_select(int device)
{
    if (device >= 0)
        ht_gpu_ok(cudaSetDevice(device));
}

int ht_gpu_next_device(void)
{
    int count = device_count();

    if (count < 1)
        return -1;
    int device = (int)(atomic_fetch_add(&next_device, 1) % (unsigned)count);
    return ht_gpu_ok(cudaSetDevice(device)) ? device : -1;
}

size_t ht_gpu_memory(size_t most)
{
    size_t available = 0, total;

    if (!ht_gpu_ok(cudaMemGetInfo(&available, &total)))
        return 0;
    if (most == 0)
        return available / MEMORY_SHARE;
    return most < available ? most : available;
}

void ht_gpu_warm(void)
{
    int count = device_count();

    for (int i = count - 1; i >= 0; i--) {
        ht_gpu_select(i);
        if (!ht_gpu_ok(cudaFree(NULL)))
            return;
    }
    atomic_store(&warm, count > 0);
}

bool ht_gpu_available(const ht_page_t *page)
{
    if (device_count() < 1)
        return false;
    return page->method == HT_THRESHOLD || ht_gpu_table_suits(page->table);
}

/* ---- Is it worth it? --------------------------------------------------- */

/* Rounded from doc/performance.md; they need not be exact, since for most
 * pages one of the two is several times faster. */
#define COPY_BYTES_PER_S 6e9 /* into pinned memory, by one thread */
#define SWATH_S 2e-6         /* to hand a swath on */
#define STEP_S 35e-9         /* a column of a swath */
#define CPU_SEGMENTS_PER_S 230e6
#define CPU_UNBROKEN_PER_S 60e6

static double gpu_row_seconds(const ht_page_t *page)
{
    double copy =
        (double)page->width * page->inks * (page->bits / 8) / COPY_BYTES_PER_S;
    double length = page->segment && page->segment < page->width ? page->segment
                                                                 : page->width;

    if (page->method == HT_THRESHOLD)
        return copy;
    if (page->method == HT_FLOYD_STEINBERG)
        return copy + (double)page->inks * 3e-7;
    return copy +
           (SWATH_S + length * STEP_S) / (page->method == HT_TDFED4 ? 4 : 1);
}

static double cpu_row_seconds(const ht_page_t *page)
{
    bool cut = page->segment != 0 && page->method != HT_FLOYD_STEINBERG;
    unsigned threads = page->threads > 0 ? page->threads : 1;

    return (double)page->width * page->inks /
           (cut ? CPU_SEGMENTS_PER_S * threads : CPU_UNBROKEN_PER_S);
}

bool ht_gpu_pays(const ht_page_t *page, const char **why)
{
    if (!atomic_load(&warm)) {
        *why = "the GPU is not ready yet";
        return false;
    }
    if (page->method == HT_THRESHOLD ||
        gpu_row_seconds(page) >= cpu_row_seconds(page)) {
        *why = "the CPU is as fast for such a page";
        return false;
    }
    *why = "the GPU is faster for such a page";
    return true;
}
