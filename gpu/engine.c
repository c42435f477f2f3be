/*
 * engine.c - the CUDA engine: takes a page through the device, launch by
 * launch.
 *
 * The host keeps the rows of a page in a ring until their dots are collected:
 * samples on their way in, dots on their way out. A launch takes a run of rows
 * through the device: copy in, diffuse, copy out, each in a CUDA stream of its
 * own, so that launches overlap; and it brings the errors behind its last row
 * along. When the device fails, another engine goes on from the last state that
 * came, with the rows that the ring still has (rescue.c).
 *
 * The way of a row, from ht_engine_submit():
 *
 *     cuda_submit()        here: into the ring; launches what is worth it
 *     ht_gpu_send_rows()   launch.c: the copies and kernels of a launch
 *     ht_gpu_diffuse()     plan.c: the kernel of the page's method
 *     diffuse(), floyd()   tdfed/tdfed.cu, floyd/floyd.cu: roles of warps
 *     the error line       line.cuh: from sweep to sweep, word by word
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gpu/engine.h"
#include "gpu/launch.h"
#include "gpu/worth.h"
#include "halftone/least.h"

/* ---- Opening ---------------------------------------------------------- */

static size_t whole_swaths(size_t rows)
{
    return (rows + HT_GPU_SWATH - 1) / HT_GPU_SWATH * HT_GPU_SWATH;
}

/* Returns the rows of the ring: what a caller may leave uncollected, and a
 * swath that is not whole or whose last row waits. If the height is known,
 * more: the whole page, or if it is very long HT_GPU_MOST_ROWS, where the next
 * page comes in meanwhile (`whole_page`); else what keeps the device busy. */
static size_t ring_rows(const ht_page_t *page, bool whole_page)
{
    size_t least = whole_swaths(2 * (size_t)page->band + HT_GPU_SWATH +
                                ht_info_of(page)->diffuses);
    size_t row = (size_t)page->inks * page->width * (page->bits / 8);
    size_t height = whole_swaths((size_t)page->height + HT_GPU_SWATH);
    size_t busy = whole_swaths(HT_GPU_BUSY_BYTES / row);
    size_t wanted = whole_page ? HT_GPU_MOST_ROWS : busy;

    wanted = wanted < height ? wanted : height;
    return page->height > 0 && wanted > least ? wanted : least;
}

/* Returns the sizes of a page's buffers. Nothing overflows: a page's limits
 * keep the sums far inside size_t, the largest being 2 * 65536 rows of 15 x
 * 262144 samples of 2 bytes, 2^40 bytes. */
static struct ht_gpu_sizes measure(const ht_page_t *page, bool whole_page)
{
    const bool diffuses = ht_info_of(page)->diffuses;
    size_t samples = (size_t)page->inks * page->width;
    size_t ring = ring_rows(page, whole_page);
    size_t part = whole_swaths(ring / HT_GPU_PARTS);

    part = part > HT_GPU_PART_ROWS ? part : HT_GPU_PART_ROWS;
    part = part < HT_GPU_MOST_PART_ROWS ? part : HT_GPU_MOST_PART_ROWS;
    size_t parts = (ring + part - 1) / part;

    parts = parts < HT_GPU_PARTS ? parts : HT_GPU_PARTS;

    return (struct ht_gpu_sizes){
        .samples = samples,
        .deep = diffuses && (page->bits == 16 || page->curves != NULL),
        .ring = ring,
        .part = part,
        .sample_row = samples * (page->bits / 8),
        .dot_row = page->inks * (((size_t)page->width + 7) / 8),
        .state = (size_t)ht_state_lines(page) * page->width * sizeof(int16_t),
        .swaths = part > HT_PREROLL ? part : HT_PREROLL,
        .least = diffuses ? 0 : ht_least_bytes(page),
        .launches = parts + HT_GPU_LAUNCHES - HT_GPU_PARTS};
}

static void cuda_close(ht_engine_t *engine)
{
    struct ht_gpu_page *own = engine->own;

    if (own == NULL)
        return;
    ht_engine_close(own->rescuer);
    ht_gpu_buffers_give_back(own->buffers, own->failed);
    free(own->inked);
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
        ht_gpu_buffers_take(&own->buffers, &own->sizes, page->device_memory);
    if (status == HT_ERR_MEMORY && page->height > 0) {
        own->sizes = measure(page, false);
        status = ht_gpu_buffers_take(&own->buffers, &own->sizes,
                                     page->device_memory);
    }
    if (status != HT_OK)
        return status;
    snprintf(engine->device, sizeof engine->device, "GPU %d",
             own->buffers->device);
    own->inked = calloc(own->sizes.ring, sizeof *own->inked);
    if (own->inked == NULL)
        return HT_ERR_MEMORY;
    own->failed = !ht_gpu_open_page(engine);
    return own->failed ? HT_ERR_DEVICE : HT_OK;
}

/* ---- Launching ----------------------------------------------------------- */

/* Returns the row behind those that can be launched: whole swaths, or at the
 * page's end all. Where errors are diffused a row waits for the one below
 * it. */
static uint64_t sendable(const ht_engine_t *engine)
{
    const struct ht_gpu_page *own = engine->own;

    if (engine->ended)
        return own->submitted;
    uint64_t known = own->submitted;
    if (ht_info_of(&engine->page)->diffuses && known > own->launched)
        known--;
    if (own->scan.swath == 0)
        return known;
    uint64_t whole = known / own->scan.swath * own->scan.swath;
    return whole > own->launched ? whole : own->launched;
}

