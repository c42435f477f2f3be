/*
 * pcl.c - HP's PCL 5, black, for laser printers, and PCL 3 of color planes,
 * ESC*r#U, for inkjets. Rows are packed by TIFF's PackBits; black ones as what
 * differs from the row before where that is less.
 *
 * HP, "PCL 5 Printer Language Technical Reference Manual".
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include "page/pack/packing.h"
#include "page/pack/pcl_sheet.h"
#include "page/pack/rows.h"

#define PACK_BITS 2
#define DELTA_ROW 3

/* Position of column 0, in points from the left edge of a sheet. It is 17 on
 * A4, but CUPS's PPDs make no difference, either. */
#define LOGICAL_PAGE 18

/* Sends the commands that hold for a sheet. In the middle of one they would
 * eject it. */
static void begin_sheet(const struct packing *page)
{
    const cups_page_header2_t *header = page->header;
    struct sink *out = page->out;

    pcl_begin_sheet(page, page->sheet[0], page->sheet[1]);
    if (header->cupsMediaType > 0)
        sink_printf(out, "\033&l%uM", header->cupsMediaType);
    sink_printf(out, "\033&l%uS\033&l0L",
                header->Duplex ? 1u + (header->Tumble != 0) : 0);
}

static void begin_page(struct packing *page)
{
    struct sink *out = page->out;

    if (!page->back)
        begin_sheet(page);
    sink_printf(out, "\033*t%uR", page->header->HWResolution[0]);
    if (page->planes > 1)
        sink_printf(out, "\033*r-%uU", page->planes);
    sink_printf(out, "\033*r%uS\033*r%uT", page->width, page->height);
    /* 1/720 inch. */
    sink_printf(out, "\033&a%uH\033&a%uV",
                (unsigned)(10 * (page->left - LOGICAL_PAGE) + 0.5),
                (unsigned)(10 * page->top + 0.5));
    sink_printf(out, "\033*r1A\033*b%uM", PACK_BITS);
    page->method = PACK_BITS;
}

/* Returns the bytes of a row packed by `method`, with the command if the method
 * changes. */
static size_t cost(const struct packing *page, unsigned method, size_t size)
{
    return size + (method != page->method ? 2 : 0);
}

static void put_black(struct packing *page)
{
    unsigned char *packed = page->packed;
    unsigned char *delta = packed + ROWS_ROOM(page->bytes);
    size_t size = rows_pack(page->line, page->bytes, packed);
    const size_t delta_size =
        rows_pack_delta(page->line, page->before, page->bytes, delta);
    const bool by_delta =
        cost(page, DELTA_ROW, delta_size) < cost(page, PACK_BITS, size);
    const unsigned method = by_delta ? DELTA_ROW : PACK_BITS;

    if (by_delta) {
        packed = delta;
        size = delta_size;
    }
    if (method != page->method)
        sink_printf(page->out, "\033*b%um%zuW", method, size);
    else
        sink_printf(page->out, "\033*b%zuW", size);
    sink_put(page->out, packed, size);
    page->method = method;
}

static void put_row(struct packing *page, unsigned y)
{
    if (y > page->next) /* the row before is bare now for the printer, too */
        sink_printf(page->out, "\033*b%uY", y - page->next);
    if (page->planes > 1)
        pcl_put_planes(page);
    else
        put_black(page);
}

/* A form feed goes to the next side; inkjets want their own way of ejecting. */
static void end_page(struct packing *page)
{
    sink_printf(page->out, page->planes > 1 ? "\033*rC" : "\033*r0B");
    sink_printf(page->out,
                page->planes > 1 && !page->header->Duplex ? "\033&l0H" : "\f");
}

const struct language language_pcl = {
    .name = "pcl",
    .title = "PCL",
    .ending = "\033E",
    .accepted = {.color = true,
                 .no_black = true,
                 .two_sides = true,
                 .dots = 32767, /* PCL's numbers end there, at 45 inches, too */
                 .dpi = {75, 100, 150, 200, 300, 600, 1200},
                 .square = true,
                 .number = 32767,
                 .copies = 32767,
                 .rows = 65535,
                 .points = 3276},
    .left = LOGICAL_PAGE,
    .reset = "\033E",
    .begin_page = begin_page,
    .put_row = put_row,
    .end_page = end_page};
