/*
 * engine.c - the CUDA engine: streams a page through the device band by band.
 *
 * The host keeps the rows of a page in a ring until their dots are collected:
 * samples on their way in, dots on their way out. A launch takes a run of
 * rows through the device: copy in, diffuse, copy out, each in a stream of
 * its own, so that launches overlap; and brings the error state behind its
 * last row along. When the device fails, another engine goes on from the last
 * state that came, with the rows that the ring still has (rescue.c).
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gpu/engine.h"
#include "gpu/fault.h"

/* ---- Opening ---------------------------------------------------------- */

static size_t whole_swaths(size_t rows)
{
    return (rows + HT_GPU_SWATH - 1) / HT_GPU_SWATH * HT_GPU_SWATH;
}

/* Rows of the ring: what a caller may leave uncollected, and a swath that is
 * not whole. More when the height is known: the whole page, unless it is very
 * long, where the device is so slow that the next page comes in meanwhile, else
 * what keeps it busy. */
static size_t ring_rows(const ht_page_t *page, bool whole_page)
{
    size_t least = whole_swaths(2 * (size_t)page->band + HT_GPU_SWATH);
    size_t row = (size_t)page->inks * page->width * (page->bits / 8);
    size_t height = whole_swaths((size_t)page->height + HT_GPU_SWATH);
    size_t busy = whole_swaths(HT_GPU_BUSY_BYTES / row);
    size_t wanted = whole_page ? HT_GPU_MOST_ROWS : busy;

    wanted = wanted < height ? wanted : height;
    return page->height > 0 && wanted > least ? wanted : least;
}

/* What pages of one shape need, to the byte. The page's limits keep the sums
 * far inside size_t: the largest are 2 * 65536 rows of 15 x 262144 samples of
 * 2 bytes, 2^40. */
static struct ht_gpu_sizes measure(const ht_page_t *page, bool whole_page)
{
    size_t samples = (size_t)page->inks * page->width;
    size_t ring = ring_rows(page, whole_page);
    size_t part = whole_swaths(ring / HT_GPU_PARTS);

    part = part > HT_GPU_PART_ROWS ? part : HT_GPU_PART_ROWS;
    size_t parts = (ring + part - 1) / part;

    return (struct ht_gpu_sizes){
        .samples = samples,
        .deep = page->bits == 16,
        .ring = ring,
        .part = part,
        .sample_row = samples * (page->bits / 8),
        .dot_row = page->inks * (((size_t)page->width + 7) / 8),
        .state = samples * sizeof(int16_t),
        .swaths = part > HT_PREROLL ? part : HT_PREROLL,
        .launches = parts + HT_GPU_LAUNCHES - HT_GPU_PARTS};
}

/* The table, for the kernels, and the first strip's error: none. */
static bool open_table(struct ht_gpu_page *own, const ht_page_t *page)
{
    struct ht_gpu_buffers *at = own->at;
    struct ht_gpu_entry entries[HT_GPU_ENTRIES];

    if (page->method == HT_THRESHOLD)
        return true;
    for (uint32_t i = 0; i < HT_GPU_ENTRIES; i++)
        ht_gpu_entry_make(&entries[i], page->table, i % HT_LEVELS,
                          i >= HT_LEVELS, page->bits);
    ht_gpu_plan_make(&own->plan, page->width, page->inks, page->bits,
                     own->scan.swath, own->scan.segment);
    return ht_gpu_ok(ht_gpu_prepare(&own->plan)) &&
           ht_gpu_ok(cudaMemcpyAsync(at->entries, entries, sizeof entries,
                                     cudaMemcpyHostToDevice, at->run)) &&
           ht_gpu_ok(cudaMemcpyAsync(at->pattern, page->table->pattern,
                                     HT_PATTERN_BYTES, cudaMemcpyHostToDevice,
                                     at->run)) &&
           ht_gpu_ok(
               ht_gpu_set_line(at->line, NULL, own->sizes.samples, 0, at->run));
}

static void cuda_close(ht_engine_t *engine)
{
    struct ht_gpu_page *own = engine->own;

    if (own == NULL)
        return;
    ht_engine_close(own->rescuer);
    ht_gpu_buffers_give_back(own->at, own->failed, own->hung);
    free(own);
    engine->own = NULL;
}

