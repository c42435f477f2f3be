/*
 * raster.h - CUPS and PWG raster, contone or dots, row by row for the tools.
 *
 * libcups before 2.4.17 hardly checks page headers; here they are checked
 * before anything is allocated. A page passes row by row, so a roll of any
 * length needs the memory of a row.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef TOOLS_RASTER_H
#define TOOLS_RASTER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cups/raster.h>

#include "filter/stream.h"

#define RASTER_MAX_INKS 4

/* A color space that the tools know. In an additive one the samples are
 * light, sRGB encoded, and their ink is what is missing to white. */
struct raster_space {
    cups_cspace_t space;
    const char *name;
    const char *inks; /* letters, in the order of the samples */
    bool additive;
};

/* A stream and the page that is being read. Read-only for the caller. */
struct raster {
    struct stream stream;
    int fd;
    unsigned page;     /* number of the page, from 1; 0 before the first */
    const char *error; /* what went wrong, NULL = nothing */
    cups_page_header2_t header;
    const struct raster_space *space;
    uint32_t inks;
    uint32_t bits;     /* of a sample: 1, 8 or 16 */
    uint32_t levels;   /* of a sample: 2, 256 or 65536 */
    uint8_t *line;     /* [cupsBytesPerLine] */
    uint16_t *samples; /* [inks][cupsWidth]: the row that was read last */
};

/* Opens a file, "-" for standard input. False with `error` set when it is no
 * raster. Close with raster_close(), also then. */
bool raster_open(struct raster *raster, const char *path);

/* Goes to the next page; all rows of the last one must have been read. False
 * behind the last page, and with `error` set when there is no such page or
 * none at all. */
bool raster_next_page(struct raster *raster);

/* Reads the next of the page's cupsHeight rows into `samples`. False with
 * `error` set when it is not there. */
bool raster_next_row(struct raster *raster);

void raster_close(struct raster *raster);

#endif
