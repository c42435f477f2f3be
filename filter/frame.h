/*
 * frame.h - bare paper around the lines that come, where a page is larger than
 * its raster.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef FILTER_FRAME_H
#define FILTER_FRAME_H

#include <stddef.h>
#include <stdint.h>

struct stream;

/* Where the paper is. All zeros: nowhere, every line comes whole. */
struct frame {
    uint8_t paper;      /* each byte of it */
    size_t left, right; /* bytes of a line */
    size_t top, lines;  /* paper, then lines that come; 0 = they all come */
};

/* The lines of a page: those that come in a stream, in their frame. The page's
 * header has to be read before. */
struct framed_lines {
    struct stream *in;
    const struct frame *frame;
    size_t next; /* line of the page */
};

/* Reads the next `lines` lines of `bytes` each, and returns how many came
 * whole; paper always does. */
size_t frame_read(struct framed_lines *page, unsigned char *data, size_t lines,
                  size_t bytes);

#endif
