/*
 * engine.c - takes a page through a device, launch by launch; see engine.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "gpu/host/engine.h"
#include "gpu/host/rescue.h"
#include "gpu/host/ring.h"

/* Rows of a launch: as few while others are under way; as many, since it has a
 * deadline. */
#define PART_ROWS 64
#define MOST_PART_ROWS 1024

/* ---- Opening ---------------------------------------------------------- */

/* Nothing overflows: a page's limits keep the sums far inside size_t, the
 * largest being 2 * 65536 rows of 15 x 262144 samples of 2 bytes, 2^40
 * bytes. */
struct ht_ring_sizes ht_ring_measure(const ht_page_t *page, size_t most_rows)
{
    const size_t samples = (size_t)page->inks * page->width;
    struct ht_ring_sizes sizes = {
        .rows = ht_ring_whole_swaths(2 * (size_t)page->band + HT_RING_SWATH +
                                     ht_info_of(page)->diffuses),
        .worth = 1,
        .sample_row = samples * (page->bits / 8),
        .dot_row = page->inks * ht_row_bytes(page),
        .state = (size_t)ht_state_lines(page) * page->width * sizeof(int16_t)};

    if (page->height > 0) {
        size_t whole =
            ht_ring_whole_swaths((size_t)page->height + HT_RING_SWATH);

        sizes.rows = ht_most(sizes.rows, ht_least(whole, most_rows));
    }
    sizes.part = ht_ring_whole_swaths(sizes.rows / HT_RING_PARTS);
    sizes.part = ht_least(ht_most(sizes.part, PART_ROWS), MOST_PART_ROWS);
    return sizes;
}

ht_status_t ht_ring_open(ht_engine_t *engine, const struct ht_device_ops *ops)
{
    struct ht_ring *ring = engine->own = calloc(1, ops->page_bytes);

    if (ring == NULL)
        return HT_ERR_MEMORY;
    ring->ops = ops;
    ring->scan = ht_scan_of(&engine->page);
    ht_place_first(&ring->scan, &ring->place);
    ht_status_t status = ops->open(engine);
    if (status != HT_OK)
        return status;
    assert(ring->sizes.launches >= 2 &&
           ring->sizes.launches <= HT_RING_MOST_LAUNCHES);
    ring->inked = calloc(ring->sizes.rows, sizeof *ring->inked);
    return ring->inked != NULL ? HT_OK : HT_ERR_MEMORY;
}

void ht_ring_close(ht_engine_t *engine)
{
    struct ht_ring *ring = engine->own;

    if (ring == NULL)
        return;
    ht_engine_close(ring->rescuer);
    free(ring->inked);
    if (ring->ops->close(engine))
        free(ring);
    engine->own = NULL;
}

/* ---- Launching ----------------------------------------------------------- */

static void select_device(ht_engine_t *engine)
{
    const struct ht_ring *ring = engine->own;

    if (ring->ops->select != NULL)
        ring->ops->select(engine);
}

/* Returns the row behind those that can be launched: whole swaths, or at the
 * page's end all. Where errors are diffused a row waits for the one below
 * it. */
static uint64_t sendable(const ht_engine_t *engine)
{
    const struct ht_ring *ring = engine->own;

    if (engine->ended)
        return ring->submitted;
    uint64_t known = ring->submitted;
    if (ht_info_of(&engine->page)->diffuses && known > ring->launched)
        known--;
    if (ring->scan.swath == 0)
        return known;
    uint64_t whole = known / ring->scan.swath * ring->scan.swath;
    return whole > ring->launched ? whole : ring->launched;
}

/* Returns how many rows the next launch takes, 0 = none. The ring wraps between
 * swaths. */
static size_t next_rows(const ht_engine_t *engine)
{
    const struct ht_ring *ring = engine->own;
    size_t rows = (size_t)(sendable(engine) - ring->launched);
    size_t to_wrap = ring->sizes.rows - ring->launched % ring->sizes.rows;

    return ht_least(rows, ht_least(ring->sizes.part, to_wrap));
}

/* Launches the page's next `rows` rows, or its pre-roll. Returns false if the
 * device has failed, now or before. */
