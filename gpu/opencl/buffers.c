/*
 * buffers.c - the memory of a page, on the device and on the host.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "halftone/least.h"
#include "gpu/opencl/buffers.h"
#include "gpu/opencl/call.h"
#include "gpu/opencl/drops.h"
#include "halftone/sizes.h"

#define LEAST_PART 64                   /* rows */
#define MOST_RING ((size_t)16384)       /* rows, of a whole page */
#define GPU_SAMPLES ((size_t)1 << 28)   /* of a part: it has a deadline */
#define OTHER_SAMPLES ((size_t)1 << 22) /* of a processor, */
#define RECORD ((size_t)16)             /* bytes of a pixel, prepare.cl's */
#define RECORDS_SLACK ((size_t)256)     /* before and behind all of them */
#define MOST_RECORDS ((size_t)1 << 25)  /* bytes, if a swath has no more */
/* Rows of Floyd-Steinberg that are worth a launch while more come in: it takes
 * as long as its width and three times its height, one after the other. */
#define FLOYD_ROWS ((size_t)1024)

#define CARRY ((size_t)28)        /* bytes, floyd.cl's carry_t */
#define CARRIED_LIGHT ((size_t)8) /* and carried_light_t */
#define RULES (2 + HT_MAX_INKS)   /* rules_t */

/* ---- Sizes -------------------------------------------------------------- */

static bool is_tdfed(const ht_page_t *page)
{
    return ht_info_of(page)->diffuses && ht_info_of(page)->swath > 0;
}

static bool is_floyd(const ht_page_t *page)
{
    return ht_info_of(page)->diffuses && ht_info_of(page)->swath == 0;
}

/* Returns how many rows of TDFED are prepared at once: whole swaths. */
static size_t prepared_rows(size_t samples)
{
    size_t rows = MOST_RECORDS / RECORD / samples;

    return ht_ring_whole_swaths(ht_most(1, ht_least(rows, HT_CL_PREPARED)));
}

static size_t records_bytes(size_t prepared, size_t samples)
{
    return (prepared * samples + RECORDS_SLACK) * RECORD;
}

/* Returns what the rows of a part hand from brick to brick. */
static size_t carry_bytes(const ht_page_t *page, size_t part)
{
    return part * (page->inks * CARRY + CARRIED_LIGHT);
}

/* `whole_page`: the ring has the whole page. Floyd-Steinberg's launches are as
 * tall as the ring. */
static struct ht_cl_sizes measure(const ht_page_t *page, bool whole_page)
{
    const size_t samples = (size_t)page->inks * page->width;
    const size_t most_samples =
        ht_cl_device()->gpu ? GPU_SAMPLES : OTHER_SAMPLES;
    struct ht_cl_sizes sizes = {
        .ring = ht_ring_measure(page, whole_page ? MOST_RING : 0)};
    struct ht_ring_sizes *ring = &sizes.ring;

    if (is_floyd(page)) {
        ring->part = ring->rows;
        ring->worth = FLOYD_ROWS;
    }
    ring->part = ht_most(
        LEAST_PART,
        ht_least(ring->part, ht_ring_whole_swaths(most_samples / samples)));
    ring->launches = HT_CL_LAUNCHES;
    sizes.device = (ring->part + 1) * ring->sample_row +
                   ring->part * ring->dot_row + ring->state;
    if (is_tdfed(page)) {
        sizes.prepared = prepared_rows(samples);
        sizes.device +=
            ring->part * samples + records_bytes(sizes.prepared, samples);
    }
    if (is_floyd(page))
        sizes.device += carry_bytes(page, ring->part);
    return sizes;
}

/* ---- Buffers --------------------------------------------------------------
 */

/* Allocates memory of the device, and fills it if `from` is not NULL. */
static bool get(struct ht_cl_page *own, cl_mem *out, size_t bytes, void *from)
{
    cl_mem_flags copy = from != NULL ? CL_MEM_COPY_HOST_PTR : 0;
    cl_int error = CL_SUCCESS;

    /* COPY_HOST_PTR only reads. */
    *out = ht_cl()->clCreateBuffer(
        ht_cl_device()->context, CL_MEM_READ_WRITE | copy, bytes, from, &error);
    return ht_cl_ok(own, error);
}

