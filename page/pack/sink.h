/*
 * sink.h - buffers the bytes of a job on their way out.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef PACK_SINK_H
#define PACK_SINK_H

#include <stdbool.h>
#include <stddef.h>

#define SINK_BYTES 8192

/* Destination of a writer's bytes. The caller sets `write` and zeroes the rest;
 * it may be the first member of a larger struct of the caller's. */
struct sink {
    /* Takes `bytes` bytes at `data`, all of them; false when nothing more can
     * be written, and then it is not called again. */
    bool (*write)(struct sink *sink, const void *data, size_t bytes);
    bool broken; /* `write` was false */
    size_t held; /* bytes in the buffer */
    unsigned char buffer[SINK_BYTES];
};

/* Puts bytes into the sink; a broken one drops them. */
void sink_put(struct sink *sink, const void *data, size_t bytes);

/* Puts a text of less than 256 bytes. */
void sink_printf(struct sink *sink, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Writes what the buffer holds; false when the sink is broken. */
bool sink_flush(struct sink *sink);

#endif