static bool launch(ht_engine_t *engine, size_t rows, bool preroll)
{
    struct ht_ring *ring = engine->own;
    struct ht_launch *next =
        &ring->launch[ring->launches % ring->sizes.launches];
    int16_t *errors = next->errors;

    *next = (struct ht_launch){.number = ring->launches % ring->sizes.launches,
                               .slot = ring->launched % ring->sizes.rows,
                               .in = rows,
                               .rows = preroll ? HT_PREROLL : rows,
                               .out = preroll ? 0 : rows,
                               .preroll = preroll,
                               .below = ring->launched + rows < ring->submitted,
                               .end = ring->launched + (preroll ? 0 : rows),
                               .errors = errors};
    assert(rows > 0 && ring->launched + rows <= ring->submitted &&
           next->slot + rows <= ring->sizes.rows);
    assert(preroll || rows <= ring->sizes.part);
    assert(ring->launches - ring->finished_launches < ring->sizes.launches);
    if (ring->failed || !ring->ops->send(engine, next) ||
        !ring->ops->run(engine, next) || !ring->ops->fetch(engine, next))
        return false;
    ring->launched = next->end;
    ring->launches++;
    return true;
}

/* Launches rows: with `rest` all of them, else whole parts, and fewer if the
 * device has nothing to do. Does not wait: leaves rows if all launches but one
 * are under way, because that one holds the last state that came. Returns false
 * if the device has failed, now or before. */
static bool send_rows(ht_engine_t *engine, bool rest)
{
    struct ht_ring *ring = engine->own;
    size_t rows;

    if (ring->failed)
        return false;
    while ((rows = next_rows(engine)) > 0) {
        size_t on_the_way = (size_t)(ring->launches - ring->finished_launches);
        size_t waiting = (size_t)(sendable(engine) - ring->launched);
        bool worth = rest || waiting >= ring->sizes.part ||
                     (on_the_way == 0 && waiting >= ring->sizes.worth);

        if (!worth || on_the_way == ring->sizes.launches - 1)
            break;
        if (!launch(engine, rows, false))
            return false;
    }
    return true;
}

/* ---- Finishing -------------------------------------------------------- */

static const struct ht_launch *oldest_launch(const struct ht_ring *ring)
{
    return &ring->launch[ring->finished_launches % ring->sizes.launches];
}

/* Waits for the oldest launch, and notes its state. Returns false if the device
 * has failed, now or before. */
static bool finish(ht_engine_t *engine)
{
    struct ht_ring *ring = engine->own;
    const struct ht_launch *oldest = oldest_launch(ring);

    if (ring->failed || !ring->ops->wait(engine, oldest))
        return false;
    ring->finished_launches++;
    ring->finished = oldest->end;
    ring->state = oldest->errors;
    return true;
}

/* Finishes the launches that need no wait. Returns false if the device has
 * failed. */
static bool finish_some(ht_engine_t *engine)
{
    struct ht_ring *ring = engine->own;

    while (!ring->failed && ring->finished_launches < ring->launches &&
           ring->ops->is_over(engine, oldest_launch(ring)))
        if (!finish(engine))
            return false;
    return true;
}

/* ---- The engine's calls ------------------------------------------------- */

size_t ht_ring_room(const ht_engine_t *engine)
{
    const struct ht_ring *ring = engine->own;

    return ring->sizes.rows - (size_t)(ring->submitted - ring->collected);
}

void *ht_ring_buffer(ht_engine_t *engine, size_t *rows)
{
    const struct ht_ring *ring = engine->own;
    size_t slot = ring->submitted % ring->sizes.rows;
    size_t left = ht_ring_room(engine);

    if (left == 0)
        return NULL;
    *rows = ht_least(left, ring->sizes.rows - slot);
    return ring->samples + slot * ring->sizes.sample_row;
}

/* Puts rows into the ring; inked [rows], NULL = any inks. */
static void keep_rows(struct ht_ring *ring, const uint8_t *from,
                      const uint16_t *inked, size_t rows)
{
    const size_t ring_rows = ring->sizes.rows, bytes = ring->sizes.sample_row;

    for (size_t done = 0, some; done < rows; done += some) {
        size_t slot = ring->submitted % ring_rows;
        uint8_t *to = ring->samples + slot * bytes;

        some = ht_least(rows - done, ring_rows - slot);
        if (to != from + done * bytes) /* see ht_ring_buffer() */
            memcpy(to, from + done * bytes, some * bytes);
        for (size_t i = 0; i < some; i++)
            ring->inked[slot + i] =
                inked != NULL ? inked[done + i] : UINT16_MAX;
        ring->submitted += some;
    }
}

ht_status_t ht_ring_submit(ht_engine_t *engine, const void *tones,
                           const uint16_t *inked, size_t rows)
{
    struct ht_ring *ring = engine->own;

    select_device(engine);
    keep_rows(ring, tones, inked, rows);
    if (ring->rescuer != NULL)
        return ht_rescuer_feed(engine);
    if (ring->launches == 0 && !ring->given &&
        ht_info_of(&engine->page)->diffuses && !launch(engine, 1, true))
        return ht_ring_rescue(engine, NULL);
    return finish_some(engine) && send_rows(engine, false)
               ? HT_OK
               : ht_ring_rescue(engine, NULL);
}

