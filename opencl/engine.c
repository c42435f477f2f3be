/*
 * engine.c - the OpenCL engine: takes a page through the device, part by part.
 *
 * The host keeps the rows of a page in a ring until their dots are collected.
 * A part of them goes through the device (launch.c), which brings the errors
 * behind its last row along. When the device fails, another engine goes on from
 * the last state that came, with the rows that the ring still has (rescue.c).
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "opencl/engine.h"

/* ---- Opening ---------------------------------------------------------- */

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
 * room for, since each launch is a diagonal of bricks. */
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
        return (struct ht_cl_kind){
            .method = page->method, .bytes = page->bits / 8, .items = 1};
    return (struct ht_cl_kind){.method = page->method,
                               .bytes = page->bits / 8,
                               .curves = page->curves != NULL,
                               .meets = ht_inks_meet(page),
                               .inks = few ? page->inks : 0,
                               .swath = info->swath,
                               .items = info->swath == 0 ? brick_rows(page)
                                        : few            ? HT_CL_WARP
                                                         : 2 * HT_CL_WARP,
                               .block = few ? HT_CL_BLOCK : 1};
}

/* Pages whose memory a device that hangs may still write to. */
static _Atomic(struct ht_cl_page *) abandoned;

static void cl_close(ht_engine_t *engine)
{
    struct ht_cl_page *own = engine->own;

    if (own == NULL)
        return;
    engine->own = NULL;
    ht_engine_close(own->rescuer);
    if (ht_cl_hangs()) {
        own->abandoned = atomic_exchange(&abandoned, own);
        return;
    }
    ht_cl_buffers_free(own);
    free(own->inked);
    free(own->given);
    free(own);
}

/* A device that cannot do the page leaves it to the CPU. */
ht_status_t ht_cl_open_untested(ht_engine_t *engine)
{
    const struct ht_cl_kind kind = kind_of(&engine->page);
    struct ht_cl_page *own = engine->own = calloc(1, sizeof *own);

    if (own == NULL)
        return HT_ERR_MEMORY;
    snprintf(engine->device, sizeof engine->device, "OpenCL");
    own->scan = ht_scan_of(&engine->page);
    ht_place_first(&own->scan, &own->place);
    ht_status_t status = ht_cl_buffers_make(engine);
    if (status != HT_OK)
        return status;
    own->program = ht_cl_program(&kind);
    if (own->program == NULL)
        return HT_ERR_MEMORY;
    if (own->program->program == NULL)
        return ht_cl_rescue(engine, "its compiler refuses the kernels");
    return ht_cl_kernels_make(engine) ? HT_OK : ht_cl_rescue(engine, NULL);
}

static ht_status_t cl_open(ht_engine_t *engine)
{
    ht_status_t status = ht_cl_open_untested(engine);
    struct ht_cl_page *own = engine->own;

    if (status != HT_OK || own->rescuer != NULL)
        return status;
    own->has_turn = ht_cl_take_turn();
    if (!own->has_turn)
        return HT_ERR_BUSY;
    if (ht_cl_passes(engine))
        return HT_OK;
    return ht_cl_rescue(engine, "its dots are others");
}

/* ---- Launching ----------------------------------------------------------- */

/* Returns the row behind those that can be launched: whole swaths, or at the
 * page's end all. Where errors are diffused a row waits for the one below
 * it. */
