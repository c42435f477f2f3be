/*
 * buffers.c - memory, streams and events of pages; see buffers.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "gpu/buffers.h"
#include "gpu/device.h"
#include "gpu/fault.h"
#include "halftone/internal.h"

#define HOST_SHARE 8 /* of the host's memory, for all pages: one part */
#define FEW_PAGES 4  /* that a device does as fast as one */

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static struct ht_gpu_buffers *waiting; /* for a page of their shape */
static struct ht_gpu_buffers *taken;   /* by a page */

/* ---- Making ----------------------------------------------------------- */

static size_t aligned(size_t bytes)
{
    return (bytes + 255) / 256 * 256;
}

/* Of the device's memory. */
static size_t total(const struct ht_gpu_sizes *sizes)
{
    size_t samples = sizes->samples;
    size_t plane = sizes->deep ? sizes->ring * samples + 2 * HT_GPU_PAD : 0;
    size_t launch = aligned(sizes->part * sizes->dot_row) + 256 +
                    aligned(sizes->swaths * sizeof(uint32_t)) +
                    aligned(sizes->state);

    return aligned(sizes->ring * sizes->sample_row + 2 * HT_GPU_PAD) +
           aligned(plane) + aligned(plane * sizeof(int16_t)) +
           aligned(samples * sizeof(uint32_t)) +
           aligned(HT_GPU_ENTRIES * sizeof(struct ht_gpu_entry)) +
           aligned(HT_PATTERN_BYTES) + sizes->launches * launch;
}

/* Of the host's, pinned. */
static size_t host_total(const struct ht_gpu_sizes *sizes)
{
    size_t launch = sizes->swaths * sizeof(uint32_t) + sizes->state;

    return sizes->ring * (sizes->sample_row + sizes->dot_row) +
           sizes->launches * launch;
}

static bool reserve(void *memory, size_t bytes)
{
    return ht_gpu_ok(cudaMalloc(memory, bytes));
}

static bool pin(void *memory, size_t bytes)
{
    return ht_gpu_ok(cudaHostAlloc(memory, bytes, cudaHostAllocMapped));
}

static bool make_event(cudaEvent_t *event)
{
    return ht_gpu_ok(cudaEventCreateWithFlags(event, cudaEventDisableTiming));
}

static bool make_stream(cudaStream_t *stream)
{
    return ht_gpu_ok(cudaStreamCreateWithFlags(stream, cudaStreamNonBlocking));
}

static bool make_launch(struct ht_gpu_launch *launch,
                        const struct ht_gpu_sizes *sizes)
{
    size_t shifts = sizes->swaths * sizeof(uint32_t);

    return reserve(&launch->dots, aligned(sizes->part * sizes->dot_row)) &&
           reserve(&launch->ticket, sizeof(uint32_t)) &&
           reserve(&launch->shifts, shifts) &&
           reserve(&launch->errors, sizes->state) &&
           pin(&launch->host_shifts, shifts) &&
           pin(&launch->host_errors, sizes->state) &&
           make_event(&launch->copied) && make_event(&launch->ran) &&
           make_event(&launch->done);
}

static bool make(struct ht_gpu_buffers *buffers)
{
    const struct ht_gpu_sizes *sizes = &buffers->sizes;
    size_t ring = sizes->ring, samples = sizes->samples;

    if (!make_stream(&buffers->in) || !make_stream(&buffers->run) ||
        !make_stream(&buffers->out) ||
        !reserve(&buffers->samples,
                 ring * sizes->sample_row + 2 * HT_GPU_PAD) ||
        !reserve(&buffers->line, samples * sizeof(uint32_t)) ||
        !reserve(&buffers->entries,
                 HT_GPU_ENTRIES * sizeof(struct ht_gpu_entry)) ||
        !reserve(&buffers->pattern, HT_PATTERN_BYTES) ||
        !pin(&buffers->host_samples, ring * sizes->sample_row) ||
        !pin(&buffers->host_dots, ring * sizes->dot_row) ||
        !pin(&buffers->stop, sizeof *buffers->stop))
        return false;
    if (sizes->deep &&
        (!reserve(&buffers->level, ring * samples + 2 * HT_GPU_PAD) ||
         !reserve(&buffers->tone,
                  (ring * samples + 2 * HT_GPU_PAD) * sizeof(int16_t))))
        return false;
    for (size_t i = 0; i < sizes->launches; i++)
        if (!make_launch(&buffers->launch[i], sizes))
            return false;
    return true;
}