/* Allocates memory of the host that the device can reach. */
static bool get_host(struct ht_cl_page *own, struct ht_cl_memory *out,
                     size_t bytes)
{
    cl_int error = CL_SUCCESS;

    out->device = ht_cl()->clCreateBuffer(
        ht_cl_device()->context, CL_MEM_READ_WRITE | CL_MEM_ALLOC_HOST_PTR,
        bytes, NULL, &error);
    if (!ht_cl_ok(own, error))
        return false;
    out->host = ht_cl()->clEnqueueMapBuffer(own->queue, out->device, CL_TRUE,
                                            CL_MAP_READ | CL_MAP_WRITE, 0,
                                            bytes, 0, NULL, NULL, &error);
    return ht_cl_ok(own, error);
}

/* The levels of a page's table as prepare.cl has them. */
static void fill_levels(const ht_page_t *page, int16_t (*to)[8])
{
    const struct ht_sizes sizes = ht_sizes_of(page);

    for (unsigned i = 0; i < HT_LEVELS; i++) {
        const struct ht_weights *w = &page->table->level[i];

        to[i][0] = w->weight[0];
        to[i][1] = w->weight[1];
        to[i][2] = w->weight[2];
        to[i][3] = w->t_upper;
        to[i][4] = w->t_lower;
        to[i][5] = ht_noise_where_begins(&sizes, page->table, (uint8_t)i);
        to[i][6] = (int16_t)((w->column[1] & 0xff) | w->column[2] * 256);
        to[i][7] = (int16_t)(2 * w->feedback);
    }
}

static bool make_rules(ht_engine_t *engine)
{
    const ht_page_t *page = &engine->page;
    struct ht_cl_page *own = engine->own;
    int32_t rules[RULES] = {0};

    if (ht_inks_meet(page)) {
        const struct ht_meeting_rules own_rules = ht_rules_of(page);

        rules[0] = own_rules.from;
        rules[1] = own_rules.steps;
        for (uint32_t i = 0; i < page->inks; i++)
            rules[2 + i] = own_rules.absorbed[i];
    }
    return get(own, &own->rules, sizeof rules, rules);
}

/* Makes what TDFED alone has. */
static bool make_tdfed(ht_engine_t *engine)
{
    const ht_page_t *page = &engine->page;
    struct ht_cl_page *own = engine->own;
    const size_t samples = (size_t)page->inks * page->width;
    int16_t levels[HT_LEVELS][8];

    fill_levels(page, levels);
    return get(own, &own->levels, sizeof levels, levels) &&
           get(own, &own->records, records_bytes(own->prepared, samples),
               NULL) &&
           get(own, &own->dots, own->ring.sizes.part * samples, NULL);
}

/* Makes what pixels of several sizes depend on, and the pattern. */
static bool make_drops(ht_engine_t *engine)
{
    struct ht_cl_page *own = engine->own;
    struct ht_cl_drops drops = ht_cl_drops_of(&engine->page);
    uint8_t bitmaps[HT_CL_BITMAPS * HT_PATTERN_BYTES];

    if (!ht_info_of(&engine->page)->diffuses)
        return true;
    ht_cl_fill_bitmaps(&engine->page, bitmaps);
    return get(own, &own->drops, sizeof drops, &drops) &&
           get(own, &own->pattern, sizeof bitmaps, bitmaps);
}

static bool make_curves(ht_engine_t *engine)
{
    struct ht_cl_page *own = engine->own;
    uint16_t curves[HT_MAX_INKS][HT_LEVELS] = {{0}};

    for (uint32_t i = 0; engine->page.curves != NULL && i < engine->page.inks;
         i++)
        memcpy(curves[i], engine->page.curves[i], sizeof curves[i]);
    return get(own, &own->curves, sizeof curves, curves);
}

static bool make_least(ht_engine_t *engine)
{
    struct ht_cl_page *own = engine->own;
    const size_t bytes = ht_least_bytes(&engine->page);
    void *samples;

    if (ht_info_of(&engine->page)->diffuses)
        return true;
    assert(bytes > 0);
    samples = malloc(bytes);
    if (samples == NULL)
        return false;
    ht_find_least(&engine->page, engine->ranks, samples);
    bool ok = get(own, &own->least, bytes, samples);
    free(samples);
    return ok;
}

static bool make_queue(struct ht_cl_page *own)
{
    cl_int error = CL_SUCCESS;

    own->queue = ht_cl()->clCreateCommandQueue(
        ht_cl_device()->context, ht_cl_device()->id,
        ht_cl_keeps_times ? CL_QUEUE_PROFILING_ENABLE : 0, &error);
    return ht_cl_ok(own, error);
}