/* Returns how many rows the next launch takes, 0 = none. A state that was given
 * may begin inside a swath, which then is a launch of its own; the ring wraps
 * between swaths. */
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

/* Launches what can be launched: with `rest` all of it, else whole parts, and
 * less if the device has nothing to do. Does not wait: rows stay if all
 * launches but one are on the way; the one holds the last state that came.
 * Returns false if the device has failed, now or before. */
static bool send_rows(ht_engine_t *engine, bool rest)
{
    struct ht_gpu_page *own = engine->own;
    size_t rows, most = own->sizes.launches - 1;

    if (own->failed)
        return false;
    while ((rows = next_rows(engine)) > 0) {
        size_t on_the_way = (size_t)(own->launches - own->finished_launches);
        bool worth = rest || on_the_way == 0 ||
                     sendable(engine) - own->launched >= own->sizes.part;

        if (!worth || on_the_way == most)
            break;
        if (!ht_gpu_send_rows(engine, rows))
            return false;
    }
    return true;
}

/* ---- Finishing -------------------------------------------------------- */

static struct ht_gpu_launch *oldest_launch(const struct ht_gpu_page *own)
{
    return &own->buffers->launch[own->finished_launches % own->sizes.launches];
}

/* Waits for the oldest launch, and notes its state. Returns false if the device
 * has failed, now or before. */
static bool finish(ht_engine_t *engine)
{
    struct ht_gpu_page *own = engine->own;
    struct ht_gpu_launch *launch = oldest_launch(own);

    if (own->failed || !ht_gpu_wait(launch->done, own->buffers->stop) ||
        ht_gpu_fails("copy"))
        return false;
    own->finished_launches++;
    ht_gpu_note_state(engine, launch->end, launch->host_errors);
    return true;
}

/* Finishes the launches that need no wait. Returns false if the device has
 * failed. */
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

static void *cuda_buffer(ht_engine_t *engine, size_t *rows)
{
    struct ht_gpu_page *own = engine->own;
    size_t slot = own->submitted % own->sizes.ring;
    size_t to_wrap = own->sizes.ring - slot, left = cuda_room(engine);

    if (left == 0)
        return NULL;
    *rows = left < to_wrap ? left : to_wrap;
    return own->buffers->host_samples + slot * own->sizes.sample_row;
}

static ht_status_t cuda_submit(ht_engine_t *engine, const void *tones,
                               const uint16_t *inked, size_t rows)
{
    struct ht_gpu_page *own = engine->own;
    const size_t ring = own->sizes.ring, bytes = own->sizes.sample_row;
    const uint8_t *from = tones;

    ht_gpu_select(own->buffers->device);
    for (size_t done = 0, run; done < rows; done += run) {
        size_t slot = own->submitted % ring;
        uint8_t *to = own->buffers->host_samples + slot * bytes;

        run = rows - done < ring - slot ? rows - done : ring - slot;
        if (to != from + done * bytes) /* see cuda_buffer() */
            memcpy(to, from + done * bytes, run * bytes);
        for (size_t i = 0; i < run; i++)
            own->inked[slot + i] = inked != NULL ? inked[done + i] : UINT16_MAX;
        own->submitted += run;
    }
    if (own->rescuer != NULL)
        return ht_gpu_feed_rescuer(engine);
    if (own->launches == 0 && !own->given &&
        ht_info_of(&engine->page)->diffuses && !ht_gpu_send_preroll(engine))
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
    ht_gpu_select(own->buffers->device);
    return send_rows(engine, true) ? HT_OK : ht_gpu_rescue(engine);
}

/* Returns how many rows the device has finished that are not collected. */
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

/* If a rescue fails, the next call that needs the device tries again, and
 * reports that. */
static size_t cuda_done(ht_engine_t *engine)
{
    struct ht_gpu_page *own = engine->own;

    ht_gpu_select(own->buffers->device);
    if (own->rescuer == NULL &&
        !(finish_some(engine) && send_rows(engine, false)))
        ht_gpu_rescue(engine);
    return own->rescuer != NULL ? cuda_ready(engine) : finished_rows(own);
}

/* Copies the dots of finished rows, at most `rows`; returns how many. */
static size_t take_finished(struct ht_gpu_page *own, uint8_t *dots, size_t rows)
{
    size_t taken = 0;

    while (taken < rows && own->collected < own->finished) {
        memcpy(dots + taken * own->sizes.dot_row,
               own->buffers->host_dots +
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

    ht_gpu_select(own->buffers->device);
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

    ht_gpu_select(own->buffers->device);
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
    if (own->state != NULL)
        memcpy(errors, own->state, own->sizes.state);
    else
        memset(errors, 0, own->sizes.state);
    return HT_OK;
}

static ht_status_t cuda_give_state(ht_engine_t *engine, uint64_t row,
                                   const int16_t *errors)
{
    struct ht_gpu_page *own = engine->own;
    struct ht_gpu_launch *before =
        &own->buffers->launch[own->sizes.launches - 1];

    ht_gpu_select(own->buffers->device);
    own->submitted = own->launched = own->collected = row;
    while (own->place.row < row + HT_PREROLL)
        ht_place_next(&own->scan, &own->place);
    memcpy(before->host_errors, errors, own->sizes.state);
    ht_gpu_note_state(engine, row, before->host_errors);
    own->given = true;
    return ht_gpu_send_state(engine, before) ? HT_OK : HT_ERR_DEVICE;
}

const struct ht_engine_ops ht_cuda_engine = {
    .name = "cuda",
    .device = true,
    .available = ht_gpu_available,
    .pays = ht_gpu_pays,
    .open = cuda_open,
    .buffer = cuda_buffer,
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
