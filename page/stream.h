/*
 * stream.h - the raster that comes in and the raster that leaves: libcups on
 * top of reads that a canceled job ends and writes that fail for good.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef PAGE_STREAM_H
#define PAGE_STREAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cups/raster.h>

#define STREAM_HELD 16384

/* Receiver of a raster, in place of a file. */
struct stream_taker {
    /* Both are false when nothing more is taken. `data` has whole lines. */
    bool (*header)(struct stream_taker *taker,
                   const cups_page_header2_t *header);
    bool (*lines)(struct stream_taker *taker, const unsigned char *data,
                  size_t bytes);
};

struct stream {
    cups_raster_t *raster;      /* NULL until opened */
    struct stream_taker *taker; /* instead of a file that is written; or NULL */
    int fd;
    /* Returns the next lines in place of the raster, and how many came whole.
     * NULL: the raster is read. */
    size_t (*lines)(void *from, unsigned char *data, size_t lines,
                    size_t bytes);
    void *from;
    bool may_wait;  /* reads may: not a regular file */
    size_t header;  /* bytes that libcups asks for where a page may begin */
    bool came;      /* anything has */
    uint64_t bytes; /* that have come */
    uint64_t dots;  /* bytes of dots that the lines so far stand for: frame.h */
    bool at_end;    /* libcups has last asked for as many; none were left */
    bool broken;    /* a write has failed: nothing more can leave */
    /* Bytes that were read ahead and that libcups has not asked for yet, since
     * it asks for short lines one by one. */
    size_t next, held;
    unsigned char ahead[STREAM_HELD];
    int error; /* errno of the read or write that failed, or of memory that
                  libcups lacked; 0 = none, or libcups refused to write */
};

/* Opens the raster to read on `fd`, which stays the caller's. False when it
 * does not begin like a raster. Close with stream_close(). */
bool stream_open_input(struct stream *stream, int fd);

/* Begins a raster on `fd`, which stays the caller's. False when it cannot be
 * written. Close with stream_close(). */
bool stream_open_output(struct stream *stream, int fd, bool pwg);

/* Begins a raster that `taker` receives. */
void stream_open_taker(struct stream *stream, struct stream_taker *taker);

/* Begins a stream that reads its lines by calling `lines`, which checks that
 * the raster is not a decompression bomb: frame.h. It has no headers. */
void stream_open_lines(struct stream *stream,
                       size_t (*lines)(void *from, unsigned char *data,
                                       size_t lines, size_t bytes),
                       void *from);

void stream_close(struct stream *stream);

/* The result of asking for a header. */
enum stream_header { STREAM_PAGE, STREAM_END, STREAM_DAMAGED };

/* Reads the next page's header. */
enum stream_header stream_read_header(struct stream *stream,
                                      cups_page_header2_t *header);

/* Reads the header of the next page of a job, after `pages` others. False at
 * the end or when the job is canceled; `*ok` is false then after an ERROR line
 * about a raster that is damaged or has no page. */
bool stream_next_page(struct stream *stream, cups_page_header2_t *header,
                      unsigned pages, bool *ok);

/* Reads `lines` lines of `bytes` each of the page, and returns how many came
 * whole. */
size_t stream_read_lines(struct stream *stream, unsigned char *data,
                         size_t lines, size_t bytes);

/* Both are false when the raster cannot be written. `data` has whole lines. */
bool stream_write_header(struct stream *stream, cups_page_header2_t *header);
bool stream_write(struct stream *stream, const unsigned char *data,
                  size_t bytes);

/* Writes the ERROR line of a broken stream, unless the job is canceled: then
 * the program that reads our output may have been ended, too. */
void stream_report(const struct stream *stream);

#endif
