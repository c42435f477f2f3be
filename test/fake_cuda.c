/*
 * fake_cuda.c - the part of the CUDA runtime that gpu/engine.c uses, and the
 * launches of gpu/rows.cu, done by the host at once: so that the engine's ring,
 * streams of launches and rescue can be tested where there is no GPU.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "gpu/band.h"
#include "halftone/internal.h"
#include "test/fake_cuda.h"

#define FAKE_MEMORY ((size_t)4 << 30)
#define START_US 400000

/* Nothing that a thread began gets done before this is not 0. */
static _Thread_local const volatile int *hanging;
static _Thread_local int selected; /* device */

#define MULTIPROCESSORS 20

/* Of a block and of a multiprocessor: a large device and a small one. */
static const int shared_memory[] = {227 << 10, 64 << 10};

bool fake_is_selected(cudaStream_t stream)
{
    return *(const int *)stream == selected;
}

/* ---- The runtime ------------------------------------------------------ */

cudaError_t cudaGetDeviceCount(int *count)
{
    *count = 2;
    return cudaSuccess;
}

cudaError_t cudaSetDevice(int device)
{
    if (device >= 2)
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

cudaError_t cudaMalloc(void **memory, size_t bytes)
{
    *memory = malloc(bytes);
    if (*memory != NULL)
        memset(*memory, 0xa5, bytes);
    return *memory != NULL ? cudaSuccess : cudaErrorMemoryAllocation;
}

cudaError_t cudaHostAlloc(void **memory, size_t bytes, unsigned flags)
{
    (void)flags;
    return cudaMalloc(memory, bytes);
}

/* Of nothing, it starts the devices, and that takes a while. */
cudaError_t cudaFree(void *memory)
{
    static atomic_flag started = ATOMIC_FLAG_INIT;

    if (memory == NULL && !atomic_flag_test_and_set(&started))
        usleep(START_US);
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
    return cudaMalloc((void **)event, 1);
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

cudaError_t cudaEventQuery(cudaEvent_t event)
{
    (void)event;
    if (hanging != NULL && *hanging == 0)
        return cudaErrorNotReady;
    hanging = NULL;
    return cudaSuccess;
}

cudaError_t cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned flags)
{
    (void)flags;
    cudaError_t error = cudaMalloc((void **)stream, sizeof(int));

    if (error == cudaSuccess)
        *(int *)*stream = selected;
    return error;
}

cudaError_t cudaStreamDestroy(cudaStream_t stream)
{
    return cudaFree(stream);
}

cudaError_t cudaStreamSynchronize(cudaStream_t stream)
{
    (void)stream;
    return cudaSuccess;
}

cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event,
                                unsigned flags)
{
    (void)stream;
    (void)event;
    (void)flags;
    return cudaSuccess;
}

/* ---- The launches ----------------------------------------------------- */

cudaError_t ht_gpu_set_line(uint32_t *line, const int16_t *errors, size_t count,
                            uint32_t strip, cudaStream_t stream)
{
    (void)stream;
    for (size_t i = 0; i < count; i++)
        line[i] = strip << 16 | (errors == NULL ? 0 : (uint16_t)errors[i]);
    return cudaSuccess;
}

cudaError_t ht_gpu_get_line(const uint32_t *line, int16_t *errors, size_t count,
                            cudaStream_t stream)
{
    (void)stream;
    for (size_t i = 0; i < count; i++)
        errors[i] = (int16_t)line[i];
    return cudaSuccess;
}

cudaError_t ht_gpu_split(const uint16_t *samples, int16_t *tone, uint8_t *level,
                         size_t count, cudaStream_t stream)
{
    (void)stream;
    ht_tones_from_samples(samples, 16, (uint32_t)count, tone, level);
    return cudaSuccess;
}

cudaError_t ht_gpu_hang(const int *stop, cudaStream_t stream)
{
    (void)stream;
    hanging = stop;
    return cudaSuccess;
}

cudaError_t ht_gpu_threshold(const void *samples, uint32_t bits, uint8_t *dots,
                             uint32_t width, size_t rows, cudaStream_t stream)
{
    const uint8_t *row = samples;

    (void)stream;
    for (size_t y = 0; y < rows; y++) {
        memset(dots, 0, (width + 7) / 8);
        for (uint32_t x = 0; x < width; x++) {
            uint8_t level;
            int16_t tone;

            ht_tones_from_samples(row + x * (bits / 8), bits, 1, &tone, &level);
            if (tone >= HT_ONE / 2)
                dots[x / 8] |= (uint8_t)(0x80 >> x % 8);
        }
        row += width * (bits / 8);
        dots += (width + 7) / 8;
    }
    return cudaSuccess;
}
