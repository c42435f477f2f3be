/*
 * gpu_peers_pixel.cu - pixel-wise error diffusion and collection (PWED, PWEC)
 * of Kasagi, Nakano and Ito: in step k every row y does its pixel k - 2y, one
 * launch a step, 3 size - 2 steps.
 *
 * As in the paper, the 32-bit errors of the whole page lie in the device's
 * memory, row by row, so no two threads of a step touch neighbouring words.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "gpu_peers_device.h"

#define STEP_THREADS 64u /* few, which spreads a short step over the chip */

/* Pushes the error of one pixel a thread. The pixels to the right and below
 * left may get errors of two rows in the same step, which takes atomics.
 * `error` holds 16 times what each pixel got so far, 0 at first. */
static __global__ void diffuse_step(const struct peer_page page, uint32_t step,
                                    uint32_t first, uint32_t count)
{
    uint32_t t = blockIdx.x * blockDim.x + threadIdx.x;
    if (t >= count)
        return;
    uint32_t y = first + t, x = step - 2 * y;
    size_t at = y * page.pitch + x;
    int32_t *own = page.error + at, *below = own + page.pitch;
    int32_t e = 0;

    page.dots[at] = peer_dot(peer_tone(page.tone[at]) + *own, &e);
    if (x + 1 < page.size)
        atomicAdd(own + 1, 7 * e);
    if (y + 1 == page.size)
        return;
    if (x > 0)
        atomicAdd(below - 1, 3 * e);
    below[0] += 5 * e;
    if (x + 1 < page.size)
        below[1] += e;
}

/* Pulls the errors of one pixel's neighbours a thread. */
static __global__ void collect_step(const struct peer_page page, uint32_t step,
                                    uint32_t first, uint32_t count)
{
    uint32_t t = blockIdx.x * blockDim.x + threadIdx.x;
    if (t >= count)
        return;
    uint32_t y = first + t, x = step - 2 * y;
    size_t at = y * page.pitch + x;
    int32_t *own = page.error + at, *above = own - page.pitch;
    int32_t sum = peer_tone(page.tone[at]);

    if (x > 0)
        sum += 7 * own[-1];
    if (x > 0 && y > 0)
        sum += above[-1];
    if (y > 0)
        sum += 5 * above[0];
    if (x + 1 < page.size && y > 0)
        sum += 3 * above[1];
    page.dots[at] = peer_dot(sum, own);
}

/* Launches all steps, each with the rows that have a pixel in it. */
static bool launch_steps(const struct peer_page *page, bool diffuse)
{
    uint32_t last = page->size - 1;

    for (uint32_t step = 0; step <= 3 * last; step++) {
        uint32_t first = step > last ? (step - last + 1) / 2 : 0;
        uint32_t end = step / 2 < last ? step / 2 : last;
        uint32_t count = end - first + 1;
        uint32_t blocks = (count + STEP_THREADS - 1) / STEP_THREADS;

        if (diffuse)
            diffuse_step<<<blocks, STEP_THREADS, 0, page->stream>>>(
                *page, step, first, count);
        else
            collect_step<<<blocks, STEP_THREADS, 0, page->stream>>>(
                *page, step, first, count);
    }
    CUDA_TRY(cudaGetLastError());
    return true;
}

bool peer_pwed(const struct peer_page *page)
{
    CUDA_TRY(cudaMemsetAsync(page->error, 0,
                             page->size * page->pitch * sizeof *page->error,
                             page->stream));
    return launch_steps(page, true);
}

bool peer_pwec(const struct peer_page *page)
{
    return launch_steps(page, false);
}