ht_status_t ht_ring_end(ht_engine_t *engine)
{
    struct ht_ring *ring = engine->own;

    if (ring->rescuer != NULL)
        return ht_rescuer_feed(engine);
    select_device(engine);
    return send_rows(engine, true) ? HT_OK : ht_ring_rescue(engine, NULL);
}

/* Returns how many rows the device has finished that are not collected. */
static size_t finished_rows(const struct ht_ring *ring)
{
    return (size_t)(ring->finished > ring->collected
                        ? ring->finished - ring->collected
                        : 0);
}

size_t ht_ring_ready(const ht_engine_t *engine)
{
    const struct ht_ring *ring = engine->own;

    if (ring->rescuer != NULL)
        return finished_rows(ring) + ht_engine_ready(ring->rescuer);
    uint64_t sure = sendable(engine);
    return (size_t)(sure > ring->collected ? sure - ring->collected : 0);
}

/* If a rescue fails, the next call that needs the device tries again, and
 * reports that. */
size_t ht_ring_done(ht_engine_t *engine)
{
    struct ht_ring *ring = engine->own;

    select_device(engine);
    if (ring->rescuer == NULL &&
        !(finish_some(engine) && send_rows(engine, false)))
        ht_ring_rescue(engine, NULL);
    return ring->rescuer != NULL ? ht_ring_ready(engine) : finished_rows(ring);
}

/* Copies the dots of finished rows, at most `rows`; returns how many. */
static size_t take_finished(struct ht_ring *ring, uint8_t *dots, size_t rows)
{
    const size_t bytes = ring->sizes.dot_row;
    size_t taken = 0;

    while (taken < rows && ring->collected < ring->finished) {
        memcpy(dots + taken * bytes,
               ring->dots + ring->collected % ring->sizes.rows * bytes, bytes);
        ring->collected++;
        taken++;
    }
    return taken;
}

ht_status_t ht_ring_collect(ht_engine_t *engine, uint8_t *dots, size_t rows)
{
    struct ht_ring *ring = engine->own;
    ht_status_t status = HT_OK;

    select_device(engine);
    while (ring->rescuer == NULL && finished_rows(ring) < rows &&
           status == HT_OK) {
        bool sent =
            ring->finished_launches < ring->launches || send_rows(engine, true);
        if (!sent || !finish(engine))
            status = ht_ring_rescue(engine, NULL);
    }
    if (status != HT_OK)
        return status;
    size_t taken = take_finished(ring, dots, rows);
    return ring->rescuer == NULL
               ? HT_OK
               : ht_rescuer_collect(engine, dots + taken * ring->sizes.dot_row,
                                    rows - taken);
}

ht_status_t ht_ring_take_state(ht_engine_t *engine, uint64_t *row,
                               int16_t *errors)
{
    struct ht_ring *ring = engine->own;

    select_device(engine);
    while (ring->rescuer == NULL && (ring->launched < sendable(engine) ||
                                     ring->finished_launches < ring->launches))
        if (!send_rows(engine, true) || !finish(engine)) {
            ht_status_t status = ht_ring_rescue(engine, NULL);
            if (status != HT_OK)
                return status;
        }
    if (ring->rescuer != NULL)
        return ht_engine_take_state(ring->rescuer, row, errors);
    *row = ring->finished;
    if (ring->state != NULL)
        memcpy(errors, ring->state, ring->sizes.state);
    else
        memset(errors, 0, ring->sizes.state);
    return HT_OK;
}

/* Keeps the state in the launch that is at rest until others have finished. */
ht_status_t ht_ring_give_state(ht_engine_t *engine, uint64_t row,
                               const int16_t *errors)
{
    struct ht_ring *ring = engine->own;
    struct ht_launch *before = &ring->launch[ring->sizes.launches - 1];

    select_device(engine);
    ring->submitted = ring->launched = ring->collected = row;
    ring->finished = ring->fed = row;
    ring->given = true;
    if (ring->rescuer != NULL)
        return ht_engine_give_state(ring->rescuer, row, errors);
    while (ring->place.row < row + HT_PREROLL)
        ht_place_next(&ring->scan, &ring->place);
    before->number = ring->sizes.launches - 1;
    memcpy(before->errors, errors, ring->sizes.state);
    ring->state = before->errors;
    return ring->ops->send_state(engine, before) ? HT_OK : HT_ERR_DEVICE;
}
