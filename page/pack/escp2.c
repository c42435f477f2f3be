/*
 * escp2.c - Epson's ESC/P 2 for inkjets: a row of one ink at a time, ESC . 1.
 *
 * Epson, "ESC/P Reference Manual".
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include "page/pack/packing.h"
#include "page/pack/rows.h"

#define RESET "\033@" /* before each page and behind the last */
#define UNITS 3600u   /* an inch, of which lengths of steps are told */
#define FINE 720u     /* rows an inch that take passes and dots of their own */

/* A number of two bytes, the low one first, as an initializer. */
#define WORD(number) (unsigned char)(number), (unsigned char)((number) >> 8)

static void begin_page(struct packing *page)
{
    const unsigned length = packing_dots(page, page->sheet[1], 1);
    const unsigned top = packing_dots(page, page->top, 1);
    const unsigned char set_up[] = {
        '\033', '(', 'G', WORD(1), 1,
        /* Unit of the numbers below: a row. */
        '\033', '(', 'U', WORD(1),
        (unsigned char)(UNITS / page->header->HWResolution[1]),
        /* The page's length, its first and its last row, the first row. */
        '\033', '(', 'C', WORD(2), WORD(length), '\033', '(', 'c', WORD(4),
        WORD(top), WORD(length), '\033', '(', 'V', WORD(2), WORD(0)};

    if (page->number > 1)
        sink_printf(page->out, RESET);
    sink_put(page->out, set_up, sizeof set_up);
    if (page->header->HWResolution[1] == FINE) {
        /* MicroWeave, and the smallest dots. */
        static const unsigned char fine[] = {
            '\033', '(', 'i', WORD(1), 1, '\033', '(', 'e', WORD(2), 0, 1};

        sink_put(page->out, fine, sizeof fine);
    }
}

/* Puts a plane's row, which is not bare, without what is bare of its end. */
static void put_plane(struct packing *page, unsigned plane)
{
    static const unsigned char inks[PACKING_PLANES] = {0, 2, 1, 4}; /* KCMY */
    const unsigned *dpi = page->header->HWResolution;
    const unsigned char *row = page->line + plane * page->bytes;
    size_t bytes = page->bytes;

    while (row[bytes - 1] == 0)
        bytes--;
    const unsigned char head[] = {
        '\r', '\033', 'r', inks[plane],
        /* PackBits, steps down and across, one row, dots. */
        '\033', '.', 1, (unsigned char)(UNITS / dpi[1]),
        (unsigned char)(UNITS / dpi[0]), 1, WORD(8 * bytes)};
    const size_t size = rows_pack(row, bytes, page->packed);

    sink_put(page->out, head, sizeof head);
    sink_put(page->out, page->packed, size);
}

static void put_row(struct packing *page, unsigned y)
{
    /* The paper stays where the last row was printed. */
    const unsigned rows = page->next > 0 ? y - page->next + 1 : y;
    const unsigned char feed[] = {'\033', '(', 'v', WORD(2), WORD(rows)};

    if (rows > 0)
        sink_put(page->out, feed, sizeof feed);
    for (unsigned i = 0; i < page->planes; i++)
        if (!rows_is_bare(page->line + i * page->bytes, page->bytes))
            put_plane(page, i);
}

static void end_page(struct packing *page)
{
    sink_printf(page->out, "\f");
}

const struct language language_escp2 = {
    .name = "escp2",
    .title = "ESC/P 2",
    .ending = "\f\033@",
    .accepted = {.color = true,
                 .dots = 32767,
                 .dpi = {180, 360, 720},
                 .number = UINT32_MAX, /* not sent */
                 .copies = 1,
                 .rows = 32767,
                 .points = UINT16_MAX},
    /* The least margins that the manual has. */
    .left = 9,
    .top = 9,
    .pads = true,
    .reset = RESET,
    .begin_page = begin_page,
    .put_row = put_row,
    .end_page = end_page};
