/*
 * rescue.c - when the device fails in the middle of a page: an engine of the
 * host goes on from the last finished launch, with the same dots.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <stdio.h>

#include "gpu/engine.h"

static ht_status_t open_rescuer(ht_engine_t *engine)
{
    struct ht_gpu_page *own = engine->own;
    ht_page_t page = engine->page;

    /* All that the ring has may be submitted before any is collected. */
    page.band += HT_GPU_SWATH;
    if (page.band > HT_MAX_BAND)
        page.band = HT_MAX_BAND;
    ht_status_t status = ht_engine_open(&own->rescuer, "cpu", &page);
    if (status != HT_OK || own->state == NULL)
        return status;
    return ht_engine_give_state(own->rescuer, own->finished, own->state);
}

static ht_status_t resubmit(ht_engine_t *engine)
{
    struct ht_gpu_page *own = engine->own;
    ht_status_t status = HT_OK;

    for (uint64_t row = own->finished; row < own->submitted && status == HT_OK;
         row++)
        status =
            ht_engine_submit(own->rescuer,
                             own->at->host_samples +
                                 row % own->sizes.ring * own->sizes.sample_row,
                             1);
    if (status == HT_OK && engine->ended)
        status = ht_engine_end(own->rescuer);
    return status;
}

ht_status_t ht_gpu_rescue(ht_engine_t *engine)
{
    struct ht_gpu_page *own = engine->own;

    own->failed = true;
    snprintf(engine->trouble, sizeof engine->trouble,
             "the GPU failed at row %llu (%s); the CPU goes on",
             (unsigned long long)own->finished,
             own->hung ? "no answer" : ht_gpu_error());
    ht_status_t status = open_rescuer(engine);
    return status == HT_OK ? resubmit(engine) : status;
}
