/*
 * engine.c - the OpenCL engine: which program a page needs, and the device's
 * calls, which gpu/host/engine.c makes.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <stdatomic.h>
#include <stdio.h>

#include "gpu/host/engine.h"
#include "gpu/host/rescue.h"
#include "gpu/opencl/buffers.h"
#include "gpu/opencl/call.h"
#include "gpu/opencl/engine.h"
#include "gpu/opencl/launch.h"
#include "gpu/opencl/selftest.h"

static bool cl_available(const ht_page_t *page)
{
    (void)page;
    return ht_cl_device() != NULL && !ht_cl_hangs();
}

static bool cl_pays(const ht_page_t *page, const char **why)
{
    (void)page;
    *why = "OpenCL is only used where it is asked for";
    return false;
}

/* Returns the rows of a brick of Floyd-Steinberg: as many as local memory has
 * room for, since each run is a diagonal of bricks. */
static unsigned brick_rows(const ht_page_t *page)
{
    if (page->inks == 1 && page->bits == 8 &&
        ht_cl_device()->local_bytes >= HT_CL_LARGE_BRICKS)
        return 128;
    return page->inks == 1 ? 64 : page->inks <= 4 ? 32 : 16;
}

/* Programs for a few inks are faster, and need less local memory. */
static struct ht_cl_kind kind_of(const ht_page_t *page)
{
    const ht_method_info_t *info = ht_info_of(page);
    const bool few = page->inks <= HT_CL_FEW_INKS;

    if (!info->diffuses)
        return (struct ht_cl_kind){.method = page->method,
                                   .bytes = page->bits / 8,
                                   .sizes = page->levels > 2,
                                   .items = 1};
    return (struct ht_cl_kind){.method = page->method,
                               .bytes = page->bits / 8,
                               .curves = page->curves != NULL,
                               .meets = ht_inks_meet(page),
                               .sizes = page->levels > 2,
                               .inks = few ? page->inks : 0,
                               .swath = info->swath,
                               .items = info->swath == 0 ? brick_rows(page)
                                        : few            ? HT_CL_WARP
                                                         : 2 * HT_CL_WARP,
                               .block = few ? HT_CL_BLOCK : 1};
}

/* ---- The device's calls ------------------------------------------------- */

/* A device that cannot do the page leaves it to the CPU. */
static ht_status_t cl_open(ht_engine_t *engine)
{
    const struct ht_cl_kind kind = kind_of(&engine->page);
    struct ht_cl_page *own = engine->own;
    ht_status_t status = ht_cl_buffers_make(engine);

    snprintf(engine->device, sizeof engine->device, "OpenCL");
    if (status != HT_OK)
        return status;
    own->program = ht_cl_program(&kind);
    if (own->program == NULL)
        return HT_ERR_MEMORY;
    if (own->program->program == NULL)
        return ht_ring_rescue(engine, "its compiler refuses the kernels");
    return ht_cl_kernels_make(engine) ? HT_OK : ht_ring_rescue(engine, NULL);
}

/* A device that hangs may still write to a page's memory. */
static bool cl_close(ht_engine_t *engine)
{
    static _Atomic(struct ht_cl_page *) abandoned;
    struct ht_cl_page *own = engine->own;

    if (ht_cl_hangs()) {
        own->abandoned = atomic_exchange(&abandoned, own);
        return false;
    }
    ht_cl_buffers_free(own);
    return true;
}

static bool cl_is_over(ht_engine_t *engine, const struct ht_launch *launch)
{
    struct ht_cl_page *own = engine->own;

    return ht_cl_is_over(own, own->launch[launch->number].done);
}

static bool cl_wait(ht_engine_t *engine, const struct ht_launch *launch)
{
    struct ht_cl_page *own = engine->own;

    if (!ht_cl_wait(own, own->launch[launch->number].done) ||
        ht_cl_fails(own, "copy"))
        return false;
    own->kernel_s += ht_cl_kernel_time(&own->launch[launch->number]);
    return true;
}

static const char *cl_error(ht_engine_t *engine)
{
    const struct ht_cl_page *own = engine->own;

    return ht_cl_hangs() ? "no answer" : ht_cl_error_text(own->error);
}

static const struct ht_device_ops device = {
    .name = "OpenCL",
    .page_bytes = sizeof(struct ht_cl_page),
    .open = cl_open,
    .close = cl_close,
    .send = ht_cl_send,
    .run = ht_cl_run,
    .fetch = ht_cl_fetch,
    .is_over = cl_is_over,
    .wait = cl_wait,
    .send_state = ht_cl_send_state,
    .error = cl_error,
};

/* ---- The engine --------------------------------------------------------- */

static ht_status_t open_untested(ht_engine_t *engine)
{
    return ht_ring_open(engine, &device);
}

static const struct ht_engine_ops untested = {.open = open_untested,
                                              HT_RING_CALLS};

/* Says whether the page's program prints the reference's dots; tries it
 * once. */
static bool passes(const ht_engine_t *engine)
{
    struct ht_cl_program *program = ((struct ht_cl_page *)engine->own)->program;
    int verdict = ht_cl_verdict(program);

    if (verdict >= 0)
        return verdict > 0;
    bool passed = ht_cl_passes(engine, &untested);
    ht_cl_set_verdict(program, passed);
    return passed;
}

static ht_status_t open_tested(ht_engine_t *engine)
{
    ht_status_t status = open_untested(engine);
    struct ht_cl_page *own = engine->own;

    if (status != HT_OK || own->ring.rescuer != NULL)
        return status;
    own->has_turn = ht_cl_take_turn();
    if (!own->has_turn)
        return HT_ERR_BUSY;
    return passes(engine) ? HT_OK
                          : ht_ring_rescue(engine, "its dots are others");
}

const struct ht_engine_ops ht_opencl_engine = {.name = "opencl",
                                               .device = true,
                                               .levels = HT_MIXED_LEVELS,
                                               .available = cl_available,
                                               .pays = cl_pays,
                                               .open = open_tested,
                                               HT_RING_CALLS};

/* ---- The module ---------------------------------------------------------- */

static double no_gain(const ht_page_t *page)
{
    (void)page;
    return 0;
}

static void start(void)
{
    (void)ht_cl_device();
}

static bool rest(void)
{
    return !ht_cl_hangs();
}

__attribute__((visibility("default")))
const struct ht_module ht_exported_module = {.version = PACKAGE_VERSION,
                                             .ops = &ht_opencl_engine,
                                             .gain = no_gain,
                                             .start = start,
                                             .rest = rest};
