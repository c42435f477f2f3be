/*
 * buffers.c - memory, CUDA streams and events of pages; see buffers.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "gpu/cuda/tdfed/lookup.h"
#include "gpu/host/fault.h"
#include "gpu/cuda/buffers.h"
#include "gpu/cuda/device.h"
#include "gpu/cuda/start.h"
#include "halftone/definition.h"

#define HOST_SHARE 8 /* pages may have one part in 8 of the host's memory */
#define FEW_PAGES 8  /* pages that a device does as fast as one */

_Static_assert(HT_GPU_CURVES == HT_MAX_INKS * HT_LEVELS,
               "the kernels' own number");

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static struct ht_gpu_buffers *waiting; /* for a page of their shape */
static struct ht_gpu_buffers *taken;   /* by a page */
static struct ht_gpu_buffers *lost;    /* with a device that hangs */

/* ---- Making ----------------------------------------------------------- */

static size_t aligned(size_t bytes)
{
    return (bytes + 255) / 256 * 256;
}

/* Returns the bytes of the error lines, which have a word for each number of
 * the state. */
static size_t line_bytes(const struct ht_gpu_sizes *sizes)
{
    return sizes->ring.state / sizeof(int16_t) * sizeof(uint32_t);
}

/* Returns the bytes of the spans, 0 if there are none. */
static size_t span_bytes(const struct ht_gpu_sizes *sizes)
{
    return sizes->spans == 0
               ? 0
               : (sizes->spans + 2 * HT_GPU_PAD) * sizeof(uint16_t);
}

/* Returns the bytes of the device's memory. */
static size_t total(const struct ht_gpu_sizes *sizes)
{
    size_t samples = sizes->samples;
    size_t plane =
        sizes->deep ? sizes->ring.rows * samples + 2 * HT_GPU_PAD : 0;
    size_t launch = aligned(sizes->ring.part * sizes->ring.dot_row) + 256 +
                    aligned(sizes->swaths * sizeof(uint32_t)) +
                    aligned(sizes->ring.state);

    return aligned(sizes->ring.rows * sizes->ring.sample_row + 2 * HT_GPU_PAD) +
           aligned(plane) + aligned(plane * sizeof(int16_t)) +
           aligned(line_bytes(sizes)) + aligned(span_bytes(sizes)) +
           aligned(HT_GPU_ENTRIES * sizeof(struct ht_gpu_entry)) +
           aligned(HT_PATTERN_BYTES) +
           aligned(HT_GPU_CURVES * sizeof(uint16_t)) + aligned(sizes->least) +
           sizes->ring.launches * launch;
}

/* Returns the bytes of the host's memory, pinned. */
static size_t host_total(const struct ht_gpu_sizes *sizes)
{
    size_t launch = sizes->swaths * sizeof(uint32_t) + sizes->ring.state;

    return sizes->ring.rows * (sizes->ring.sample_row + sizes->ring.dot_row) +
           sizes->least + sizes->ring.launches * launch;
}

static bool reserve(void *memory, size_t bytes)
{
    return ht_gpu_ok(
        cudaMalloc(memory, ht_fault("allocate") ? SIZE_MAX / 2 : bytes));
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

    return reserve(&launch->dots,
                   aligned(sizes->ring.part * sizes->ring.dot_row)) &&
           reserve(&launch->ticket, sizeof(uint32_t)) &&
           reserve(&launch->shifts, shifts) &&
           reserve(&launch->errors, sizes->ring.state) &&
           pin(&launch->host_shifts, shifts) &&
           pin(&launch->host_errors, sizes->ring.state) &&
           make_event(&launch->copied) && make_event(&launch->ran) &&
           make_event(&launch->done);
}

