/*
 * raster.h - CUPS and PWG raster, contone or dots, row by row for the tools.
 *
 * Pages are those that the filter accepts, and planar ones of dots only up to
 * LAYOUT_PLANAR_MIB: these are held whole. All others pass row by row, so a
 * roll of any length needs the memory of a row.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef TOOLS_RASTER_H
#define TOOLS_RASTER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cups/raster.h>

#include "page/layout.h"
#include "page/stream.h"

#define RASTER_MAX_INKS HT_MAX_INKS

/* Says whether a page is of drops of several sizes. */
static inline bool raster_is_sized(const struct layout *layout)
{
    return layout->bits == 2 || layout->bits == 4;
}

/* A stream and the page that is being read. Read-only for the caller. */
struct raster {
    struct stream stream;
    int fd;
    unsigned page;     /* number of the page, from 1; 0 before the first */
    const char *error; /* what went wrong, NULL = nothing */
    cups_page_header2_t header;
    struct layout layout; /* but for what would leave */
    char why[LAYOUT_WHY];
    uint32_t levels;   /* of a sample: 2, 4 or 6 of drops, 256 or 65536 */
    uint32_t row;      /* the next */
    uint8_t *lines;    /* the row's line, or all of a page that is held */
    uint8_t *unused;   /* a plane for the bit of a chunk that is no ink */
    uint16_t *samples; /* [inks][width]: the row that was read last. Those of an
                          additive page are light, sRGB encoded: their ink is
                          what is missing to white */
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

/* raster_next_row() for pages of dots, into the planes of the inks:
 * planes[ink][(cupsWidth+7)/8], 1 = ink, also where 1 is light in the raster;
 * the bits behind the last column are 0. `samples` are undefined then. */
bool raster_next_dots(struct raster *raster,
                      uint8_t *const planes[RASTER_MAX_INKS]);

void raster_close(struct raster *raster);

#endif
