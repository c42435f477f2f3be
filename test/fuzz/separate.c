/*
 * separate.c - raster as clients send it, to the inks of a printer.
 *
 *   input   four bytes: margins in pixels, left, bottom, right and top; a byte:
 *           1 = the printer has colors; raster as raster_of() takes it
 *   holds   false with a reason, or a header that page/layout.h accepts, of
 * what the margins leave; of light, C, M and Y have no K in common
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "test/fuzz/raster.h"
#include "test/fuzz/run.h"
#include "page/stream.h"
#include "printer-app/separate.h"

#define SETTINGS 5
#define MOST_LINE                                                              \
    (1u << 16) /* bytes; a few hundred bytes may stand for more                \
                */
#define MOST_LINES 64u

static void check_header(const struct separation *s,
                         const cups_page_header2_t *from,
                         const cups_page_header2_t *to, const struct margins *m)
{
    struct layout layout;
    char why[LAYOUT_WHY];

    if (!layout_read(&layout, to, NULL, why))
        run_fail("refused: %s", why);
    if (layout.width != s->width || layout.height != s->height ||
        layout.inks != s->inks || layout.bits != 8 ||
        layout.line_bytes != (size_t)s->width * s->inks)
        run_fail("%ux%u of %u inks", layout.width, layout.height, layout.inks);
    if (s->left + s->width + m->right != from->cupsWidth ||
        s->top + s->height + m->bottom != from->cupsHeight)
        run_fail("the margins are not what is missing");
}

static void check_line(const struct separation *s, const uint8_t *inks)
{
    if (s->inks != 4 || s->pixel != 3)
        return;
    for (uint32_t x = 0; x < s->width; x++, inks += 4)
        if (inks[1] != 0 && inks[2] != 0 && inks[3] != 0)
            run_fail("C, M and Y have K in common");
}

/* Separates the lines that come. The memory ends where they do. */
static void separate(const struct separation *s, struct stream *in,
                     const cups_page_header2_t *from)
{
    uint8_t *line = malloc(from->cupsBytesPerLine);
    uint8_t *inks = malloc((size_t)s->width * s->inks);

    for (unsigned y = 0;
         line != NULL && inks != NULL && y < MOST_LINES &&
         stream_read_lines(in, line, 1, from->cupsBytesPerLine) == 1;
         y++) {
        separate_line(s, line, inks);
        check_line(s, inks);
    }
    free(line);
    free(inks);
}

/* Takes the next page; false if there is none, or it is not read to its end. */
static bool take_page(struct stream *in, const struct margins *margins,
                      bool color)
{
    cups_page_header2_t from, to;
    struct separation s;
    char why[LAYOUT_WHY] = "";

    if (stream_read_header(in, &from) != STREAM_PAGE)
        return false;
    to = from;
    if (!separation_of(&s, &to, margins, color, why)) {
        if (why[0] == '\0')
            run_fail("no reason");
        return false;
    }
    check_header(&s, &from, &to, margins);
    if (from.cupsBytesPerLine > MOST_LINE)
        return false;
    separate(&s, in, &from);
    return from.cupsHeight <= MOST_LINES;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct stream in = {.raster = NULL};
    const uint8_t *raster;

    if (size < SETTINGS)
        return 0;
    const struct margins margins = {data[0], data[1], data[2], data[3]};
    const size_t bytes = raster_of(&raster, data + SETTINGS, size - SETTINGS);
    const int fd = run_file(raster, bytes);

    if (stream_open_input(&in, fd))
        while (take_page(&in, &margins, data[4] & 1))
            ;
    stream_close(&in);
    close(fd);
    return 0;
}
