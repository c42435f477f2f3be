/*
 * launch.c - the kernels of a page and their runs.
 *
 * A launch's rows are copied to the device, with the row below them, and go
 * through it by many runs in one queue, each of which begins when the one
 * before has ended: swaths of TDFED, diagonals of Floyd-Steinberg's bricks. So
 * no work group ever waits for another one.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include "gpu/opencl/call.h"
#include "gpu/opencl/launch.h"
#include "halftone/sizes.h"

/* Arguments of the kernels in floyd.cl, prepare.cl and tdfed.cl: floyd_t,
 * rows_t and swath_t there. */
struct floyd {
    cl_uint width, inks, rows, row_step, row, diagonal, first, wanted, pad;
};

struct rows {
    cl_uint width, inks, rows, first, row_step, row, swath, segment, pad,
        shift[HT_CL_PREPARED];
};

struct swath {
    cl_uint width, inks, rows, prepared, first, swath, segment, shift, lag,
        reach;
};

/* ---- Kernels ---------------------------------------------------------------
 */

static bool set(struct ht_cl_page *own, cl_kernel kernel, cl_uint index,
                size_t bytes, const void *value)
{
    return ht_cl_ok(own, ht_cl()->clSetKernelArg(kernel, index, bytes, value));
}

static bool set_memory(struct ht_cl_page *own, cl_kernel kernel, cl_uint index,
                       const cl_mem *memory)
{
    return set(own, kernel, index, sizeof(cl_mem), memory);
}

static bool set_number(struct ht_cl_page *own, cl_kernel kernel, cl_uint index,
                       size_t number)
{
    const cl_uint value = (cl_uint)number;

    return set(own, kernel, index, sizeof value, &value);
}

static bool make(struct ht_cl_page *own, cl_kernel *out, const char *name)
{
    cl_int error = CL_SUCCESS;

    *out = ht_cl()->clCreateKernel(own->program->program, name, &error);
    return ht_cl_ok(own, error);
}

static bool make_floyd(struct ht_cl_page *own)
{
    return make(own, &own->kernel, "floyd") &&
           set_memory(own, own->kernel, 0, &own->samples) &&
           set_memory(own, own->kernel, 1, &own->curves) &&
           set_memory(own, own->kernel, 2, &own->rules) &&
           set_memory(own, own->kernel, 3, &own->drops) &&
           set_memory(own, own->kernel, 4, &own->pattern) &&
           set_memory(own, own->kernel, 5, &own->bits) &&
           set_memory(own, own->kernel, 6, &own->line) &&
           set_memory(own, own->kernel, 7, &own->carry);
}

static bool make_tdfed(struct ht_cl_page *own, const ht_page_t *page)
{
    return make(own, &own->kernel, "tdfed") &&
           make(own, &own->prepare, "prepare") &&
           make(own, &own->pack, "pack") &&
           set_memory(own, own->prepare, 0, &own->samples) &&
           set_memory(own, own->prepare, 1, &own->curves) &&
           set_memory(own, own->prepare, 2, &own->levels) &&
           set_memory(own, own->prepare, 3, &own->pattern) &&
           set_memory(own, own->prepare, 4, &own->rules) &&
           set_memory(own, own->prepare, 5, &own->drops) &&
           set_memory(own, own->prepare, 6, &own->records) &&
           set_memory(own, own->kernel, 0, &own->records) &&
           set_memory(own, own->kernel, 1, &own->rules) &&
           set_memory(own, own->kernel, 2, &own->drops) &&
           set_memory(own, own->kernel, 3, &own->dots) &&
           set_memory(own, own->kernel, 4, &own->line) &&
           set_memory(own, own->kernel, 5, &own->levels) &&
           set_memory(own, own->pack, 0, &own->dots) &&
           set_memory(own, own->pack, 1, &own->bits) &&
           set_number(own, own->pack, 2, page->width) &&
           set_number(own, own->pack, 3, page->inks);
}

static bool make_compare(struct ht_cl_page *own, const ht_page_t *page)
{
    return make(own, &own->kernel, "compare") &&
           set_memory(own, own->kernel, 0, &own->samples) &&
           set_memory(own, own->kernel, 1, &own->least) &&
           set_memory(own, own->kernel, 2, &own->bits) &&
           set_number(own, own->kernel, 3, page->width) &&
           set_number(own, own->kernel, 4, page->inks) &&
           set_number(own, own->kernel, 7, HT_CL_PAD) &&
           set_number(own, own->kernel, 8, ht_sizes_of(page).levels - 1);
}

bool ht_cl_kernels_make(ht_engine_t *engine)
{
    const ht_page_t *page = &engine->page;

    if (!ht_info_of(page)->diffuses)
        return make_compare(engine->own, page);
    if (ht_info_of(page)->swath == 0)
        return make_floyd(engine->own);
    return make_tdfed(engine->own, page);
}

