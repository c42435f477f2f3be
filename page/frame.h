/*
 * frame.h - surrounds the lines that come with bare paper, if a page is larger
 * than its raster.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef PAGE_FRAME_H
#define PAGE_FRAME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct stream;

/* Limit of amplification: a raster may become FRAME_FREE_DOTS bytes of dots,
 * and FRAME_DOTS_A_BYTE more for each of its bytes; beyond, it is a
 * decompression bomb. Compressed white pages of CUPS raster have 2,048 to 3,300
 * bytes for each byte, and of Apple raster any number, but then some hundred
 * bytes for each page. */
#define FRAME_DOTS_A_BYTE 16384u
#define FRAME_FREE_DOTS ((uint64_t)4 << 30)

/* Margins of bare paper. All zeros: none, every line comes whole. */
struct frame {
    uint8_t paper;      /* each byte of it */
    size_t parts;       /* of a line, one an ink where they are banded; 0 = 1 */
    size_t left, right; /* bytes of a part */
    size_t top, lines;  /* paper, then lines that come; 0 = they all come */
};

/* Lines of a page, from a stream and its frame. Read the page's header before.
 */
struct framed_lines {
    struct stream *in;
    const struct frame *frame;
    size_t dots;  /* bytes of dots that a line stands for */
    size_t next;  /* line of the page */
    bool is_bomb; /* the next line would exceed FRAME_DOTS_A_BYTE */
};

/* Reads the next `lines` lines of `bytes` each, and returns how many came
 * whole; paper always does. Reads none once the raster is a decompression bomb:
 * a few compressed bytes may stand for any number of lines, of this page and
 * those before. */
size_t frame_read(struct framed_lines *page, unsigned char *data, size_t lines,
                  size_t bytes);

#endif