static bool make(struct ht_gpu_buffers *buffers)
{
    const struct ht_gpu_sizes *sizes = &buffers->sizes;
    size_t ring = sizes->ring.rows, samples = sizes->samples;

    if (!make_stream(&buffers->in) || !make_stream(&buffers->run) ||
        !make_stream(&buffers->out) ||
        !reserve(&buffers->samples,
                 ring * sizes->ring.sample_row + 2 * HT_GPU_PAD) ||
        !reserve(&buffers->line, line_bytes(sizes)) ||
        !reserve(&buffers->entries,
                 HT_GPU_ENTRIES * sizeof(struct ht_gpu_entry)) ||
        !reserve(&buffers->pattern, HT_PATTERN_BYTES) ||
        !reserve(&buffers->curves, HT_GPU_CURVES * sizeof *buffers->curves) ||
        !pin(&buffers->host_samples, ring * sizes->ring.sample_row) ||
        !pin(&buffers->host_dots, ring * sizes->ring.dot_row) ||
        !pin(&buffers->stop, sizeof *buffers->stop))
        return false;
    if (sizes->deep &&
        (!reserve(&buffers->level, ring * samples + 2 * HT_GPU_PAD) ||
         !reserve(&buffers->tone,
                  (ring * samples + 2 * HT_GPU_PAD) * sizeof(int16_t))))
        return false;
    if (sizes->spans > 0 && !reserve(&buffers->spans, span_bytes(sizes)))
        return false;
    if (sizes->least > 0 && (!reserve(&buffers->least, sizes->least) ||
                             !pin(&buffers->host_least, sizes->least)))
        return false;
    for (size_t i = 0; i < sizes->ring.launches; i++)
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

/* Adds buffers to a list. Needs the mutex. */
static void put(struct ht_gpu_buffers **list, struct ht_gpu_buffers *buffers)
{
    buffers->next = *list;
    *list = buffers;
}

/* Frees buffers whose streams are idle. On a device that hangs that would wait:
 * there they go to the list of lost ones. */
static void free_buffers(struct ht_gpu_buffers *buffers)
{
    const cudaStream_t streams[] = {buffers->in, buffers->run, buffers->out};

    if (ht_gpu_hangs(buffers->device)) {
        pthread_mutex_lock(&mutex);
        put(&lost, buffers);
        pthread_mutex_unlock(&mutex);
        return;
    }
    ht_gpu_select(buffers->device);
    for (int i = 0; i < 3; i++)
        if (streams[i] != NULL)
            cudaStreamDestroy(streams[i]);
    for (size_t i = 0; i < buffers->sizes.ring.launches; i++)
        free_launch(&buffers->launch[i]);
    cudaFree(buffers->samples);
    cudaFree(buffers->level);
    cudaFree(buffers->tone);
    cudaFree(buffers->line);
    cudaFree(buffers->entries);
    cudaFree(buffers->pattern);
    cudaFree(buffers->spans);
    cudaFree(buffers->curves);
    cudaFree(buffers->least);
    cudaFreeHost(buffers->host_samples);
    cudaFreeHost(buffers->host_dots);
    cudaFreeHost(buffers->host_least);
    cudaFreeHost(buffers->stop);
    free(buffers);
}

/* ---- Lists ------------------------------------------------------------ */

static bool same(const struct ht_gpu_sizes *a, const struct ht_gpu_sizes *b)
{
    return a->samples == b->samples && a->deep == b->deep &&
           a->spans == b->spans && a->ring.rows == b->ring.rows &&
           a->ring.sample_row == b->ring.sample_row &&
           a->ring.dot_row == b->ring.dot_row &&
           a->ring.state == b->ring.state && a->swaths == b->swaths &&
           a->least == b->least;
}

/* These need the mutex. */

static void leave(struct ht_gpu_buffers **list, struct ht_gpu_buffers *buffers)
{
    while (*list != buffers)
        list = &(*list)->next;
    *list = buffers->next;
}

/* Returns buffers that wait for such a page on that device; NULL if there are
 * none. */
static struct ht_gpu_buffers *find_waiting(const struct ht_gpu_sizes *sizes,
                                           int device)
{
    struct ht_gpu_buffers *b = waiting;

    while (b != NULL && !(b->device == device && same(&b->sizes, sizes)))
        b = b->next;
    return b;
}

/* Bytes of all buffers: on a device, of which `made` are allocated already, and
 * on the host. */
struct held {
    size_t device, made, host;
};

static void add_held(struct held *held, const struct ht_gpu_buffers *list,
                     int device)
{
    for (const struct ht_gpu_buffers *b = list; b != NULL; b = b->next) {
        size_t bytes = b->device == device ? total(&b->sizes) : 0;

        held->device += bytes;
        held->made += b->made ? bytes : 0;
        held->host += host_total(&b->sizes);
    }
}

/* These take the mutex. */

unsigned ht_gpu_buffers_in_use(int device)
{
    unsigned count = 0;

    pthread_mutex_lock(&mutex);
    for (struct ht_gpu_buffers *b = taken; b != NULL; b = b->next)
        count += device < 0 || b->device == device;
    pthread_mutex_unlock(&mutex);
    return count;
}

bool ht_gpu_buffers_forget(void)
{
    struct ht_gpu_buffers *next;

    pthread_mutex_lock(&mutex);
    struct ht_gpu_buffers *forgotten = waiting;
    waiting = NULL;
    pthread_mutex_unlock(&mutex);
    for (struct ht_gpu_buffers *b = forgotten; b != NULL; b = next) {
        next = b->next;
        free_buffers(b);
    }
    return forgotten != NULL;
}

/* ---- Taking and giving back --------------------------------------------- */

/* Returns the device whose turn it is: of those that have been started, the one
 * with the fewest pages; -1 if each hangs or has `refused`, a bit each. Sets
 * *count to how many have been started. When that one has enough pages, it
 * starts another for those to come. */
static int next_device(uint64_t refused, unsigned *count)
{
    int device, best = -1;
    unsigned pages, fewest = 0;

    for (*count = 0; (device = ht_gpu_started(*count)) >= 0; ++*count) {
        if ((refused >> device & 1) || ht_gpu_hangs(device))
            continue;
        pages = ht_gpu_buffers_in_use(device);
        if (best < 0 || pages < fewest) {
            best = device;
            fewest = pages;
        }
    }
    if (fewest >= FEW_PAGES)
        ht_gpu_start_another();
    return best;
}

static size_t host_memory(void)
{
    long pages = sysconf(_SC_PHYS_PAGES), bytes = sysconf(_SC_PAGESIZE);

    return pages > 0 && bytes > 0 ? (size_t)pages * (size_t)bytes / HOST_SHARE
                                  : SIZE_MAX;
}

/* Says whether the selected device and the host have memory for one more page:
 * HT_ERR_BUSY if they would have without the others, HT_ERR_MEMORY if not even
 * then, HT_ERR_DEVICE if the device does not say. Needs the mutex. */
static ht_status_t afford(const struct ht_gpu_sizes *sizes, int device,
                          size_t most)
{
    struct held held = {0, 0, 0};
    size_t left, host_left = host_memory();

    add_held(&held, taken, device);
    add_held(&held, waiting, device);
    if (!ht_gpu_memory(held.made, most, &left))
        return HT_ERR_DEVICE;
    if (total(sizes) > left || host_total(sizes) > host_left)
        return HT_ERR_MEMORY;
    return held.device + total(sizes) <= left &&
                   held.host + host_total(sizes) <= host_left
               ? HT_OK
               : HT_ERR_BUSY;
}

/* Takes buffers that wait; or, if there is memory for a page more, buffers that
 * are yet to be made. */
static ht_status_t claim(struct ht_gpu_buffers **out,
                         const struct ht_gpu_sizes *sizes, int device,
                         size_t most)
{
    ht_status_t status = HT_OK;

    pthread_mutex_lock(&mutex);
    struct ht_gpu_buffers *buffers = find_waiting(sizes, device);
    if (buffers != NULL) {
        leave(&waiting, buffers);
    } else if ((status = afford(sizes, device, most)) == HT_OK) {
        buffers = calloc(1, sizeof *buffers);
        if (buffers == NULL)
            status = HT_ERR_MEMORY;
        else
            *buffers =
                (struct ht_gpu_buffers){.sizes = *sizes, .device = device};
    }
    if (buffers != NULL)
        put(&taken, buffers);
    pthread_mutex_unlock(&mutex);
    *out = buffers;
    return status;
}

/* Gives up buffers that could not be made, and returns why. */
static ht_status_t not_made(struct ht_gpu_buffers *buffers)
{
    ht_status_t status = ht_gpu_error_status();

    pthread_mutex_lock(&mutex);
    leave(&taken, buffers);
    pthread_mutex_unlock(&mutex);
    free_buffers(buffers);
    return status == HT_ERR_MEMORY && ht_gpu_buffers_in_use(-1) > 0
               ? HT_ERR_BUSY
               : status;
}

static ht_status_t try_device(struct ht_gpu_buffers **out,
                              const struct ht_gpu_sizes *sizes, int device,
                              size_t most)
{
    ht_gpu_select(device);
    ht_status_t status = claim(out, sizes, device, most);
    if (status != HT_OK || (*out)->made)
        return status;
    if (!make(*out))
        return not_made(*out);
    pthread_mutex_lock(&mutex);
    (*out)->made = true;
    pthread_mutex_unlock(&mutex);
    return HT_OK;
}

/* Takes buffers on a device; tries again without the buffers that wait for
 * other pages, which may have been in the way. */
static ht_status_t take_on(struct ht_gpu_buffers **out,
                           const struct ht_gpu_sizes *sizes, int device,
                           size_t most)
{
    ht_status_t status = try_device(out, sizes, device, most);

    return status != HT_OK && ht_gpu_buffers_forget()
               ? try_device(out, sizes, device, most)
               : status;
}

ht_status_t ht_gpu_buffers_take(struct ht_gpu_buffers **out,
                                const struct ht_gpu_sizes *sizes, size_t most)
{
    ht_status_t answer, status = HT_ERR_DEVICE;
    uint64_t refused = 0;
    unsigned count;
    int device;

    assert(sizes->ring.launches <= HT_RING_MOST_LAUNCHES);
    *out = NULL;
    if (ht_fault("open"))
        return HT_ERR_DEVICE;
    if (ht_fault("memory") || (most > 0 && total(sizes) > most))
        return HT_ERR_MEMORY;
    do {
        while ((device = next_device(refused, &count)) >= 0) {
            answer = take_on(out, sizes, device, most);
            if (answer == HT_OK) {
                *(*out)->stop = 0;
                return HT_OK;
            }
            if (status == HT_ERR_DEVICE || answer == HT_ERR_BUSY)
                status = answer;
            refused |= UINT64_C(1) << device;
        }
    } while (status == HT_ERR_DEVICE && ht_gpu_await(count) >= 0);
    *out = NULL;
    if (status != HT_ERR_DEVICE)
        ht_gpu_start_another();
    return status;
}

void ht_gpu_buffers_give_back(struct ht_gpu_buffers *buffers, bool failed)
{
    if (buffers == NULL)
        return;
    ht_gpu_select(buffers->device);
    *(volatile int *)buffers->stop = 1;
    bool idle = ht_gpu_settles(buffers->in) && ht_gpu_settles(buffers->run) &&
                ht_gpu_settles(buffers->out);

    pthread_mutex_lock(&mutex);
    leave(&taken, buffers);
    if (idle && !failed)
        put(&waiting, buffers);
    pthread_mutex_unlock(&mutex);
    if (!idle || failed)
        free_buffers(buffers);
}
