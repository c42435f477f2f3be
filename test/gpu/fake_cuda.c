/*
 * fake_cuda.c - a fake of the CUDA runtime, as far as gpu/cuda/ uses it, and of
 * a launch that hangs: so the engine's ring, its launches under way and its
 * rescue can be tested where there is no GPU.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "gpu/cuda/band.h"
#include "test/gpu/fake_cuda.h"

#define FAKE_MEMORY ((size_t)4 << 30)
#define START_MS "200" /* or what HALFTONE_FAKE_START says */
#define QUERIES 4      /* questions until an event is over */

/* Nothing that this thread has begun gets done before this is not 0. */
static _Thread_local const volatile int *hanging;
static _Thread_local int selected; /* device */
static _Thread_local cudaError_t last_error;

#define MULTIPROCESSORS 20

/* Bytes that a block may have, and a multiprocessor: of a large device, a small
 * one, and one between, whose crowds use packed tables. */
static const int shared_memory[] = {227 << 10, 64 << 10, 163 << 10};
#define DEVICES (int)(sizeof shared_memory / sizeof shared_memory[0])

/* Nothing that such a device was given gets done any more. */
static atomic_bool dead[DEVICES];

/* Streams and events are pointers to the number of their device. */
static int device_of(const void *stream_or_event)
{
    return *(const int *)stream_or_event;
}

bool fake_is_selected(cudaStream_t stream)
{
    return device_of(stream) == selected;
}

/* ---- The runtime ------------------------------------------------------ */

static void take_a_while(void)
{
    const char *ms = getenv("HALFTONE_FAKE_START");

    usleep(1000u * (unsigned)atoi(ms != NULL ? ms : START_MS));
}

/* The first call starts the driver, for which others wait. */
cudaError_t cudaGetDeviceCount(int *count)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;

    pthread_once(&once, take_a_while);
    *count = DEVICES;
    return cudaSuccess;
}

cudaError_t cudaSetDevice(int device)
{
    if (device >= DEVICES)
        return cudaErrorInvalidDevice;
    selected = device;
    return cudaSuccess;
}

cudaError_t cudaMemGetInfo(size_t *available, size_t *total)
{
    *available = *total = FAKE_MEMORY;
    return cudaSuccess;
}

cudaError_t cudaGetDevice(int *device)
{
    *device = selected;
    return cudaSuccess;
}

cudaError_t cudaDeviceGetAttribute(int *value, enum cudaDeviceAttr attribute,
                                   int device)
{
    *value = attribute == cudaDevAttrMultiProcessorCount
                 ? MULTIPROCESSORS
                 : shared_memory[device];
    return cudaSuccess;
}

cudaError_t cudaFuncSetAttribute(const void *kernel,
                                 enum cudaFuncAttribute attribute, int value)
{
    (void)kernel;
    (void)attribute;
    return value <= shared_memory[selected] ? cudaSuccess
                                            : cudaErrorInvalidValue;
}

const char *cudaGetErrorString(cudaError_t error)
{
    return error == cudaErrorLaunchTimeout ? "timeout" : "made to fail";
}

/* Keeps the error until it is asked for, as the runtime does. */
cudaError_t cudaGetLastError(void)
{
    cudaError_t error = last_error;

    last_error = cudaSuccess;
    return error;
}

cudaError_t cudaMalloc(void **memory, size_t bytes)
{
    *memory = bytes <= FAKE_MEMORY ? malloc(bytes) : NULL;
    if (*memory == NULL)
        return last_error = cudaErrorMemoryAllocation;
    memset(*memory, 0xa5, bytes);
    return cudaSuccess;
}

static cudaError_t make_number(int **number)
{
    cudaError_t error = cudaMalloc((void **)number, sizeof **number);

    if (error == cudaSuccess)
        **number = selected;
    return error;
}

cudaError_t cudaHostAlloc(void **memory, size_t bytes, unsigned flags)
{
    (void)flags;
    return cudaMalloc(memory, bytes);
}

/* cudaFree(NULL) starts the device. */
cudaError_t cudaFree(void *memory)
{
    static atomic_bool started[DEVICES];

    if (memory == NULL && !atomic_exchange(&started[selected], true))
        take_a_while();
    free(memory);
    return cudaSuccess;
}

cudaError_t cudaFreeHost(void *memory)
{
    free(memory);
    return cudaSuccess;
}

cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t bytes,
                            enum cudaMemcpyKind kind, cudaStream_t stream)
{
    (void)kind;
    if (!fake_is_selected(stream))
        return cudaErrorInvalidResourceHandle;
    memcpy(to, from, bytes);
    return cudaSuccess;
}

cudaError_t cudaMemcpy2DAsync(void *to, size_t to_pitch, const void *from,
                              size_t from_pitch, size_t bytes, size_t rows,
                              enum cudaMemcpyKind kind, cudaStream_t stream)
{
    (void)kind;
    if (!fake_is_selected(stream))
        return cudaErrorInvalidResourceHandle;
    for (size_t row = 0; row < rows; row++)
        memcpy((char *)to + row * to_pitch,
               (const char *)from + row * from_pitch, bytes);
    return cudaSuccess;
}

cudaError_t cudaMemsetAsync(void *memory, int value, size_t bytes,
                            cudaStream_t stream)
{
    (void)stream;
    memset(memory, value, bytes);
    return cudaSuccess;
}

cudaError_t cudaEventCreateWithFlags(cudaEvent_t *event, unsigned flags)
{
    (void)flags;
    return make_number((int **)event);
}

cudaError_t cudaEventDestroy(cudaEvent_t event)
{
    return cudaFree(event);
}

cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream)
{
    (void)event;
    (void)stream;
    return cudaSuccess;
}

/* Returns whether a launch that hangs is in the way. */
static bool is_waiting(const void *stream_or_event)
{
    if (hanging != NULL && *hanging != 0)
        hanging = NULL;
    return hanging != NULL || atomic_load(&dead[device_of(stream_or_event)]);
}

/* Events are not over at once, so several launches are under way. */
cudaError_t cudaEventQuery(cudaEvent_t event)
{
    static atomic_uint queries;

    if (is_waiting(event))
        return cudaErrorNotReady;
    return atomic_fetch_add(&queries, 1) % QUERIES + 1 < QUERIES
               ? cudaErrorNotReady
               : cudaSuccess;
}

cudaError_t cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned flags)
{
    (void)flags;
    return make_number((int **)stream);
}

cudaError_t cudaStreamDestroy(cudaStream_t stream)
{
    return cudaFree(stream);
}

cudaError_t cudaStreamQuery(cudaStream_t stream)
{
    return is_waiting(stream) ? cudaErrorNotReady : cudaSuccess;
}

/* Work was done when it was asked for. */
cudaError_t cudaStreamSynchronize(cudaStream_t stream)
{
    return is_waiting(stream) ? cudaErrorLaunchFailure : cudaSuccess;
}

cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event,
                                unsigned flags)
{
    (void)stream;
    (void)event;
    (void)flags;
    return cudaSuccess;
}

/* ---- The launch of gpu/cuda/hang.cu -----------------------------------------
 */

cudaError_t ht_gpu_hang(const int *stop, cudaStream_t stream)
{
    hanging = stop;
    if (stop == NULL)
        atomic_store(&dead[device_of(stream)], true);
    return cudaSuccess;
}
