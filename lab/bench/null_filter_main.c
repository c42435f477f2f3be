/*
 * null_filter_main.c - does only the work that any filter of such pages has:
 * reads contone raster and writes 1-bit raster of the same size, through the
 * same libcups calls as rastertohalftone, and does not halftone. Its pages are
 * white.
 *
 *   null-filter <RASTER >RASTER
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "page/header.h"

static bool copy_page(cups_raster_t *in, cups_raster_t *out,
                      cups_page_header2_t *header)
{
    struct layout layout;
    char why[LAYOUT_WHY];
    unsigned char *line = NULL, *dots = NULL;
    bool ok = layout_read(&layout, header, &(struct leaving){0}, why) &&
              (line = malloc(layout.line_bytes)) != NULL &&
              (dots = calloc(1, layout.out_line_bytes)) != NULL;

    if (ok) {
        header_of_dots(header, &layout);
        ok = cupsRasterWriteHeader2(out, header) != 0;
    }
    for (size_t y = 0; ok && y < layout.lines; y++) {
        unsigned bytes = (unsigned)layout.line_bytes;
        unsigned leave = (unsigned)layout.out_line_bytes;

        ok = cupsRasterReadPixels(in, line, bytes) == bytes &&
             (y >= layout.out_lines ||
              cupsRasterWritePixels(out, dots, leave) == leave);
    }
    free(line);
    free(dots);
    return ok;
}

int main(void)
{
    cups_raster_t *in = cupsRasterOpen(STDIN_FILENO, CUPS_RASTER_READ);
    cups_raster_t *out = cupsRasterOpen(STDOUT_FILENO, CUPS_RASTER_WRITE);
    cups_page_header2_t header;
    bool ok = in != NULL && out != NULL;
    unsigned pages = 0;

    for (; ok && cupsRasterReadHeader2(in, &header); pages++)
        ok = copy_page(in, out, &header);
    cupsRasterClose(out);
    cupsRasterClose(in);
    if (!ok || pages == 0)
        fputs("null-filter: bad raster or a failed write\n", stderr);
    return ok && pages > 0 ? 0 : 1;
}