static uint64_t sendable(const ht_engine_t *engine)
{
    const struct ht_cl_page *own = engine->own;

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

/* Returns how many rows the next part has, 0 = none. */
static size_t next_rows(const ht_engine_t *engine)
{
    const struct ht_cl_page *own = engine->own;
    size_t rows = (size_t)(sendable(engine) - own->launched);
    size_t to_wrap = own->sizes.ring - own->launched % own->sizes.ring;

    rows = rows < own->sizes.part ? rows : own->sizes.part;
    return rows < to_wrap ? rows : to_wrap;
}

/* Launches what can be launched: with `rest` all of it, else whole parts or, if
 * the device has nothing to do, less. Does not wait. Returns false if the
 * device fails. */
static bool send_rows(ht_engine_t *engine, bool rest)
{
    struct ht_cl_page *own = engine->own;
    size_t rows;

    while ((rows = next_rows(engine)) > 0) {
        size_t on_the_way = (size_t)(own->parts - own->finished_parts);
        bool idle = on_the_way == 0 &&
                    (own->scan.swath > 0 || rows >= HT_CL_FLOYD_ROWS);
        bool worth = rest || idle || rows == own->sizes.part;

        if (!worth || on_the_way == HT_CL_PARTS - 1)
            break;
        if (!ht_cl_send_rows(engine, rows))
            return false;
    }
    return true;
}

/* ---- Finishing -------------------------------------------------------- */

static struct ht_cl_part *oldest_part(struct ht_cl_page *own)
{
    return &own->part[own->finished_parts % HT_CL_PARTS];
}

/* Waits for the oldest part, and notes its state. Returns false if the device
 * fails. */
static bool finish(struct ht_cl_page *own)
{
    struct ht_cl_part *part = oldest_part(own);

    if (!ht_cl_wait(own, part->done) || ht_cl_fails(own, "copy"))
        return false;
    own->kernel_s += ht_cl_kernel_time(part);
    own->finished_parts++;
    own->finished = part->end;
    own->state = part->errors;
    return true;
}

/* Finishes the parts that need no wait. Returns false if the device
 * fails. */
static bool finish_some(struct ht_cl_page *own)
{
    while (own->finished_parts < own->parts &&
           ht_cl_is_over(own, oldest_part(own)->done))
        if (!finish(own))
            return false;
    return true;
}

/* ---- The engine's calls ------------------------------------------------- */

static size_t cl_room(const ht_engine_t *engine)
{
    const struct ht_cl_page *own = engine->own;

    return own->sizes.ring - (size_t)(own->submitted - own->collected);
}

static void *cl_buffer(ht_engine_t *engine, size_t *rows)
{
    struct ht_cl_page *own = engine->own;
    size_t slot = own->submitted % own->sizes.ring;
    size_t to_wrap = own->sizes.ring - slot, left = cl_room(engine);

    if (left == 0)
        return NULL;
    *rows = left < to_wrap ? left : to_wrap;
    return (uint8_t *)own->host_samples.host + slot * own->sizes.sample_row;
}

/* Puts rows into the ring. */
static void keep_rows(struct ht_cl_page *own, const uint8_t *from,
                      const uint16_t *inked, size_t rows)
{
    const size_t ring = own->sizes.ring, bytes = own->sizes.sample_row;

    for (size_t done = 0, some; done < rows; done += some) {
        size_t slot = own->submitted % ring;
        uint8_t *to = (uint8_t *)own->host_samples.host + slot * bytes;

        some = rows - done < ring - slot ? rows - done : ring - slot;
        if (to != from + done * bytes) /* see cl_buffer() */
            memcpy(to, from + done * bytes, some * bytes);
        for (size_t i = 0; i < some; i++)
            own->inked[slot + i] = inked != NULL ? inked[done + i] : UINT16_MAX;
        own->submitted += some;
    }
}

static ht_status_t cl_submit(ht_engine_t *engine, const void *tones,
                             const uint16_t *inked, size_t rows)
{
    struct ht_cl_page *own = engine->own;
    bool first = own->submitted == 0 && own->given == NULL;

    keep_rows(own, tones, inked, rows);
    if (own->rescuer != NULL)
        return ht_cl_feed_rescuer(engine);
    if (first && ht_info_of(&engine->page)->diffuses &&
        !ht_cl_send_preroll(engine))
        return ht_cl_rescue(engine, NULL);
    return finish_some(own) && send_rows(engine, false)
               ? HT_OK
               : ht_cl_rescue(engine, NULL);
}

static ht_status_t cl_end(ht_engine_t *engine)
{
    struct ht_cl_page *own = engine->own;

    if (own->rescuer != NULL)
        return ht_cl_feed_rescuer(engine);
    return send_rows(engine, true) ? HT_OK : ht_cl_rescue(engine, NULL);
}

/* Returns how many rows the device has finished that are not collected. */
static size_t finished_rows(const struct ht_cl_page *own)
{
    return (size_t)(own->finished > own->collected
                        ? own->finished - own->collected
                        : 0);
}

static size_t cl_ready(const ht_engine_t *engine)
{
    const struct ht_cl_page *own = engine->own;

    if (own->rescuer != NULL)
        return finished_rows(own) + ht_engine_ready(own->rescuer);
    uint64_t sure = sendable(engine);
    return (size_t)(sure > own->collected ? sure - own->collected : 0);
}

/* If a rescue fails, the next call that needs the device tries again, and
 * reports that. */
static size_t cl_done(ht_engine_t *engine)
{
    struct ht_cl_page *own = engine->own;

    if (own->rescuer == NULL && !(finish_some(own) && send_rows(engine, false)))
        ht_cl_rescue(engine, NULL);
    return own->rescuer != NULL ? cl_ready(engine) : finished_rows(own);
}

/* Copies the dots of finished rows, at most `rows`; returns how many. */
static size_t take_finished(struct ht_cl_page *own, uint8_t *dots, size_t rows)
{
    const uint8_t *ring = own->host_dots.host;
    const size_t bytes = own->sizes.dot_row;
    size_t taken = 0;

    while (taken < rows && own->collected < own->finished) {
        memcpy(dots + taken * bytes,
               ring + own->collected % own->sizes.ring * bytes, bytes);
        own->collected++;
        taken++;
    }
    return taken;
}

static ht_status_t cl_collect(ht_engine_t *engine, uint8_t *dots, size_t rows)
{
    struct ht_cl_page *own = engine->own;
    ht_status_t status = HT_OK;

    while (own->rescuer == NULL && finished_rows(own) < rows &&
           status == HT_OK) {
        bool sent = own->finished_parts < own->parts || send_rows(engine, true);

        if (!sent || !finish(own))
            status = ht_cl_rescue(engine, NULL);
    }
    if (status != HT_OK)
        return status;
    size_t taken = take_finished(own, dots, rows);
    return own->rescuer == NULL
               ? HT_OK
               : ht_cl_collect_rescued(
                     engine, dots + taken * own->sizes.dot_row, rows - taken);
}

static ht_status_t cl_take_state(ht_engine_t *engine, uint64_t *row,
                                 int16_t *errors)
{
    struct ht_cl_page *own = engine->own;

    while (own->rescuer == NULL && (own->launched < sendable(engine) ||
                                    own->finished_parts < own->parts))
        if (!send_rows(engine, true) || !finish(own)) {
            ht_status_t status = ht_cl_rescue(engine, NULL);
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

static ht_status_t cl_give_state(ht_engine_t *engine, uint64_t row,
                                 const int16_t *errors)
{
    struct ht_cl_page *own = engine->own;

    own->submitted = own->launched = own->collected = row;
    own->finished = own->fed = row;
    own->given = malloc(own->sizes.state);
    if (own->given == NULL)
        return HT_ERR_MEMORY;
    memcpy(own->given, errors, own->sizes.state);
    own->state = own->given;
    if (own->rescuer != NULL)
        return ht_engine_give_state(own->rescuer, row, errors);
    while (own->place.row < row + HT_PREROLL)
        ht_place_next(&own->scan, &own->place);
    cl_int error = ht_cl()->clEnqueueWriteBuffer(own->queue, own->line,
                                                 CL_FALSE, 0, own->sizes.state,
                                                 own->given, 0, NULL, NULL);
    return ht_cl_ok(own, error) ? HT_OK : HT_ERR_DEVICE;
}

const struct ht_engine_ops ht_opencl_engine = {
    .name = "opencl",
    .device = true,
    .available = cl_available,
    .pays = cl_pays,
    .open = cl_open,
    .buffer = cl_buffer,
    .room = cl_room,
    .submit = cl_submit,
    .end = cl_end,
    .ready = cl_ready,
    .done = cl_done,
    .collect = cl_collect,
    .take_state = cl_take_state,
    .give_state = cl_give_state,
    .close = cl_close,
};
