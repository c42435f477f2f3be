/*
 * dot_sums.c - tables of sums of dots for programs that do not halftone: dots
 * to the device, sums.cu, and the table back.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <cuda_runtime_api.h>
#include <stdlib.h>
#include <string.h>

#include "halftone/base/dot_sums.h"
#include "gpu/cuda/sums.h"

struct dot_sums_device {
    struct dot_rows rows;
    uint32_t pitch;
    cudaStream_t stream;
    uint8_t *host_dots;   /* [rows][inks][line], pinned */
    uint32_t *host_table; /* [rows][pitch], likewise */
    uint8_t *dots;        /* the same on the device */
    uint32_t *table;
    void *scratch;
};

static struct ht_sums shape(const struct dot_sums_device *device, uint32_t rows)
{
    return (struct ht_sums){.width = device->rows.width,
                            .height = rows,
                            .pitch = device->pitch,
                            .planes = 1};
}

static size_t dot_bytes(const struct dot_sums_device *device, uint32_t rows)
{
    return (size_t)rows * device->rows.inks * device->rows.line;
}

static size_t table_bytes(const struct dot_sums_device *device, uint32_t rows)
{
    return (size_t)rows * device->pitch * sizeof *device->table;
}

static void close_device(struct dot_sums_device *device)
{
    if (device == NULL)
        return;
    cudaFree(device->scratch);
    cudaFree(device->table);
    cudaFree(device->dots);
    cudaFreeHost(device->host_table);
    cudaFreeHost(device->host_dots);
    if (device->stream != NULL)
        cudaStreamDestroy(device->stream);
    free(device);
}

static cudaError_t allocate(struct dot_sums_device *device)
{
    uint32_t rows = device->rows.rows;
    struct ht_sums sums = shape(device, rows);
    size_t dots = dot_bytes(device, rows), table = table_bytes(device, rows);
    cudaError_t error =
        cudaStreamCreateWithFlags(&device->stream, cudaStreamNonBlocking);

    if (error == cudaSuccess)
        error = cudaHostAlloc((void **)&device->host_dots, dots,
                              cudaHostAllocDefault);
    if (error == cudaSuccess)
        error = cudaHostAlloc((void **)&device->host_table, table,
                              cudaHostAllocDefault);
    if (error == cudaSuccess)
        error = cudaMalloc((void **)&device->dots, dots);
    if (error == cudaSuccess)
        error = cudaMalloc((void **)&device->table, table);
    if (error == cudaSuccess)
        error = cudaMalloc(&device->scratch, ht_sums_scratch(&sums));
    return error;
}

static struct dot_sums_device *open_device(const struct dot_rows *rows,
                                           const char **why)
{
    struct dot_sums_device *device;
    cudaError_t error;
    int count = 0;

    if (rows->width > HT_SUMS_MOST_WIDTH) {
        *why = "the page is too wide";
        return NULL;
    }
    if (cudaGetDeviceCount(&count) != cudaSuccess || count == 0) {
        *why = "there is no device";
        return NULL;
    }
    device = calloc(1, sizeof *device);
    if (device == NULL) {
        *why = "not enough memory";
        return NULL;
    }
    device->rows = *rows;
    device->pitch =
        (rows->width + HT_SUMS_PIXELS - 1) / HT_SUMS_PIXELS * HT_SUMS_PIXELS;
    error = allocate(device);
    if (error != cudaSuccess) {
        *why = cudaGetErrorString(error);
        close_device(device);
        return NULL;
    }
    return device;
}

static const uint32_t *add(struct dot_sums_device *device, const uint8_t *dots,
                           uint32_t rows, unsigned counted, size_t *pitch)
{
    struct ht_sums sums = shape(device, rows);
    size_t bytes = dot_bytes(device, rows);
    cudaError_t error;

    memcpy(device->host_dots, dots, bytes);
    error = cudaMemcpyAsync(device->dots, device->host_dots, bytes,
                            cudaMemcpyHostToDevice, device->stream);
    if (error == cudaSuccess)
        error = ht_sums_dots(&sums, device->dots, device->rows.inks,
                             device->rows.line, counted, device->scratch,
                             device->table, device->stream);
    if (error == cudaSuccess)
        error = cudaMemcpyAsync(device->host_table, device->table,
                                table_bytes(device, rows),
                                cudaMemcpyDeviceToHost, device->stream);
    if (error == cudaSuccess)
        error = cudaStreamSynchronize(device->stream);
    *pitch = device->pitch;
    return error == cudaSuccess ? device->host_table : NULL;
}

__attribute__((visibility("default")))
const struct dot_sums ht_dot_sums_cuda = {.version = PACKAGE_VERSION,
                                          .open = open_device,
                                          .add = add,
                                          .close = close_device};