/* ---- Freeing ---------------------------------------------------------- */

static void free_launch(struct ht_gpu_launch *launch)
{
    const cudaEvent_t events[] = {launch->copied, launch->ran, launch->done};

    cudaFree(launch->dots);
    cudaFree(launch->ticket);
    cudaFree(launch->shifts);
    cudaFree(launch->errors);
    cudaFreeHost(launch->host_shifts);
    cudaFreeHost(launch->host_errors);
    for (int i = 0; i < 3; i++)
        if (events[i] != NULL)
            cudaEventDestroy(events[i]);
}

/* When its streams are idle. */
static void free_buffers(struct ht_gpu_buffers *buffers)
{
    const cudaStream_t streams[] = {buffers->in, buffers->run, buffers->out};

    ht_gpu_select(buffers->device);
    for (int i = 0; i < 3; i++)
        if (streams[i] != NULL)
            cudaStreamDestroy(streams[i]);
    for (size_t i = 0; i < buffers->sizes.launches; i++)
        free_launch(&buffers->launch[i]);
    cudaFree(buffers->samples);
    cudaFree(buffers->level);
    cudaFree(buffers->tone);
    cudaFree(buffers->line);
    cudaFree(buffers->entries);
    cudaFree(buffers->pattern);
    cudaFreeHost(buffers->host_samples);
    cudaFreeHost(buffers->host_dots);
    cudaFreeHost(buffers->stop);
    free(buffers);
}

/* ---- Waiting for a page ----------------------------------------------- */

static bool same(const struct ht_gpu_sizes *a, const struct ht_gpu_sizes *b)
{
    return a->samples == b->samples && a->deep == b->deep &&
           a->ring == b->ring && a->sample_row == b->sample_row &&
           a->dot_row == b->dot_row && a->swaths == b->swaths;
}

static void put(struct ht_gpu_buffers **list, struct ht_gpu_buffers *buffers)
{
    pthread_mutex_lock(&mutex);
    buffers->next = *list;
    *list = buffers;
    pthread_mutex_unlock(&mutex);
}

/* Takes the first out of a list that has such sizes, or other ones, on that
 * device, or on any if it is -1. NULL if there is none. */
static struct ht_gpu_buffers *get(struct ht_gpu_buffers **list,
                                  const struct ht_gpu_sizes *sizes, bool such,
                                  int device)
{
    struct ht_gpu_buffers *found;

    pthread_mutex_lock(&mutex);
    while (*list != NULL &&
           ((device >= 0 && (*list)->device != device) ||
            (sizes != NULL && same(&(*list)->sizes, sizes) != such)))
        list = &(*list)->next;
    found = *list;
    if (found != NULL)
        *list = found->next;
    pthread_mutex_unlock(&mutex);
    return found;
}

static void leave(struct ht_gpu_buffers *buffers)
{
    struct ht_gpu_buffers **list = &taken;

    pthread_mutex_lock(&mutex);
    while (*list != buffers)
        list = &(*list)->next;
    *list = buffers->next;
    pthread_mutex_unlock(&mutex);
}

unsigned ht_gpu_buffers_in_use(int device)
{
    unsigned count = 0;

    pthread_mutex_lock(&mutex);
    for (struct ht_gpu_buffers *b = taken; b != NULL; b = b->next)
        count += device < 0 || b->device == device;
    pthread_mutex_unlock(&mutex);
    return count;
}

/* Frees those that wait for pages of another shape; of any, when `but` is
 * NULL. */
static void forget(const struct ht_gpu_sizes *but)
{
    struct ht_gpu_buffers *buffers;

    while ((buffers = get(&waiting, but, false, -1)) != NULL)
        free_buffers(buffers);
}

