/*
 * rescue.c - when the device fails in the middle of a page, a rescuer goes on
 * from the last finished part, with the same dots.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <stdio.h>

#include "opencl/engine.h"

static ht_status_t open_rescuer(ht_engine_t *engine)
{
    struct ht_cl_page *own = engine->own;
    ht_page_t page = engine->page;

    if (engine->own_table != NULL)
        page.table = NULL; /* as it was given; the rescuer makes its own */
    /* The fast engine may hold back rows that were ready already, until more
     * come. Before the first row none were. */
    bool holds_back = ht_info_of(&page)->swath == 0 && own->submitted > 0;
    ht_status_t status =
        ht_engine_open(&own->rescuer, holds_back ? "reference" : "cpu", &page);
    if (status != HT_OK || own->state == NULL)
        return status;
    return ht_engine_give_state(own->rescuer, own->finished, own->state);
}

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

ht_status_t ht_cl_feed_rescuer(ht_engine_t *engine)
{
    struct ht_cl_page *own = engine->own;
    const uint8_t *samples = own->host_samples.host;
    ht_status_t status = HT_OK;

    while (status == HT_OK && own->fed < own->submitted &&
           ht_engine_room(own->rescuer) > 0) {
        size_t slot = own->fed % own->sizes.ring;
        size_t rows = least(ht_engine_room(own->rescuer), engine->page.band);

        rows = least(rows, (size_t)(own->submitted - own->fed));
        rows = least(rows, own->sizes.ring - slot);
        status = ht_engine_submit(own->rescuer,
                                  samples + slot * own->sizes.sample_row,
                                  own->inked + slot, rows);
        own->fed += rows;
    }
    if (status == HT_OK && engine->ended && own->fed == own->submitted &&
        !own->rescuer->ended)
        status = ht_engine_end(own->rescuer);
    return status;
}

ht_status_t ht_cl_collect_rescued(ht_engine_t *engine, uint8_t *dots,
                                  size_t rows)
{
    struct ht_cl_page *own = engine->own;
    ht_status_t status = HT_OK;

    while (status == HT_OK && rows > 0) {
        size_t some = least(rows, ht_engine_ready(own->rescuer));

        if (some == 0)
            return HT_ERR_ARGUMENT;
        status = ht_engine_collect(own->rescuer, dots, some);
        own->collected += some;
        dots += some * own->sizes.dot_row;
        rows -= some;
        if (status == HT_OK)
            status = ht_cl_feed_rescuer(engine);
    }
    return status;
}

ht_status_t ht_cl_rescue(ht_engine_t *engine, const char *why)
{
    struct ht_cl_page *own = engine->own;

    own->fed = own->finished;
    snprintf(engine->trouble, sizeof engine->trouble,
             "OpenCL failed at row %llu (%s); the CPU goes on",
             (unsigned long long)own->finished,
             why != NULL     ? why
             : ht_cl_hangs() ? "no answer"
                             : ht_cl_error_text(own->error));
    ht_status_t status = open_rescuer(engine);
    return status == HT_OK ? ht_cl_feed_rescuer(engine) : status;
}
