/*
 * rescue.c - when the device fails in the middle of a page, a rescuer goes on
 * from the last finished launch, with the same dots.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <stdio.h>

#include "gpu/host/rescue.h"

static ht_status_t open_rescuer(ht_engine_t *engine)
{
    struct ht_ring *ring = engine->own;
    ht_page_t page = engine->page;

    if (engine->own_table != NULL)
        page.table = NULL; /* as it was given; the rescuer makes its own */
    /* The fast engine may hold back rows that were ready already, until more
     * come. Before the first row none were. */
    bool holds_back = ht_info_of(&page)->swath == 0 && ring->submitted > 0;
    ht_engine_t *rescuer = NULL;
    ht_status_t status =
        ht_engine_open(&rescuer, holds_back ? "reference" : "cpu", &page);
    if (status == HT_OK && ring->state != NULL)
        status = ht_engine_give_state(rescuer, ring->finished, ring->state);
    if (status == HT_OK)
        ring->rescuer = rescuer;
    else
        ht_engine_close(rescuer);
    return status;
}

ht_status_t ht_rescuer_feed(ht_engine_t *engine)
{
    struct ht_ring *ring = engine->own;
    ht_status_t status = HT_OK;

    while (status == HT_OK && ring->fed < ring->submitted &&
           ht_engine_room(ring->rescuer) > 0) {
        size_t slot = ring->fed % ring->sizes.rows;
        size_t rows =
            ht_least(ht_engine_room(ring->rescuer), engine->page.band);

        rows = ht_least(rows, (size_t)(ring->submitted - ring->fed));
        rows = ht_least(rows, ring->sizes.rows - slot);
        status = ht_engine_submit(ring->rescuer,
                                  ring->samples + slot * ring->sizes.sample_row,
                                  ring->inked + slot, rows);
        ring->fed += rows;
    }
    if (status == HT_OK && engine->ended && ring->fed == ring->submitted &&
        !ring->rescuer->ended)
        status = ht_engine_end(ring->rescuer);
    return status;
}

ht_status_t ht_rescuer_collect(ht_engine_t *engine, uint8_t *dots, size_t rows)
{
    struct ht_ring *ring = engine->own;
    ht_status_t status = HT_OK;

    while (status == HT_OK && rows > 0) {
        size_t some = ht_least(rows, ht_engine_ready(ring->rescuer));

        if (some == 0)
            return HT_ERR_ARGUMENT;
        status = ht_engine_collect(ring->rescuer, dots, some);
        ring->collected += some;
        dots += some * ring->sizes.dot_row;
        rows -= some;
        if (status == HT_OK)
            status = ht_rescuer_feed(engine);
    }
    return status;
}

ht_status_t ht_ring_rescue(ht_engine_t *engine, const char *why)
{
    struct ht_ring *ring = engine->own;

    ring->failed = true;
    ring->fed = ring->finished;
    snprintf(engine->trouble, sizeof engine->trouble,
             "%s failed at row %llu (%s); the CPU goes on", ring->ops->name,
             (unsigned long long)ring->finished,
             why != NULL ? why : ring->ops->error(engine));
    ht_status_t status = open_rescuer(engine);
    return status == HT_OK ? ht_rescuer_feed(engine) : status;
}