void ht_gpu_buffers_forget(void)
{
    forget(NULL);
}

/* ---- Taking and giving back --------------------------------------------- */

/* Pages go round the devices, but not before one has several: to start a
 * device takes longer than most jobs, and it does a few pages as fast as one.
 * -1 if there is none. */
static int next_device(void)
{
    int count = ht_gpu_devices(), first = ht_gpu_first_device(), best = first;

    for (int i = 0; i < count; i++) {
        int device = (first + i) % count;
        unsigned pages = ht_gpu_buffers_in_use(device);

        if (pages < FEW_PAGES)
            return device;
        if (pages < ht_gpu_buffers_in_use(best))
            best = device;
    }
    return count > 0 ? best : -1;
}

static size_t host_memory(void)
{
    long pages = sysconf(_SC_PHYS_PAGES), bytes = sysconf(_SC_PAGESIZE);

    return pages > 0 && bytes > 0 ? (size_t)pages * (size_t)bytes / HOST_SHARE
                                  : SIZE_MAX;
}

/* Whether there is memory for one page more: HT_ERR_BUSY when there would be
 * without the others, HT_ERR_MEMORY when there would not. */
static ht_status_t afford(const struct ht_gpu_sizes *sizes, int device,
                          size_t most)
{
    size_t held = 0, host_held = 0;

    pthread_mutex_lock(&mutex);
    for (struct ht_gpu_buffers *b = taken; b != NULL; b = b->next) {
        held += b->device == device ? total(&b->sizes) : 0;
        host_held += host_total(&b->sizes);
    }
    pthread_mutex_unlock(&mutex);
    size_t left = ht_gpu_memory(held, most), host_left = host_memory();
    if (total(sizes) > left || host_total(sizes) > host_left)
        return HT_ERR_MEMORY;
    return held + total(sizes) <= left &&
                   host_held + host_total(sizes) <= host_left
               ? HT_OK
               : HT_ERR_BUSY;
}

static struct ht_gpu_buffers *make_new(const struct ht_gpu_sizes *sizes,
                                       int device)
{
    struct ht_gpu_buffers *buffers = calloc(1, sizeof *buffers);

    if (buffers == NULL)
        return NULL;
    buffers->sizes = *sizes;
    buffers->device = device;
    if (make(buffers))
        return buffers;
    free_buffers(buffers);
    return NULL;
}

ht_status_t ht_gpu_buffers_take(struct ht_gpu_buffers **out,
                                const struct ht_gpu_sizes *sizes, size_t most)
{
    int device = next_device();

    ht_gpu_select(device);
    if (device < 0 || ht_gpu_fault("open"))
        return HT_ERR_DEVICE;
    if (ht_gpu_fault("memory") || (most > 0 && total(sizes) > most))
        return HT_ERR_MEMORY;
    struct ht_gpu_buffers *buffers = get(&waiting, sizes, true, device);
    if (buffers == NULL) {
        forget(sizes);
        ht_gpu_select(device);
        ht_status_t status = afford(sizes, device, most);
        if (status != HT_OK)
            return status;
        buffers = make_new(sizes, device);
        if (buffers == NULL)
            return ht_gpu_buffers_in_use(-1) > 0 ? HT_ERR_BUSY : HT_ERR_MEMORY;
    }
    *buffers->stop = 0;
    put(&taken, buffers);
    *out = buffers;
    return HT_OK;
}

void ht_gpu_buffers_give_back(struct ht_gpu_buffers *buffers, bool failed,
                              bool hung)
{
    if (buffers == NULL)
        return;
    leave(buffers);
    if (hung)
        return;
    ht_gpu_select(buffers->device);
    *(volatile int *)buffers->stop = 1;
    cudaStreamSynchronize(buffers->in);
    cudaStreamSynchronize(buffers->run);
    cudaStreamSynchronize(buffers->out);
    if (failed)
        free_buffers(buffers);
    else
        put(&waiting, buffers);
}
