/*
 * pipeline.h - a page's samples become dots: reading, halftoning and writing
 * at the same time, with bounded queues of bands between them.
 *
 * One thread reads, another one starts, writes and finishes; halftoning has
 * one of its own. The reader is free for the next page while the others still
 * have work with this one.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef PAGE_PIPELINE_H
#define PAGE_PIPELINE_H

#include "page/ink.h"
#include "page/output.h"

struct pipeline;

/* The ht_page_t.lent of pages whose engine goes into a pipeline: bands of ink
 * that halftoning may still need when the next one is submitted. */
#define PIPELINE_LENT 2u

/* Result of a page. */
struct outcome {
    size_t read;        /* lines that came whole */
    int no_thread;      /* why the thread could not be started (errno), or 0 */
    ht_status_t status; /* the engine's */
    double reading, halftoning, writing; /* CPU seconds of each thread */
    double helping;                      /* of the reader, not of `reading` */
    double waiting; /* seconds that it helped or had no room to read into */
};

/* Tells on the log how long the threads of page `number` were busy. */
void outcome_tell(const struct outcome *outcome, unsigned number);

/* Whether all of a page has to be read before halftoning begins: the planes of
 * a planar page come one after the other, and an ink looks at the errors of
 * those before it. */
bool pipeline_holds_page(const struct layout *layout);

/* Takes the memory for bands of `band` rows; NULL without it. The layout and
 * what is done to its ink stay the caller's. Close with pipeline_close(). */
struct pipeline *pipeline_open(const struct layout *layout,
                               const struct ink *to_ink, uint32_t band);

void pipeline_close(struct pipeline *pipeline); /* NULL is allowed */

/* Reads the page until it is whole, its input ends, the job is canceled or
 * another stage stops, and helps the engine whenever it would wait. Whether
 * the page is whole. */
bool pipeline_read(struct pipeline *pipeline, struct framed_lines *in,
                   ht_engine_t *engine);

/* Starts halftoning. The engine, which is of this page and band and was given
 * no rows yet, is the pipeline's until pipeline_finish() returns. */
void pipeline_start(struct pipeline *pipeline, ht_engine_t *engine);

/* Writes dots until there are no more: all of what was halftoned, unless the
 * output breaks. */
void pipeline_write(struct pipeline *pipeline, struct output *out);

/* Ends all stages before their time. */
void pipeline_stop(struct pipeline *pipeline);

/* Waits until reading and halftoning are over, after pipeline_start(). Says
 * nothing: the outcome and the output's stream tell how it went. */
struct outcome pipeline_finish(struct pipeline *pipeline);

#endif
