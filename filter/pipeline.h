/*
 * pipeline.h - a page's samples become dots: reading, halftoning and writing
 * at the same time, with bounded queues of bands between them.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef FILTER_PIPELINE_H
#define FILTER_PIPELINE_H

#include "filter/ink.h"
#include "filter/output.h"

struct pipeline;

/* How a page went. */
struct outcome {
    size_t read;        /* lines that came whole */
    int no_thread;      /* why a thread could not be started (errno), or 0 */
    ht_status_t status; /* the engine's */
    double reading, halftoning, writing; /* CPU seconds of each thread */
};

/* False after an ERROR line when samples of this layout would have to be held
 * in more memory than a page may take. */
bool pipeline_accepts(const struct layout *layout);

/* Takes the memory for bands of `band` rows; NULL without it. The layout and
 * what is done to its ink stay the caller's. Close with pipeline_close(). */
struct pipeline *pipeline_open(const struct layout *layout,
                               const struct ink *changes, uint32_t band);

void pipeline_close(struct pipeline *pipeline); /* NULL is allowed */

/*
 * Reads the page with the calling thread, the one that lets SIGTERM in, and
 * halftones and writes it with two more, until it is whole, its input ends,
 * the job is canceled or a stage fails; what was halftoned by then has been
 * written. Says nothing: the outcome and `out->stream` tell how it went.
 *
 *   engine  of this page and band, given no rows yet
 */
struct outcome pipeline_run(struct pipeline *pipeline, struct stream *in,
                            ht_engine_t *engine, struct output *out);

#endif
