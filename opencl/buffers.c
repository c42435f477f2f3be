/*
 * buffers.c - the memory of a page, on the device and on the host.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "halftone/least.h"
#include "opencl/engine.h"

#define LEAST_PART 64 /* rows */
#define MOST_PART 1024
#define MOST_RING ((size_t)16384)       /* rows, of a whole page */
#define GPU_SAMPLES ((size_t)1 << 28)   /* of a part: it has a deadline */
#define OTHER_SAMPLES ((size_t)1 << 22) /* of a processor, */
#define CARRY 20                        /* bytes, carry_t of floyd.cl */
#define RULES (2 + HT_MAX_INKS + HT_MAX_INKS * HT_MAX_INKS) /* rules_t */
#define RING 32 /* these are tdfed.cl's */
#define PARTNERS 3
#define TURN 16
#define VECTOR 16 /* bytes */
#define MOST_LOCAL                                                             \
    ((size_t)46 << 10) /* bytes: two groups at once, and some                  \
                          devices have no more than 48 KiB */

/* ---- Sizes -------------------------------------------------------------- */

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

static size_t most(size_t a, size_t b)
{
    return a > b ? a : b;
}

static size_t whole_swaths(size_t rows)
{
    return (rows + HT_CL_SWATH - 1) / HT_CL_SWATH * HT_CL_SWATH;
}

static bool is_tdfed(const ht_page_t *page)
{
    return ht_info_of(page)->diffuses && ht_info_of(page)->swath > 0;
}

static bool is_floyd(const ht_page_t *page)
{
    return ht_info_of(page)->diffuses && ht_info_of(page)->swath == 0;
}

/* Nothing overflows: a page's limits keep the sums far inside size_t. */
struct ht_cl_sizes ht_cl_measure(const ht_page_t *page, bool whole_page)
{
    const size_t samples = (size_t)page->inks * page->width;
    const size_t most_samples =
        ht_cl_device()->gpu ? GPU_SAMPLES : OTHER_SAMPLES;
    size_t ring = whole_swaths(2 * (size_t)page->band + HT_CL_SWATH +
                               ht_info_of(page)->diffuses);
    size_t part;

    if (whole_page && page->height > 0)
        ring = most(ring, least(MOST_RING, whole_swaths((size_t)page->height +
                                                        HT_CL_SWATH)));
    part = is_floyd(page) ? ring : whole_swaths(ring / 16);
    if (!is_floyd(page))
        part = least(most(part, LEAST_PART), MOST_PART);
    part = most(LEAST_PART, least(part, whole_swaths(most_samples / samples)));

    struct ht_cl_sizes sizes = {
        .sample_row = samples * (page->bits / 8),
        .dot_row = page->inks * (((size_t)page->width + 7) / 8),
        .ring = ring,
        .part = part,
        .state = (size_t)ht_state_lines(page) * page->width * sizeof(int16_t)};
    sizes.device = (part + 1) * sizes.sample_row + part * sizes.dot_row +
                   sizes.state + (is_tdfed(page) ? part * samples : 0) +
                   (is_floyd(page) ? part * page->inks * CARRY : 0);
    return sizes;
}

struct ht_cl_room ht_cl_find_room(const ht_page_t *page)
{
    const size_t swath = ht_info_of(page)->swath, inks = page->inks;
    const size_t words = inks * swath * RING, t = page->segment;
    const size_t columns = t == 0 ? page->width : least(page->width, t + t / 4);
    struct ht_cl_room room = {.bytes = HT_LEVELS * 16 + swath * RING * TURN +
                                       words * 4 + (swath + 1) * inks * 16};