static bool make_all(ht_engine_t *engine)
{
    struct ht_cl_page *own = engine->own;
    const struct ht_ring_sizes *sizes = &own->ring.sizes;
    const cl_short zero = 0;

    if (!make_queue(own) ||
        !get_host(own, &own->host_samples, sizes->rows * sizes->sample_row) ||
        !get_host(own, &own->host_dots, sizes->rows * sizes->dot_row) ||
        !get_host(own, &own->host_errors, HT_CL_LAUNCHES * sizes->state) ||
        !get(own, &own->samples,
             (sizes->part + 1) * sizes->sample_row + (size_t)2 * HT_CL_PAD,
             NULL) ||
        !get(own, &own->bits, sizes->part * sizes->dot_row, NULL) ||
        !get(own, &own->line, sizes->state, NULL) || !make_rules(engine) ||
        !make_drops(engine) || !make_curves(engine) || !make_least(engine))
        return false;
    if (is_tdfed(&engine->page) && !make_tdfed(engine))
        return false;
    if (is_floyd(&engine->page) &&
        !get(own, &own->carry, carry_bytes(&engine->page, sizes->part), NULL))
        return false;
    int16_t *errors = own->host_errors.host;
    for (size_t i = 0; i < HT_CL_LAUNCHES; i++)
        own->ring.launch[i].errors =
            errors + i * (sizes->state / sizeof *errors);
    own->ring.samples = own->host_samples.host;
    own->ring.dots = own->host_dots.host;
    return ht_cl_ok(own, ht_cl()->clEnqueueFillBuffer(
                             own->queue, own->line, &zero, sizeof zero, 0,
                             sizes->state, 0, NULL, NULL));
}

ht_status_t ht_cl_buffers_make(ht_engine_t *engine)
{
    struct ht_cl_page *own = engine->own;
    const ht_page_t *page = &engine->page;
    ht_status_t status;

    struct ht_cl_sizes sizes = measure(page, true);
    status = ht_cl_take_memory(sizes.device, page->device_memory);
    if (status == HT_ERR_MEMORY || sizes.device > ht_cl_device()->buffer) {
        if (status == HT_OK)
            ht_cl_give_memory(sizes.device);
        sizes = measure(page, false);
        status = ht_cl_take_memory(sizes.device, page->device_memory);
    }
    if (status != HT_OK)
        return status;
    own->ring.sizes = sizes.ring;
    own->prepared = sizes.prepared;
    own->device = sizes.device;
    if (make_all(engine))
        return HT_OK;
    return own->error == CL_MEM_OBJECT_ALLOCATION_FAILURE ||
                   own->error == CL_OUT_OF_HOST_MEMORY ||
                   own->error == CL_SUCCESS
               ? HT_ERR_MEMORY
               : HT_ERR_DEVICE;
}

/* ---- Freeing --------------------------------------------------------------
 */

static void release(cl_mem memory)
{
    if (memory != NULL)
        ht_cl()->clReleaseMemObject(memory);
}

static void release_host(struct ht_cl_page *own, struct ht_cl_memory *memory)
{
    if (memory->host != NULL)
        ht_cl()->clEnqueueUnmapMemObject(own->queue, memory->device,
                                         memory->host, 0, NULL, NULL);
    release(memory->device);
}

void ht_cl_buffers_free(struct ht_cl_page *own)
{
    for (size_t i = 0; i < HT_CL_LAUNCHES; i++) {
        ht_cl_forget(&own->launch[i].done);
        ht_cl_forget(&own->launch[i].first);
        ht_cl_forget(&own->launch[i].last);
    }
    release_host(own, &own->host_samples);
    release_host(own, &own->host_dots);
    release_host(own, &own->host_errors);
    const cl_mem memory[] = {own->samples, own->dots,   own->bits,
                             own->line,    own->carry,  own->records,
                             own->levels,  own->rules,  own->drops,
                             own->pattern, own->curves, own->least};
    for (size_t i = 0; i < sizeof memory / sizeof memory[0]; i++)
        release(memory[i]);
    const cl_kernel kernels[] = {own->kernel, own->prepare, own->pack};
    for (size_t i = 0; i < sizeof kernels / sizeof kernels[0]; i++)
        if (kernels[i] != NULL)
            ht_cl()->clReleaseKernel(kernels[i]);
    if (own->queue != NULL)
        ht_cl()->clReleaseCommandQueue(own->queue);
    if (own->has_turn)
        ht_cl_give_turn();
    ht_cl_give_memory(own->device);
}