static ht_status_t cuda_open(ht_engine_t *engine)
{
    const ht_page_t *page = &engine->page;
    struct ht_gpu_page *own = engine->own = calloc(1, sizeof *own);

    if (own == NULL)
        return HT_ERR_MEMORY;
    own->scan = ht_scan_of(page);
    ht_place_first(&own->scan, &own->place);
    own->sizes = measure(page, ht_gpu_slower_than_input(page));
    ht_status_t status =
        ht_gpu_buffers_take(&own->at, &own->sizes, page->device_memory);
    if (status == HT_ERR_MEMORY && page->height > 0) {
        own->sizes = measure(page, false);
        status =
            ht_gpu_buffers_take(&own->at, &own->sizes, page->device_memory);
    }
    if (status != HT_OK)
        return status;
    snprintf(engine->device, sizeof engine->device, "GPU %d", own->at->device);
    return open_table(own, page) ? HT_OK : HT_ERR_DEVICE;
}

/* ---- A launch --------------------------------------------------------- */

/* The first cut of each swath that the rows touch; moves the place on. */
static size_t fill_shifts(struct ht_gpu_page *own, uint32_t *shifts,
                          size_t rows)
{
    size_t count = 0;

    for (size_t i = 0; i < rows; i++) {
        if (i == 0 ||
            (own->scan.swath != 0 && own->place.row % own->scan.swath == 0))
            shifts[count++] = own->place.shift;
        ht_place_next(&own->scan, &own->place);
    }
    return count;
}

/* Diffuses rows that are on the device, from ring row `slot`; the pre-roll's
 * are all the first one, and its dots are not wanted. */
static bool diffuse(struct ht_gpu_page *own, const ht_page_t *page,
                    struct ht_gpu_launch *launch, size_t slot, size_t rows)
{
    size_t samples = (size_t)page->inks * page->width;
    bool deep = page->bits == 16, preroll = own->place.row < HT_PREROLL;
    struct ht_gpu_band band = {
        .level = (deep ? own->at->level : own->at->samples) + HT_GPU_PAD +
                 slot * samples,
        .tone = deep ? own->at->tone + HT_GPU_PAD + slot * samples : NULL,
        .entries = own->at->entries,
        .pattern = own->at->pattern,
        .shifts = launch->shifts,
        .dots = preroll ? NULL : launch->dots,
        .line = own->at->line,
        .ticket = launch->ticket,
        .stop = own->at->stop,
        .row = own->place.row,
        .rows = (uint32_t)rows,
        .row_step = preroll ? 0 : 1,
        .strip = own->strip};
    size_t shifts = fill_shifts(own, launch->host_shifts, rows);

    own->plan.pages = ht_gpu_buffers_in_use(own->at->device);
    own->strip += ht_gpu_strips(&own->plan, (uint32_t)rows);
    return ht_gpu_ok(cudaMemcpyAsync(launch->shifts, launch->host_shifts,
                                     shifts * sizeof(uint32_t),
                                     cudaMemcpyHostToDevice, own->at->run)) &&
           ht_gpu_ok(cudaMemsetAsync(launch->ticket, 0, sizeof(uint32_t),
                                     own->at->run)) &&
           ht_gpu_ok(cudaMemsetAsync(
               launch->dots, 0,
               preroll ? 0 : (rows * own->sizes.dot_row + 3) / 4 * 4,
               own->at->run)) &&
           ht_gpu_ok(ht_gpu_diffuse(&own->plan, &band, own->at->run)) &&
           ht_gpu_ok(ht_gpu_get_line(own->at->line, launch->errors, samples,
                                     own->at->run));
}

static bool copy_in(struct ht_gpu_page *own, const ht_page_t *page,
                    struct ht_gpu_launch *launch, size_t slot, size_t rows)
{
    size_t samples = (size_t)page->inks * page->width;
    uint8_t *to = own->at->samples + HT_GPU_PAD + slot * own->sizes.sample_row;

    return ht_gpu_ok(cudaMemcpyAsync(
               to, own->at->host_samples + slot * own->sizes.sample_row,
               rows * own->sizes.sample_row, cudaMemcpyHostToDevice,
               own->at->in)) &&
           ht_gpu_ok(cudaEventRecord(launch->copied, own->at->in)) &&
           ht_gpu_ok(cudaStreamWaitEvent(own->at->run, launch->copied, 0)) &&
           (page->bits == 8 || page->method == HT_THRESHOLD ||
            ht_gpu_ok(ht_gpu_split((const uint16_t *)(const void *)to,
                                   own->at->tone + HT_GPU_PAD + slot * samples,
                                   own->at->level + HT_GPU_PAD + slot * samples,
                                   rows * samples, own->at->run)));
}

