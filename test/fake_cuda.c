/*
 * fake_cuda.c - the part of the CUDA runtime that gpu/engine.c uses, and the
 * launches of gpu/band.h, done by the host at once: so that the engine's ring,
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

#define FAKE_MEMORY ((size_t)4 << 30)
#define START_US 400000

/* Nothing that a thread began gets done before this is not 0. */
static _Thread_local const volatile int *hanging;
static _Thread_local int selected; /* device */

/* Work for a device that is not the selected one is refused. */
static bool is_selected(cudaStream_t stream)
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
    if (!is_selected(stream))
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

void ht_gpu_plan_make(struct ht_gpu_plan *plan, uint32_t width, uint32_t inks,
                      uint32_t bits, uint32_t swath, uint32_t segment)
{
    *plan = (struct ht_gpu_plan){.width = width,
                                 .inks = inks,
                                 .bits = bits,
                                 .segment = segment,
                                 .rows = swath == 0 ? 32 : swath,
                                 .segments = 1,
                                 .groups = 1,
                                 .blocks = 1};
    while (plan->swath_log2 < 31 && 1u << plan->swath_log2 != swath)
        plan->swath_log2++;
}

cudaError_t ht_gpu_prepare(const struct ht_gpu_plan *plan)
{
    (void)plan;
    return cudaSuccess;
}

uint32_t ht_gpu_strips(const struct ht_gpu_plan *plan, uint32_t rows)
{
    return (rows + plan->rows - 1) / plan->rows;
}

/* The table back from what the kernels would get. */
static void decode(struct ht_table *table, const struct ht_gpu_band *band)
{
    memcpy(table->pattern, band->pattern, sizeof table->pattern);
    for (unsigned i = 0; i < HT_LEVELS; i++) {
        const struct ht_gpu_entry *entry = &band->entries[i];
        struct ht_weights *w = &table->level[i];
        int tone = (int16_t)(entry->threshold_tone >> 16);

        w->weight[0] = (int16_t)entry->right_avoid;
        w->weight[1] = (int16_t)(entry->other_minus1 >> 16);
        w->weight[2] = (int16_t)entry->other_minus1;
        w->column[1] = -1;
        w->column[2] = entry->other_column == 0x80     ? 1
                       : entry->other_column == 0x8000 ? -2
                                                       : -3;
        w->avoid = (int16_t)(entry->right_avoid >> 16);
        w->t_upper = (int16_t)((int16_t)entry->threshold_tone + 1 +
                               (band->tone == NULL ? tone : 0));
    }
}

static void diffuse_ink(const struct ht_scan *scan,
                        const struct ht_place *place,
                        const struct ht_gpu_band *band, uint32_t inks,
                        uint32_t row, uint32_t ink, int16_t *rows[4],
                        int32_t *before, uint8_t *dots)
{
    size_t width = scan->width;
    size_t plane = ((size_t)row * band->row_step * inks + ink) * width;
    uint32_t *line = band->line + ink * width;

    ht_tones_from_samples(band->level + plane, 8, scan->width, rows[0],
                          (uint8_t *)rows[1]);
    if (band->tone != NULL)
        memcpy(rows[0], band->tone + plane, width * sizeof *rows[0]);
    for (size_t x = 0; x < width; x++)
        rows[2][x] = (int16_t)line[x];
    ht_diffuse_row(scan, place, ink, rows[0], band->level + plane, rows[2],
                   rows[3], before, dots);
    for (size_t x = 0; x < width; x++)
        line[x] = (line[x] & 0xffff0000u) | (uint16_t)rows[3][x];
}

cudaError_t ht_gpu_diffuse(const struct ht_gpu_plan *plan,
                           const struct ht_gpu_band *band, cudaStream_t stream)
{
    size_t width = plan->width, dot_bytes = (width + 7) / 8;
    uint32_t swath = plan->swath_log2 == 31 ? 0 : 1u << plan->swath_log2;
    struct ht_table table;
    struct ht_scan scan = {&table, plan->width, swath, plan->segment};
    int16_t *rows[4];
    int32_t *before = malloc(width * sizeof *before);
    uint8_t *unseen = malloc(dot_bytes);

    if (!is_selected(stream))
        return cudaErrorInvalidResourceHandle;
    for (int i = 0; i < 4; i++)
        rows[i] = malloc(width * sizeof *rows[i]);
    memset(&table, 0, sizeof table);
    decode(&table, band);
    for (size_t i = 0; i < plan->inks * width; i++)
        if (band->line[i] >> 16 != (band->strip & 0xffff))
            return cudaErrorLaunchFailure;
    for (uint32_t row = 0; row < band->rows; row++) {
        struct ht_place place = {band->row + row, 0};
        uint64_t first = band->row >> plan->swath_log2;

        place.shift = band->shifts[(place.row >> plan->swath_log2) - first];
        memset(before, 0, width * sizeof *before);
        for (uint32_t ink = 0; ink < plan->inks; ink++) {
            uint8_t *dots =
                band->dots == NULL
                    ? unseen
                    : band->dots + ((size_t)row * plan->inks + ink) * dot_bytes;
            diffuse_ink(&scan, &place, band, plan->inks, row, ink, rows, before,
                        dots);
        }
    }
    uint32_t strip = band->strip + ht_gpu_strips(plan, band->rows);
    for (size_t i = 0; i < plan->inks * width; i++)
        band->line[i] = strip << 16 | (band->line[i] & 0xffff);
    for (int i = 0; i < 4; i++)
        free(rows[i]);
    free(before);
    free(unseen);
    return cudaSuccess;
}

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
