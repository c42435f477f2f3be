/*
 * separate_raster.c - does to a raster file what the printer application does
 * to its clients' pages before they are halftoned, so that the filter can be
 * given the same.
 *
 *   separate-raster gray|color LEFT,BOTTOM,RIGHT,TOP ROWS <RASTER >RASTER
 *
 * Reads whole sheets as CUPS, PWG or Apple raster and writes CUPS raster; the
 * margins are in 1/100 mm. A page that is left ends with bare paper up to a
 * multiple of ROWS.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cups/raster.h>

#include "page/layout.h"
#include "printer-app/separate.h"

static bool fail(const char *why)
{
    fprintf(stderr, "separate-raster: %s\n", why);
    return false;
}

static uint32_t pixels_of(unsigned length, unsigned dpi)
{
    return (uint32_t)(((uint64_t)length * dpi + 1270) / 2540);
}

/* `height` is what is left of the sheet with the bare paper. */
static bool separate_lines(cups_raster_t *from, cups_raster_t *to,
                           const cups_page_header2_t *sheet,
                           const struct separation *s, uint32_t height)
{
    const size_t left = (size_t)s->width * s->inks;
    uint8_t *line = malloc(sheet->cupsBytesPerLine), *inks = malloc(left);
    bool ok = line != NULL && inks != NULL;

    for (uint32_t y = 0; ok && y < sheet->cupsHeight; y++) {
        ok = cupsRasterReadPixels(from, line, sheet->cupsBytesPerLine) ==
             sheet->cupsBytesPerLine;
        if (!ok || y < s->top || y - s->top >= s->height)
            continue;
        separate_line(s, line, inks);
        ok = cupsRasterWritePixels(to, inks, (unsigned)left) == left;
    }
    if (ok)
        memset(inks, 0, left);
    for (uint32_t y = s->height; ok && y < height; y++)
        ok = cupsRasterWritePixels(to, inks, (unsigned)left) == left;
    free(line);
    free(inks);
    return ok || fail("lines are missing");
}

static bool separate_page(cups_raster_t *from, cups_raster_t *to,
                          const cups_page_header2_t *sheet,
                          const unsigned side[4], unsigned rows, bool color)
{
    const unsigned *dpi = sheet->HWResolution;
    const struct margins margins = {.left = pixels_of(side[0], dpi[0]),
                                    .bottom = pixels_of(side[1], dpi[1]),
                                    .right = pixels_of(side[2], dpi[0]),
                                    .top = pixels_of(side[3], dpi[1])};
    cups_page_header2_t header = *sheet;
    struct separation separation;
    char why[LAYOUT_WHY];

    if (!separation_of(&separation, &header, &margins, color, why))
        return fail(why);
    header.cupsHeight = (header.cupsHeight + rows - 1) / rows * rows;
    if (cupsRasterWriteHeader2(to, &header) == 0)
        return fail("cannot write");
    return separate_lines(from, to, sheet, &separation, header.cupsHeight);
}

int main(int argc, char *argv[])
{
    cups_page_header2_t header;
    unsigned side[4], rows, pages = 0;
    bool ok = true;

    if (argc != 4 ||
        (strcmp(argv[1], "gray") != 0 && strcmp(argv[1], "color") != 0) ||
        sscanf(argv[2], "%u,%u,%u,%u", &side[0], &side[1], &side[2],
               &side[3]) != 4 ||
        sscanf(argv[3], "%u", &rows) != 1 || rows == 0) {
        fail("usage: separate-raster gray|color LEFT,BOTTOM,RIGHT,TOP ROWS");
        return 2;
    }
    const bool color = strcmp(argv[1], "color") == 0;
    cups_raster_t *from = cupsRasterOpen(STDIN_FILENO, CUPS_RASTER_READ);
    cups_raster_t *to = cupsRasterOpen(STDOUT_FILENO, CUPS_RASTER_WRITE);

    if (from == NULL || to == NULL)
        ok = fail("not raster");
    while (ok && cupsRasterReadHeader2(from, &header) != 0) {
        ok = separate_page(from, to, &header, side, rows, color);
        pages++;
    }
    if (ok && pages == 0)
        ok = fail("no pages");
    cupsRasterClose(from);
    cupsRasterClose(to);
    return ok ? EXIT_SUCCESS : EXIT_FAILURE;
}