static bool run(struct ht_gpu_page *own, const ht_page_t *page,
                struct ht_gpu_launch *launch, size_t slot, size_t rows)
{
    if (ht_gpu_fault("hang") &&
        !ht_gpu_ok(ht_gpu_hang(own->at->stop, own->at->run)))
        return false;
    if (page->method != HT_THRESHOLD)
        return diffuse(own, page, launch, slot, rows);
    return ht_gpu_ok(ht_gpu_threshold(own->at->samples + HT_GPU_PAD +
                                          slot * own->sizes.sample_row,
                                      page->bits, launch->dots, page->width,
                                      rows * page->inks, own->at->run));
}

/* `rows` of dots, and the error behind them. */
static bool copy_out(struct ht_gpu_page *own, const ht_page_t *page,
                     struct ht_gpu_launch *launch, size_t slot, size_t rows)
{
    return ht_gpu_ok(cudaEventRecord(launch->ran, own->at->run)) &&
           ht_gpu_ok(cudaStreamWaitEvent(own->at->out, launch->ran, 0)) &&
           (rows == 0 || ht_gpu_ok(cudaMemcpyAsync(
                             own->at->host_dots + slot * own->sizes.dot_row,
                             launch->dots, rows * own->sizes.dot_row,
                             cudaMemcpyDeviceToHost, own->at->out))) &&
           (page->method == HT_THRESHOLD ||
            ht_gpu_ok(cudaMemcpyAsync(launch->host_errors, launch->errors,
                                      own->sizes.state, cudaMemcpyDeviceToHost,
                                      own->at->out))) &&
           ht_gpu_ok(cudaEventRecord(launch->done, own->at->out));
}

/* ht_gpu_fault(), which then is the trouble that is reported. */
static bool fault(const char *where)
{
    return ht_gpu_fault(where) && !ht_gpu_ok(cudaErrorUnknown);
}

/* Sends `rows` rows that do not wrap round the ring through the device. */
static bool send_run(ht_engine_t *engine, size_t rows)
{
    struct ht_gpu_page *own = engine->own;
    struct ht_gpu_launch *launch =
        &own->at->launch[own->launches % own->sizes.launches];
    size_t slot = own->launched % own->sizes.ring;

    if (fault("launch") || !copy_in(own, &engine->page, launch, slot, rows) ||
        !run(own, &engine->page, launch, slot, rows) ||
        !copy_out(own, &engine->page, launch, slot, rows))
        return false;
    own->launched += rows;
    launch->end = own->launched;
    own->launches++;
    return true;
}

/* The page's first row, before all others. */
static bool send_preroll(ht_engine_t *engine)
{
    struct ht_gpu_page *own = engine->own;
    struct ht_gpu_launch *launch = &own->at->launch[0];

    if (!copy_in(own, &engine->page, launch, 0, 1) ||
        !run(own, &engine->page, launch, 0, HT_PREROLL) ||
        !copy_out(own, &engine->page, launch, 0, 0))
        return false;
    launch->end = 0;
    own->launches++;
    return true;
}

/* Rows that can be sent: whole swaths, or all at the page's end. */
static uint64_t sendable(const ht_engine_t *engine)
{
    const struct ht_gpu_page *own = engine->own;

    if (engine->ended || own->scan.swath == 0)
        return own->submitted;
    uint64_t whole = own->submitted / own->scan.swath * own->scan.swath;
    return whole > own->launched ? whole : own->launched;
}

/* Rows of the next launch. A state that was given may begin in the middle of a
 * swath; the ring wraps between swaths. */
static size_t next_rows(const ht_engine_t *engine)
{
    const struct ht_gpu_page *own = engine->own;
    size_t rows = (size_t)(sendable(engine) - own->launched);
    size_t to_wrap = own->sizes.ring - own->launched % own->sizes.ring;
    size_t in_swath = own->scan.swath ? own->launched % own->scan.swath : 0;

    rows = rows < own->sizes.part ? rows : own->sizes.part;
    rows = rows < to_wrap ? rows : to_wrap;
    if (in_swath != 0 && rows > own->scan.swath - in_swath)
        rows = own->scan.swath - in_swath;
    return rows;
}

