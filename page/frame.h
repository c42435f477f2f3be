/*
 * frame.h - bare paper around the lines that come, where a page is larger than
 * its raster.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef PAGE_FRAME_H
#define PAGE_FRAME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct stream;

/* A raster's bytes pay for so many bytes of dots each, and for some more in
 * all. Compressed white pages of CUPS raster have 2,048 to 3,300 for each byte,
 * and of Apple raster any number, but then some hundred bytes for each page. */
#define FRAME_DOTS_A_BYTE 16384u
#define FRAME_UNPAID_DOTS ((uint64_t)4 << 30)

/* Where the paper is. All zeros: nowhere, every line comes whole. */
struct frame {
    uint8_t paper;      /* each byte of it */
    size_t parts;       /* of a line, one an ink where they are banded; 0 = 1 */
    size_t left, right; /* bytes of a part */
    size_t top, lines;  /* paper, then lines that come; 0 = they all come */
};

/* The lines of a page: those that come in a stream, in their frame. The page's
 * header has to be read before. */
struct framed_lines {
    struct stream *in;
    const struct frame *frame;
    size_t dots; /* bytes of dots that a line stands for */
    size_t next; /* line of the page */
    bool unpaid; /* the raster does not pay for the next one */
};

/* Reads the next `lines` lines of `bytes` each, and returns how many came
 * whole; paper always does. None do once the page is unpaid: a few compressed
 * bytes may stand for any number of lines, of this page and those before. */
size_t frame_read(struct framed_lines *page, unsigned char *data, size_t lines,
                  size_t bytes);

#endif
