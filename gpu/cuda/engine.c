/*
 * engine.c - the CUDA engine: what a page needs of a device, and the device's
 * calls, which gpu/host/engine.c makes.
 *
 * A launch copies in, diffuses and copies out in three CUDA streams, so that
 * launches overlap. The way of a row, from there on:
 *
 *     ht_gpu_send(), run, fetch  launch.c: the copies and kernels of a launch
 *     ht_gpu_diffuse()           plan.c: the kernel of the page's method
 *     diffuse(), floyd()         tdfed/tdfed.cu, floyd/floyd.cu: roles of warps
 *     the error line             line.cuh: from sweep to sweep, word by word
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <stdio.h>

#include "gpu/host/engine.h"
#include "gpu/cuda/choice.h"
#include "gpu/cuda/device.h"
#include "gpu/cuda/launch.h"
#include "gpu/cuda/page.h"
#include "gpu/cuda/start.h"
#include "gpu/cuda/worth.h"
#include "halftone/least.h"

#define MOST_ROWS ((size_t)16384)    /* of a ring for a whole page */
#define BUSY_BYTES ((size_t)8 << 20) /* samples keep a device busy */

/* Measures a page whose ring has all of it, or if it is very long MOST_ROWS,
 * where the next page comes in meanwhile (`whole_page`); else what keeps the
 * device busy. */
static struct ht_gpu_sizes measure(const ht_page_t *page, bool whole_page)
{
    const bool diffuses = ht_info_of(page)->diffuses,
               several = diffuses && page->levels > 2;
    const size_t sample_row =
        (size_t)page->inks * page->width * (page->bits / 8);
    const size_t busy = ht_ring_whole_swaths(BUSY_BYTES / sample_row);
    struct ht_ring_sizes ring =
        ht_ring_measure(page, whole_page ? MOST_ROWS : busy);
    size_t parts = (ring.rows + ring.part - 1) / ring.part;

    ring.launches =
        ht_least(parts, HT_RING_PARTS) + HT_RING_MOST_LAUNCHES - HT_RING_PARTS;

    const size_t samples = (size_t)page->inks * page->width;
    return (struct ht_gpu_sizes){
        .ring = ring,
        .samples = samples,
        .deep =
            several || (diffuses && (page->bits == 16 || page->curves != NULL)),
        .spans = several ? samples * ht_most(ring.part, HT_PREROLL) : 0,
        .swaths = ht_most(ring.part, HT_PREROLL),
        .least = diffuses ? 0 : ht_least_bytes(page)};
}

static bool cuda_close(ht_engine_t *engine)
{
    struct ht_gpu_page *own = engine->own;

    ht_gpu_buffers_give_back(own->buffers, own->ring.failed);
    return true;
}

static ht_status_t cuda_open(ht_engine_t *engine)
{
    const ht_page_t *page = &engine->page;
    struct ht_gpu_page *own = engine->own;
    struct ht_gpu_sizes sizes = measure(page, ht_gpu_slower_than_input(page));
    ht_status_t status =
        ht_gpu_buffers_take(&own->buffers, &sizes, page->device_memory);

    if (status == HT_ERR_MEMORY && page->height > 0) {
        sizes = measure(page, false);
        status =
            ht_gpu_buffers_take(&own->buffers, &sizes, page->device_memory);
    }
    if (status != HT_OK)
        return status;
    snprintf(engine->device, sizeof engine->device, "GPU %d",
             own->buffers->device);
    own->ring.sizes = sizes.ring;
    own->ring.samples = own->buffers->host_samples;
    own->ring.dots = own->buffers->host_dots;
    for (size_t i = 0; i < sizes.ring.launches; i++)
        own->ring.launch[i].errors = own->buffers->launch[i].host_errors;
    own->ring.failed = !ht_gpu_open_page(engine);
    return own->ring.failed ? HT_ERR_DEVICE : HT_OK;
}

static void cuda_select(ht_engine_t *engine)
{
    const struct ht_gpu_page *own = engine->own;

    ht_gpu_select(own->buffers->device);
}

static bool cuda_is_over(ht_engine_t *engine, const struct ht_launch *launch)
{
    const struct ht_gpu_page *own = engine->own;

    return ht_gpu_is_over(own->buffers->launch[launch->number].done);
}

static bool cuda_wait(ht_engine_t *engine, const struct ht_launch *launch)
{
    const struct ht_gpu_page *own = engine->own;

    return ht_gpu_wait(own->buffers->launch[launch->number].done,
                       own->buffers->stop) &&
           !ht_gpu_fails("copy");
}

static const char *cuda_error(ht_engine_t *engine)
{
    const struct ht_gpu_page *own = engine->own;

    return ht_gpu_hangs(own->buffers->device) ? "no answer" : ht_gpu_error();
}

static const struct ht_device_ops device = {
    .name = "the GPU",
    .page_bytes = sizeof(struct ht_gpu_page),
    .open = cuda_open,
    .close = cuda_close,
    .select = cuda_select,
    .send = ht_gpu_send,
    .run = ht_gpu_run,
    .fetch = ht_gpu_fetch,
    .is_over = cuda_is_over,
    .wait = cuda_wait,
    .send_state = ht_gpu_send_state,
    .error = cuda_error,
};

static ht_status_t open_with_device(ht_engine_t *engine)
{
    return ht_ring_open(engine, &device);
}

static const struct ht_engine_ops cuda_engine = {.name = "cuda",
                                                 .device = true,
                                                 .levels = HT_MIXED_LEVELS,
                                                 .available = ht_gpu_available,
                                                 .pays = ht_gpu_pays,
                                                 .open = open_with_device,
                                                 HT_RING_CALLS};

/* ---- The module ---------------------------------------------------------- */

static void start(void)
{
    if (ht_gpu_started(0) < 0)
        ht_gpu_start_another();
}

/* While a device is being started, the driver may keep calls for others
 * waiting. */
static bool rest(void)
{
    if (ht_gpu_is_starting())
        return false;
    ht_gpu_buffers_forget();
    return !ht_gpu_any_hangs();
}

__attribute__((visibility("default")))
const struct ht_module ht_exported_module = {.version = PACKAGE_VERSION,
                                             .ops = &cuda_engine,
                                             .gain = ht_gpu_most_gain,
                                             .start = start,
                                             .rest = rest};