/* Sends what can be sent, with `rest`, or else as long as it is a whole part or
 * nothing is on the way. Does not wait: when all launches are on the way, the
 * rows stay. One is left alone, which has the state that came last. */
static bool send_rows(ht_engine_t *engine, bool rest)
{
    struct ht_gpu_page *own = engine->own;
    size_t rows, most = own->sizes.launches - 1;

    while ((rows = next_rows(engine)) > 0) {
        size_t on_the_way = (size_t)(own->launches - own->finished_launches);
        bool worth = rest || on_the_way == 0 ||
                     sendable(engine) - own->launched >= own->sizes.part;

        if (!worth || on_the_way == most)
            break;
        if (!send_run(engine, rows))
            return false;
    }
    return true;
}

/* ---- Finishing -------------------------------------------------------- */

static struct ht_gpu_launch *oldest_launch(const struct ht_gpu_page *own)
{
    return &own->at->launch[own->finished_launches % own->sizes.launches];
}

/* Waits for the oldest launch. False: the device has failed. */
static bool finish(ht_engine_t *engine)
{
    struct ht_gpu_page *own = engine->own;
    struct ht_gpu_launch *launch = oldest_launch(own);

    if (!ht_gpu_wait(launch->done, own->at->stop, &own->hung) || fault("copy"))
        return false;
    own->finished_launches++;
    own->finished = launch->end;
    own->state = launch->host_errors;
    return true;
}

/* Finishes the launches that need no wait. False: the device has failed. */
static bool finish_some(ht_engine_t *engine)
{
    struct ht_gpu_page *own = engine->own;

    while (own->finished_launches < own->launches &&
           ht_gpu_is_over(oldest_launch(own)->done))
        if (!finish(engine))
            return false;
    return true;
}

/* ---- The engine's calls ------------------------------------------------- */

static size_t cuda_room(const ht_engine_t *engine)
{
    const struct ht_gpu_page *own = engine->own;

    return own->sizes.ring - (size_t)(own->submitted - own->collected);
}

static void *cuda_place(ht_engine_t *engine, size_t *rows)
{
    struct ht_gpu_page *own = engine->own;
    size_t slot = own->submitted % own->sizes.ring;
    size_t to_wrap = own->sizes.ring - slot, left = cuda_room(engine);

    if (left == 0)
        return NULL;
    *rows = left < to_wrap ? left : to_wrap;
    return own->at->host_samples + slot * own->sizes.sample_row;
}

static ht_status_t cuda_submit(ht_engine_t *engine, const void *tones,
                               size_t rows)
{
    struct ht_gpu_page *own = engine->own;
    const size_t ring = own->sizes.ring, bytes = own->sizes.sample_row;
    const uint8_t *from = tones;

    ht_gpu_select(own->at->device);
    for (size_t done = 0, run; done < rows; done += run) {
        size_t slot = own->submitted % ring;
        uint8_t *to = own->at->host_samples + slot * bytes;

        run = rows - done < ring - slot ? rows - done : ring - slot;
        if (to != from + done * bytes) /* see cuda_place() */
            memcpy(to, from + done * bytes, run * bytes);
        own->submitted += run;
    }
    if (own->rescuer != NULL)
        return ht_gpu_feed_rescuer(engine);
    if (own->launches == 0 && !own->given &&
        engine->page.method != HT_THRESHOLD && !send_preroll(engine))
        return ht_gpu_rescue(engine);
    return finish_some(engine) && send_rows(engine, false)
               ? HT_OK
               : ht_gpu_rescue(engine);
}

static ht_status_t cuda_end(ht_engine_t *engine)
{
    struct ht_gpu_page *own = engine->own;

    if (own->rescuer != NULL)
        return ht_gpu_feed_rescuer(engine);
    ht_gpu_select(own->at->device);
    return send_rows(engine, true) ? HT_OK : ht_gpu_rescue(engine);
}

/* What the device has done. */
static size_t finished_rows(const struct ht_gpu_page *own)
{
    return (size_t)(own->finished > own->collected
                        ? own->finished - own->collected
                        : 0);
}

static size_t cuda_ready(const ht_engine_t *engine)
{
    const struct ht_gpu_page *own = engine->own;

    if (own->rescuer != NULL)
        return finished_rows(own) + ht_engine_ready(own->rescuer);
    uint64_t sure = sendable(engine);
    return (size_t)(sure > own->collected ? sure - own->collected : 0);
}

