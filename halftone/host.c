/*
 * host.c - the state and the finished rows of engines in the host's memory.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "halftone/host.h"

/* The page's limits keep all products but the queue's inside 32 bits; that
 * one, some 60 GiB at most, calloc() checks. */
ht_status_t ht_host_init(struct ht_host *host, const ht_engine_t *engine,
                         size_t held)
{
    const ht_page_t *page = &engine->page;
    size_t plane = ht_row_bytes(page);

    *host = (struct ht_host){.scan = ht_scan_of(page),
                             .row_bytes = page->inks * plane,
                             .capacity = 2 * (size_t)page->band + held};
    ht_place_first(&host->scan, &host->place);
    host->error =
        calloc((size_t)ht_state_lines(page) * page->width, sizeof *host->error);
    host->unseen = calloc(page->inks, plane);
    host->queue = calloc(host->capacity, host->row_bytes);
    return host->error && host->unseen && host->queue ? HT_OK : HT_ERR_MEMORY;
}

void ht_host_free(struct ht_host *host)
{
    free(host->error);
    free(host->unseen);
    free(host->queue);
}

uint8_t *ht_host_add_row(struct ht_host *host, uint64_t row)
{
    if (row < HT_PREROLL)
        return host->unseen;

    assert(host->rows < host->capacity);
    size_t slot = (host->first + host->rows++) % host->capacity;
    return host->queue + slot * host->row_bytes;
}

size_t ht_host_ready(const ht_engine_t *engine)
{
    const struct ht_host *host = engine->own;

    return host->rows;
}

ht_status_t ht_host_collect(ht_engine_t *engine, uint8_t *dots, size_t rows)
{
    struct ht_host *host = engine->own;

    assert(rows <= host->rows);
    for (size_t row = 0; row < rows; row++, dots += host->row_bytes) {
        memcpy(dots, host->queue + host->first * host->row_bytes,
               host->row_bytes);
        host->first = (host->first + 1) % host->capacity;
    }
    host->rows -= rows;
    return HT_OK;
}

ht_status_t ht_host_take_state(ht_engine_t *engine, uint64_t *row,
                               int16_t *errors)
{
    const struct ht_host *host = engine->own;

    *row = host->place.row - HT_PREROLL;
    memcpy(errors, host->error,
           (size_t)ht_state_lines(&engine->page) * engine->page.width *
               sizeof *errors);
    return HT_OK;
}

ht_status_t ht_host_give_state(ht_engine_t *engine, uint64_t row,
                               const int16_t *errors)
{
    struct ht_host *host = engine->own;

    while (host->place.row < row + HT_PREROLL)
        ht_place_next(&host->scan, &host->place);
    memcpy(host->error, errors,
           (size_t)ht_state_lines(&engine->page) * engine->page.width *
               sizeof *errors);
    return HT_OK;
}
