/*
 * stream.h - the raster that comes in and the raster that leaves: libcups on
 * top of reads that a canceled job ends and writes that fail for good.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef FILTER_STREAM_H
#define FILTER_STREAM_H

#include <stdbool.h>

#include <cups/raster.h>

#include "filter/layout.h"

/*
 * Ignores SIGPIPE and makes SIGTERM cancel the job: reads end from then on,
 * writes go on. Call it once, before anything is opened or a thread started.
 * Only the calling thread may read: it alone takes SIGTERM, while it waits.
 */
void stream_catch_signals(void);

/* True once SIGTERM has come. Any thread may ask. */
bool stream_canceled(void);

struct stream {
    cups_raster_t *raster; /* NULL until opened */
    int fd;
    bool may_wait;      /* reads may: not a regular file */
    size_t header;      /* bytes that libcups asks for where a page may begin */
    bool came;          /* anything has */
    bool at_end;        /* it has last asked for as many, and none were left */
    bool broken;        /* a write has failed: nothing more can leave */
    int error;          /* why it is broken: errno, or 0 when libcups refused */
    struct frame frame; /* of the page that is read */
    size_t line;        /* of the page, the next one */
};

/* Opens the raster to read on `fd`, which stays the caller's. False when it
 * does not begin like a raster. Close with stream_close(). */
bool stream_open_input(struct stream *stream, int fd);

/* Begins a raster on `fd`, which stays the caller's. False when it cannot be
 * written. Close with stream_close(). */
bool stream_open_output(struct stream *stream, int fd, bool pwg);

void stream_close(struct stream *stream);

/* The result of asking for a header. */
enum stream_header { STREAM_PAGE, STREAM_END, STREAM_DAMAGED };

/* Reads the next page's header. */
enum stream_header stream_read_header(struct stream *stream,
                                      cups_page_header2_t *header);

/* Begins with the lines of a page. */
void stream_begin_page(struct stream *stream, const struct frame *frame);

/* Reads `lines` lines of `bytes` each, with the frame's paper, and returns how
 * many came whole. */
size_t stream_read_lines(struct stream *stream, unsigned char *data,
                         size_t lines, size_t bytes);

/* Both are false when the raster cannot be written. */
bool stream_write_header(struct stream *stream, cups_page_header2_t *header);
bool stream_write(struct stream *stream, const unsigned char *data,
                  size_t bytes);

/* Writes the ERROR line of a broken stream, unless the job is canceled: who
 * cancels it may end what reads our output, too. */
void stream_report(const struct stream *stream);

#endif