/* Enqueues a kernel of `groups` groups. */
static bool run(struct ht_cl_page *own, struct ht_cl_launch *to,
                cl_kernel kernel, size_t groups, size_t items)
{
    const size_t global = groups * items;
    cl_event *event = NULL;

    if (ht_cl_keeps_times) {
        event = to->first == NULL ? &to->first : &to->last;
        ht_cl_forget(event);
    }
    return ht_cl_ok(own, ht_cl()->clEnqueueNDRangeKernel(own->queue, kernel, 1,
                                                         NULL, &global, &items,
                                                         0, NULL, event));
}

/* ---- Methods ---------------------------------------------------------------
 */

static bool run_floyd(struct ht_cl_page *own, const ht_page_t *page,
                      struct ht_cl_launch *to, size_t rows, bool preroll)
{
    const size_t tall = own->program->kind.items;
    const size_t down = (rows + tall - 1) / tall;
    const size_t across = (page->width - 1 + tall - 1) / tall + 2;
    struct floyd at = {.width = page->width,
                       .inks = page->inks,
                       .rows = (cl_uint)rows,
                       .row_step = !preroll,
                       .row = (cl_uint)own->ring.place.row,
                       .wanted = !preroll,
                       .pad = HT_CL_PAD};

    for (size_t i = 0; i < rows; i++)
        ht_place_next(&own->ring.scan, &own->ring.place);
    for (size_t k = 0; k < 3 * (down - 1) + across; k++) {
        const size_t first = k >= across ? (k - across) / 3 + 1 : 0;
        const size_t last = k / 3 < down ? k / 3 : down - 1;

        at.diagonal = (cl_uint)k;
        at.first = (cl_uint)first;
        if (!set(own, own->kernel, 8, sizeof at, &at) ||
            !run(own, to, own->kernel, last - first + 1, tall))
            return false;
    }
    return true;
}

/* Returns the segments of a swath, some of which may have no columns. */
static size_t segments_of(const struct ht_scan *scan, uint32_t shift)
{
    if (scan->segment == 0)
        return 1;
    return scan->width > shift ? (scan->width - 1 - shift) / scan->segment + 2
                               : 1;
}

/* Returns how many columns back an error goes, at least 1. */
static cl_uint reach_of(const ht_page_t *page)
{
    int reach = 1;

    for (unsigned i = 0; i < HT_LEVELS; i++)
        for (unsigned k = 1; k < HT_TAPS - 1; k++)
            if (-page->table->level[i].column[k] > reach)
                reach = -page->table->level[i].column[k];
    return (cl_uint)reach;
}

/* Returns the blocks by which a row is behind the one above it: errors go back,
 * and inks together need all inks of the row above, a column further. */
static cl_uint lag_of(const struct ht_cl_page *own, const ht_page_t *page)
{
    const cl_uint block = own->program->kind.block;
    const cl_uint lag = 1 + (reach_of(page) + block - 1) / block;

    return ht_inks_meet(page) && page->inks + 1 > lag ? page->inks + 1 : lag;
}

/* The rows that are prepared together, from row `done` of the launch on. */
struct prepared {
    size_t done, rows;
    bool preroll;
};

/* Prepares the pixels of rows; own->ring.place is the first one's. */
static bool prepare(struct ht_cl_page *own, const ht_page_t *page,
                    struct ht_cl_launch *to, const struct prepared *some)
{
    const uint32_t swath = own->ring.scan.swath;
    struct ht_place place = own->ring.place;
    struct rows at = {.width = page->width,
                      .inks = page->inks,
                      .rows = (cl_uint)some->rows,
                      .first = (cl_uint)(some->preroll ? 0 : some->done),
                      .row_step = !some->preroll,
                      .row = (cl_uint)place.row,
                      .swath = (cl_uint)ht_swath(&own->ring.scan, &place),
                      .segment = own->ring.scan.segment,
                      .pad = HT_CL_PAD};

    for (size_t i = 0; i < some->rows; i++) {
        at.shift[i / swath] = place.shift;
        ht_place_next(&own->ring.scan, &place);
    }
    const size_t items = some->rows * page->width;
    return set(own, own->prepare, 7, sizeof at, &at) &&
           run(own, to, own->prepare, (items + 127) / 128, 128);
}

/* Diffuses them, and moves own->ring.place behind them. */
static bool diffuse(struct ht_cl_page *own, const ht_page_t *page,
                    struct ht_cl_launch *to, const struct prepared *some)
{
    const size_t swath = own->ring.scan.swath;
    struct swath at = {.width = page->width,
                       .inks = page->inks,
                       .segment = own->ring.scan.segment,
                       .lag = lag_of(own, page),
                       .reach = reach_of(page)};