/* A rescue that fails is tried again, and reported, by the next call that
 * needs the device. */
static size_t cuda_done(ht_engine_t *engine)
{
    struct ht_gpu_page *own = engine->own;

    ht_gpu_select(own->at->device);
    if (own->rescuer == NULL &&
        !(finish_some(engine) && send_rows(engine, false)))
        ht_gpu_rescue(engine);
    return own->rescuer != NULL ? cuda_ready(engine) : finished_rows(own);
}

/* Copies finished rows, at most `rows`; how many. */
static size_t take_finished(struct ht_gpu_page *own, uint8_t *dots, size_t rows)
{
    size_t taken = 0;

    while (taken < rows && own->collected < own->finished) {
        memcpy(dots + taken * own->sizes.dot_row,
               own->at->host_dots +
                   own->collected % own->sizes.ring * own->sizes.dot_row,
               own->sizes.dot_row);
        own->collected++;
        taken++;
    }
    return taken;
}

static ht_status_t cuda_collect(ht_engine_t *engine, uint8_t *dots, size_t rows)
{
    struct ht_gpu_page *own = engine->own;

    ht_status_t status = HT_OK;

    ht_gpu_select(own->at->device);
    while (own->rescuer == NULL && finished_rows(own) < rows &&
           status == HT_OK) {
        bool sent =
            own->finished_launches < own->launches || send_rows(engine, true);
        if (!sent || !finish(engine))
            status = ht_gpu_rescue(engine);
    }
    if (status != HT_OK)
        return status;
    size_t taken = take_finished(own, dots, rows);
    return own->rescuer == NULL
               ? HT_OK
               : ht_gpu_collect_rescued(
                     engine, dots + taken * own->sizes.dot_row, rows - taken);
}

static ht_status_t cuda_take_state(ht_engine_t *engine, uint64_t *row,
                                   int16_t *errors)
{
    struct ht_gpu_page *own = engine->own;

    ht_gpu_select(own->at->device);
    while (own->rescuer == NULL && (own->launched < sendable(engine) ||
                                    own->finished_launches < own->launches))
        if (!send_rows(engine, true) || !finish(engine)) {
            ht_status_t status = ht_gpu_rescue(engine);
            if (status != HT_OK)
                return status;
        }
    if (own->rescuer != NULL)
        return ht_engine_take_state(own->rescuer, row, errors);
    *row = own->finished;
    if (own->state != NULL && engine->page.method != HT_THRESHOLD)
        memcpy(errors, own->state, own->sizes.state);
    else
        memset(errors, 0, own->sizes.state);
    return HT_OK;
}

static ht_status_t cuda_give_state(ht_engine_t *engine, uint64_t row,
                                   const int16_t *errors)
{
    struct ht_gpu_page *own = engine->own;
    struct ht_gpu_launch *before = &own->at->launch[own->sizes.launches - 1];

    ht_gpu_select(own->at->device);
    own->submitted = own->launched = own->finished = own->collected = row;
    while (own->place.row < row + HT_PREROLL)
        ht_place_next(&own->scan, &own->place);
    memcpy(before->host_errors, errors, own->sizes.state);
    own->state = before->host_errors;
    own->given = true;
    if (engine->page.method == HT_THRESHOLD)
        return HT_OK;
    return ht_gpu_ok(cudaMemcpyAsync(before->errors, before->host_errors,
                                     own->sizes.state, cudaMemcpyHostToDevice,
                                     own->at->run)) &&
                   ht_gpu_ok(ht_gpu_set_line(own->at->line, before->errors,
                                             own->sizes.state / sizeof(int16_t),
                                             own->strip, own->at->run))
               ? HT_OK
               : HT_ERR_DEVICE;
}

const struct ht_engine_ops ht_cuda_engine = {
    .name = "cuda",
    .device = true,
    .available = ht_gpu_available,
    .pays = ht_gpu_pays,
    .open = cuda_open,
    .place = cuda_place,
    .room = cuda_room,
    .submit = cuda_submit,
    .end = cuda_end,
    .ready = cuda_ready,
    .done = cuda_done,
    .collect = cuda_collect,
    .take_state = cuda_take_state,
    .give_state = cuda_give_state,
    .close = cuda_close,
};