    if (ht_inks_meet(page))
        room.bytes += words * (4 + 2 * PARTNERS) + swath * RING * 2;
    /* A row may begin and end inside a vector. */
    size_t samples = columns * (page->bits / 8) / VECTOR + 3;
    size_t line = columns * sizeof(int16_t) / VECTOR + 3;
    size_t more =
        ((swath + 1) * inks * samples + ht_state_lines(page) * line) * VECTOR;
    if (room.bytes + more <= least(MOST_LOCAL, ht_cl_device()->local_bytes)) {
        room.bytes += more;
        room.sample_row = samples;
        room.line_row = line;
    }
    return room;
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

/* The levels of a table as tdfed.cl has them. */
static void fill_levels(const ht_table_t *table, int16_t (*to)[8])
{
    for (unsigned i = 0; i < HT_LEVELS; i++) {
        const struct ht_weights *w = &table->level[i];

        to[i][0] = w->weight[0];
        to[i][1] = w->weight[1];
        to[i][2] = w->weight[2];
        to[i][3] = w->t_upper;
        to[i][4] = w->t_lower;
        to[i][5] = w->avoid;
        to[i][6] = w->noise;
        to[i][7] = (int16_t)((w->column[1] & 0xff) | w->column[2] * 256);
    }
}

static void fill_rules(const ht_page_t *page, int32_t *rules)
{
    uint8_t pair[HT_MAX_INKS][HT_MAX_INKS];

    memset(rules, 0, RULES * sizeof *rules);
    if (!ht_inks_meet(page))
        return;
    ht_number_pairs(page->inks, pair);
    rules[0] = page->table->meeting.from;
    rules[1] = page->table->meeting.steps;
    for (uint32_t i = 0; i < page->inks; i++) {
        rules[2 + i] = ht_absorption(&page->table->meeting, i, page->inks);
        for (uint32_t j = 0; j < page->inks; j++)
            rules[2 + HT_MAX_INKS + i * HT_MAX_INKS + j] =
                i == j || pair[i][j] == HT_NO_PAIR ? -1 : pair[i][j];
    }
}

static bool make_table(ht_engine_t *engine)
{
    const ht_page_t *page = &engine->page;
    struct ht_cl_page *own = engine->own;
    int16_t levels[HT_LEVELS][8];
    int32_t rules[RULES];
    uint8_t pattern[HT_PATTERN_BYTES];

    if (!is_tdfed(page))
        return true;
    fill_levels(page->table, levels);
    fill_rules(page, rules);
    memcpy(pattern, page->table->pattern, sizeof pattern);
    return get(own, &own->levels, sizeof levels, levels) &&
           get(own, &own->rules, sizeof rules, rules) &&
           get(own, &own->pattern, sizeof pattern, pattern) &&
           get(own, &own->dots,
               own->sizes.part * page->inks * (size_t)page->width, NULL);
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
    void *samples;

    if (ht_info_of(&engine->page)->diffuses)
        return true;
    samples = malloc(ht_least_bytes(&engine->page));
    if (samples == NULL)
        return false;
    ht_find_least(&engine->page, engine->ranks, samples);
    bool ok = get(own, &own->least, ht_least_bytes(&engine->page), samples);
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
    const struct ht_cl_sizes *sizes = &own->sizes;
    const cl_short zero = 0;

    if (!make_queue(own) ||
        !get_host(own, &own->host_samples, sizes->ring * sizes->sample_row) ||
        !get_host(own, &own->host_dots, sizes->ring * sizes->dot_row) ||
        !get_host(own, &own->host_errors, HT_CL_PARTS * sizes->state) ||
        !get(own, &own->samples,
             (sizes->part + 1) * sizes->sample_row + (size_t)2 * HT_CL_PAD,
             NULL) ||
        !get(own, &own->bits, sizes->part * sizes->dot_row, NULL) ||
        !get(own, &own->line, sizes->state + 2 * VECTOR, NULL) ||
        !make_table(engine) || !make_curves(engine) || !make_least(engine))
        return false;
    if (is_floyd(&engine->page) &&
        !get(own, &own->carry, sizes->part * engine->page.inks * CARRY, NULL))
        return false;
    int16_t *errors = own->host_errors.host;
    for (size_t i = 0; i < HT_CL_PARTS; i++)
        own->part[i].errors = errors + i * (sizes->state / sizeof *errors);
    return ht_cl_ok(own, ht_cl()->clEnqueueFillBuffer(
                             own->queue, own->line, &zero, sizeof zero, 0,
                             sizes->state, 0, NULL, NULL));
}

ht_status_t ht_cl_buffers_make(ht_engine_t *engine)
{
    struct ht_cl_page *own = engine->own;
    const ht_page_t *page = &engine->page;
    ht_status_t status;

    own->sizes = ht_cl_measure(page, true);
    status = ht_cl_take_memory(own->sizes.device, page->device_memory);
    if (status == HT_ERR_MEMORY || own->sizes.device > ht_cl_device()->buffer) {
        if (status == HT_OK)
            ht_cl_give_memory(own->sizes.device);
        own->sizes = ht_cl_measure(page, false);
        status = ht_cl_take_memory(own->sizes.device, page->device_memory);
    }
    if (status != HT_OK)
        return status;
    own->takes_memory = true;
    own->inked = calloc(own->sizes.ring, sizeof *own->inked);
    if (own->inked == NULL)
        return HT_ERR_MEMORY;
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
    for (size_t i = 0; i < HT_CL_PARTS; i++) {
        ht_cl_forget(&own->part[i].done);
        ht_cl_forget(&own->part[i].first);
        ht_cl_forget(&own->part[i].last);
    }
    release_host(own, &own->host_samples);
    release_host(own, &own->host_dots);
    release_host(own, &own->host_errors);
    const cl_mem memory[] = {
        own->samples, own->dots,    own->bits,  own->line,   own->carry,
        own->levels,  own->pattern, own->rules, own->curves, own->least};
    for (size_t i = 0; i < sizeof memory / sizeof memory[0]; i++)
        release(memory[i]);
    if (own->kernel != NULL)
        ht_cl()->clReleaseKernel(own->kernel);
    if (own->pack != NULL)
        ht_cl()->clReleaseKernel(own->pack);
    if (own->queue != NULL)
        ht_cl()->clReleaseCommandQueue(own->queue);
    if (own->has_turn)
        ht_cl_give_turn();
    if (own->takes_memory)
        ht_cl_give_memory(own->sizes.device);
}
