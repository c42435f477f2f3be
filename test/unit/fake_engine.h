/*
 * fake_engine.h - an engine for the filter's stages that fails and dawdles on
 * demand: its dots are samples of 128 or more. And a count of the lines that
 * the reader has read, to see how far it is ahead.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef TEST_FAKE_ENGINE_H
#define TEST_FAKE_ENGINE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "page/pipeline.h"
#include "halftone/halftone.h"

/* Its pages have four inks of 8 bits, and always this width. */
#define WIDTH 40u
#define LINE ((size_t)4 * WIDTH)     /* bytes of a row of samples */
#define DOTS ((size_t)4 * WIDTH / 8) /* bytes of a row of dots */
#define NEVER SIZE_MAX

struct ht_engine {
    size_t submits, collects; /* calls until one fails */
    bool fails_to_end;
    unsigned dawdles; /* microseconds a call */
    size_t room, lag; /* rows; of an accelerator, else 0 */
    size_t host_room; /* rows; of an engine of the host, 0 = 2000 */
    bool takes_signals;
    size_t guest;                          /* calls of ht_engine_help() */
    size_t submitted, collected, finished; /* rows */
    size_t most;                           /* rows that it had at a time */
    size_t most_ahead;                     /* rows read and not submitted */
    size_t done;                           /* an accelerator's, rows */
    uint8_t *ink; /* every row that was read of those */
    /* As late as the caller's promise allows, a host's engine reads the samples
     * of its last submits. */
    size_t samples_read; /* rows */
    unsigned lent;       /* submits that it has not read */
    const void *tones[PIPELINE_LENT + 2];
    size_t rows[PIPELINE_LENT + 2];
};

/* Lines that a page has read; store 0 before it begins. Link with
 * --wrap=stream_read_lines. */
extern atomic_size_t lines_read;

/* Keeps the most lines that were read and have not got `done` lines far. */
void note_ahead(size_t *most, size_t done);

#endif