    for (size_t i = 0; i < some->rows; i += at.rows) {
        const size_t left = some->rows - i;

        at.rows = (cl_uint)(left < swath ? left : swath);
        at.prepared = (cl_uint)i;
        at.first = (cl_uint)(some->done + i);
        at.swath = (cl_uint)ht_swath(&own->ring.scan, &own->ring.place);
        at.shift = own->ring.place.shift;
        if (!set(own, own->kernel, 6, sizeof at, &at) ||
            !run(own, to, own->kernel, segments_of(&own->ring.scan, at.shift),
                 own->program->kind.items))
            return false;
        for (cl_uint k = 0; k < at.rows; k++)
            ht_place_next(&own->ring.scan, &own->ring.place);
    }
    return true;
}

static bool run_tdfed(struct ht_cl_page *own, const ht_page_t *page,
                      struct ht_cl_launch *to, size_t rows, bool preroll)
{
    struct prepared some = {.preroll = preroll};
    const uint64_t first = own->ring.place.row;

    for (; some.done < rows; some.done += some.rows) {
        const size_t left = rows - some.done;

        some.rows = left < own->prepared ? left : own->prepared;
        if (!prepare(own, page, to, &some) || !diffuse(own, page, to, &some))
            return false;
    }
    const size_t bytes = rows * own->ring.sizes.dot_row;
    return preroll || (set_number(own, own->pack, 4, rows) &&
                       set_number(own, own->pack, 5, (size_t)first) &&
                       run(own, to, own->pack, (bytes + 63) / 64, 64));
}

static bool run_compare(struct ht_cl_page *own, struct ht_cl_launch *to,
                        size_t rows)
{
    const size_t bytes = rows * own->ring.sizes.dot_row;

    return set_number(own, own->kernel, 5, rows) &&
           set_number(own, own->kernel, 6,
                      (size_t)(own->ring.launched % 128)) &&
           run(own, to, own->kernel, (bytes + 63) / 64, 64);
}

/* ---- Launches ---------------------------------------------------------------
 */

/* Copies rows of the ring to row `to` of the device's samples. */
static bool copy_in(struct ht_cl_page *own, size_t slot, size_t rows, size_t to)
{
    const size_t row = own->ring.sizes.sample_row;

    return ht_cl_ok(own, ht_cl()->clEnqueueWriteBuffer(
                             own->queue, own->samples, CL_FALSE,
                             HT_CL_PAD + to * row, rows * row,
                             own->ring.samples + slot * row, 0, NULL, NULL));
}

/* The last row of a page has one like it below. */
bool ht_cl_send(ht_engine_t *engine, const struct ht_launch *launch)
{
    struct ht_cl_page *own = engine->own;
    const size_t below =
        (launch->slot + launch->in - !launch->below) % own->ring.sizes.rows;

    if (launch->preroll)
        return copy_in(own, launch->slot, 1, 0);
    return !ht_cl_fails(own, "launch") &&
           copy_in(own, launch->slot, launch->in, 0) &&
           copy_in(own, below, 1, launch->in);
}

bool ht_cl_run(ht_engine_t *engine, const struct ht_launch *launch)
{
    const ht_page_t *page = &engine->page;
    struct ht_cl_page *own = engine->own;
    struct ht_cl_launch *to = &own->launch[launch->number];

    ht_cl_forget(&to->first);
    ht_cl_forget(&to->last);
    if (!ht_info_of(page)->diffuses)
        return run_compare(own, to, launch->rows);
    if (ht_info_of(page)->swath == 0)
        return run_floyd(own, page, to, launch->rows, launch->preroll);
    return run_tdfed(own, page, to, launch->rows, launch->preroll);
}

bool ht_cl_fetch(ht_engine_t *engine, const struct ht_launch *launch)
{
    struct ht_cl_page *own = engine->own;
    struct ht_cl_launch *from = &own->launch[launch->number];
    const size_t row = own->ring.sizes.dot_row;

    ht_cl_forget(&from->done);
    return (launch->out == 0 ||
            ht_cl_ok(own,
                     ht_cl()->clEnqueueReadBuffer(
                         own->queue, own->bits, CL_FALSE, 0, launch->out * row,
                         own->ring.dots + launch->slot * row, 0, NULL,
                         NULL))) &&
           ht_cl_ok(own, ht_cl()->clEnqueueReadBuffer(
                             own->queue, own->line, CL_FALSE, 0,
                             own->ring.sizes.state, launch->errors, 0, NULL,
                             &from->done)) &&
           ht_cl_ok(own, ht_cl()->clFlush(own->queue));
}

bool ht_cl_send_state(ht_engine_t *engine, const struct ht_launch *launch)
{
    struct ht_cl_page *own = engine->own;

    return ht_cl_ok(
        own, ht_cl()->clEnqueueWriteBuffer(own->queue, own->line, CL_FALSE, 0,
                                           own->ring.sizes.state,
                                           launch->errors, 0, NULL, NULL));
}
