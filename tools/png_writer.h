/*
 * png_writer.h - writes a PNG row by row: colors, or dots with a palette.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef TOOLS_PNG_WRITER_H
#define TOOLS_PNG_WRITER_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include <png.h>

#include "tools/out_file.h"

#define PNG_WRITER_COLORS 256 /* most in a palette */

struct png_writer {
    struct out_file out;
    png_structp png;
    png_infop info;
    char error[128]; /* what went wrong, in one line without the path */
    jmp_buf jump;
};

struct png_shape {
    uint32_t width, height;
    bool mono;       /* indices 0 = white, 1 = black, no palette */
    unsigned colors; /* of the palette, from 2 on; 0 = RGB of 8 bits */
    uint8_t palette[PNG_WRITER_COLORS][3];
    double dpi[2]; /* 0 = unknown */
    int level;     /* of compression, 1..9; 0 = a fast one */
};

/* Begins the file `path` by out_file_open(), where `in` is. On failure, here
 * and below, `error` says why; close the writer all the same. */
bool png_writer_open(struct png_writer *writer, const char *path,
                     const char *in, const struct png_shape *shape);

/* Writes a row: [width][3], or a palette index a byte [width]. */
bool png_writer_row(struct png_writer *writer, const uint8_t *row);

/* Ends the PNG when all its rows were written (`ok`); else what was there
 * before is there still. */
bool png_writer_close(struct png_writer *writer, bool ok);

#endif
