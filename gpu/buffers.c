/*
 * buffers.c - memory, streams and events of pages; see buffers.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "gpu/buffers.h"
#include "gpu/device.h"
#include "gpu/fault.h"
#include "halftone/internal.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static struct ht_gpu_buffers *waiting; /* for a page of their shape */
static atomic_uint in_use;

/* ---- Making ----------------------------------------------------------- */

static size_t aligned(size_t bytes)
{
    return (bytes + 255) / 256 * 256;
}

/* Of the device's memory. */
static size_t total(const struct ht_gpu_sizes *sizes)
{
    size_t samples = sizes->samples;
    size_t planes =
        sizes->deep ? 3 * (sizes->ring * samples + 2 * HT_GPU_PAD) : 0;
    size_t launch = aligned(sizes->ring * sizes->dot_row) + 256 +
                    aligned(sizes->swaths * sizeof(uint32_t)) +
                    aligned(sizes->state);

    return aligned(sizes->ring * sizes->sample_row + 2 * HT_GPU_PAD) +
           2 * aligned(planes) + aligned(samples * sizeof(uint32_t)) +
           aligned(HT_GPU_ENTRIES * sizeof(struct ht_gpu_entry)) +
           aligned(HT_PATTERN_BYTES) + HT_GPU_LAUNCHES * launch;
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

    return reserve(&launch->dots, aligned(sizes->ring * sizes->dot_row)) &&
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
    for (int i = 0; i < HT_GPU_LAUNCHES; i++)
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
    for (int i = 0; i < HT_GPU_LAUNCHES; i++)
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

static struct ht_gpu_buffers *find(const struct ht_gpu_sizes *sizes, int device)
{
    struct ht_gpu_buffers **link, *found;

    pthread_mutex_lock(&mutex);
    for (link = &waiting; *link != NULL; link = &(*link)->next)
        if ((*link)->device == device && same(&(*link)->sizes, sizes))
            break;
    found = *link;
    if (found != NULL)
        *link = found->next;
    pthread_mutex_unlock(&mutex);
    return found;
}

unsigned ht_gpu_buffers_in_use(void)
{
    return atomic_load(&in_use);
}

void ht_gpu_buffers_forget(void)
{
    struct ht_gpu_buffers *all, *next;

    pthread_mutex_lock(&mutex);
    all = waiting;
    waiting = NULL;
    pthread_mutex_unlock(&mutex);
    for (; all != NULL; all = next) {
        next = all->next;
        free_buffers(all);
    }
}

ht_status_t ht_gpu_buffers_take(struct ht_gpu_buffers **out,
                                const struct ht_gpu_sizes *sizes, size_t most)
{
    int device = ht_gpu_next_device();

    if (device < 0 || ht_gpu_fault("open"))
        return HT_ERR_DEVICE;
    if (ht_gpu_fault("memory") || (most > 0 && total(sizes) > most))
        return HT_ERR_MEMORY;
    struct ht_gpu_buffers *buffers = find(sizes, device);
    if (buffers == NULL) {
        ht_gpu_buffers_forget(); /* pages of another shape have ended */
        if (total(sizes) > ht_gpu_memory(most))
            return HT_ERR_MEMORY;
        buffers = calloc(1, sizeof *buffers);
        if (buffers == NULL)
            return HT_ERR_MEMORY;
        buffers->sizes = *sizes;
        buffers->device = device;
        if (!make(buffers)) {
            free_buffers(buffers);
            return HT_ERR_MEMORY;
        }
    }
    *buffers->stop = 0;
    atomic_fetch_add(&in_use, 1);
    *out = buffers;
    return HT_OK;
}

void ht_gpu_buffers_give_back(struct ht_gpu_buffers *buffers, bool failed,
                              bool hung)
{
    if (buffers == NULL)
        return;
    atomic_fetch_sub(&in_use, 1);
    if (hung)
        return;
    ht_gpu_select(buffers->device);
    cudaStreamSynchronize(buffers->in);
    cudaStreamSynchronize(buffers->run);
    cudaStreamSynchronize(buffers->out);
    if (failed) {
        free_buffers(buffers);
        return;
    }
    pthread_mutex_lock(&mutex);
    buffers->next = waiting;
    waiting = buffers;
    pthread_mutex_unlock(&mutex);
}
