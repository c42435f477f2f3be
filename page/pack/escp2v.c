/*
 * escp2v.c - ESC/P 2 of Epson's inkjets with drops of three sizes: a row of one
 * ink at a time, ESC i, two bits a dot. The printer weaves the rows itself.
 *
 *   ESC 01 @EJL      leaves IEEE 1284.4's packets, once a job
 *   ESC @            resets
 *   ESC ( G, ( U     graphics; the units of a sheet, of feeds and of steps
 *                    across, each in 1/1440 inch
 *   ESC ( i, ( e     MicroWeave; the set of sizes
 *   ESC ( D          the distance of rows and of dots, in 1/14400 inch
 *   ESC ( C, c, S    the sheet's length, first and last row, width and length
 *   ESC ( v          to the next row that is not bare
 *   ESC i            ink, PackBits, 2 bits, bytes, 1 row; and back to the left
 *   FF               ends a page
 *
 * Epson, "ESC/P Reference Manual"; the Gutenprint developer's manual, chapter
 * "ESC/P2", for the commands of these printers and numbers of 32 bits.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include "page/pack/packing.h"
#include "page/pack/rows.h"

#define RESET "\033@" /* before each page and behind the last */
#define UNITS 1440u   /* an inch, of which units are told */
#define FINEST 14400u /* an inch, of which distances are told */

/* Numbers of two bytes and of four, the low one first, as initializers. */
#define WORD(number) (unsigned char)(number), (unsigned char)((number) >> 8)
#define LONG(number) WORD(number), WORD((number) >> 16)

static void begin_page(struct packing *page)
{
    const unsigned *dpi = page->header->HWResolution;
    const unsigned across = packing_dots(page, page->sheet[0], 1),
                   length = packing_dots(page, page->sheet[1], 1),
                   top = packing_dots(page, page->top, 1);
    const unsigned char down = (unsigned char)(UNITS / dpi[1]);
    const unsigned char set_up[] = {
        '\033', '(', 'G', WORD(1), 1, '\033', '(', 'U', WORD(5), down, down,
        (unsigned char)(UNITS / dpi[0]), WORD(UNITS),
        /* Dots: ink, size and resolution. */
        '\033', '(', 'i', WORD(1), 1, '\033', '(', 'e', WORD(2), 0,
        (unsigned char)page->drops.command, '\033', '(', 'D', WORD(4),
        WORD(FINEST), (unsigned char)(FINEST / dpi[1]),
        (unsigned char)(FINEST / dpi[0]),
        /* The sheet. */
        '\033', '(', 'C', WORD(4), LONG(length), '\033', '(', 'c', WORD(8),
        LONG(top), LONG(length), '\033', '(', 'S', WORD(8), LONG(across),
        LONG(length)};

    if (page->number > 1)
        sink_printf(page->out, RESET);
    sink_put(page->out, set_up, sizeof set_up);
}

/* Puts the printer's codes of sizes in their place. */
static void encode(unsigned char *row, size_t bytes, unsigned codes)
{
    for (size_t i = 0; i < bytes; i++) {
        unsigned four = 0;

        for (unsigned bit = 0; bit < 8; bit += 2)
            four |= (codes >> 2 * (row[i] >> bit & 3) & 3) << bit;
        row[i] = (unsigned char)four;
    }
}

/* Puts a plane's row, which is not bare, without what is bare of its end. */
static void put_plane(struct packing *page, unsigned plane)
{
    static const unsigned char inks[PACKING_PLANES] = {0, 2, 1, 4}; /* KCMY */
    unsigned char *row = page->line + plane * page->bytes;
    size_t bytes = page->bytes;

    while (row[bytes - 1] == 0)
        bytes--;
    if (page->drops.codes != DROPS_USUAL.codes)
        encode(row, bytes, page->drops.codes);
    const unsigned char head[] = {'\033', 'i',         inks[plane], 1,
                                  2,      WORD(bytes), WORD(1)};
    const size_t size = rows_pack(row, bytes, page->packed);

    sink_put(page->out, head, sizeof head);
    sink_put(page->out, page->packed, size);
    sink_printf(page->out, "\r");
}

static void put_row(struct packing *page, unsigned y)
{
    /* The paper stays where the last row was printed. */
    const unsigned rows = page->next > 0 ? y - page->next + 1 : y;
    const unsigned char feed[] = {'\033', '(', 'v', WORD(4), LONG(rows)};

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

const struct language language_escp2v = {
    .name = "escp2v",
    .title = "ESC/P 2 with three sizes of drops",
    .ending = "\f\033@",
    .accepted = {.color = true,
                 .sizes = true,
                 .dots = 32767,
                 .dpi = {360, 720, 1440},
                 .number = UINT32_MAX, /* not sent */
                 .copies = 1,
                 .rows = 32767,
                 .points = UINT16_MAX},
    /* The least margins that the manual has. */
    .left = 9,
    .top = 9,
    .pads = true,
    .opening = "\033\001@EJL 1284.4\n@EJL     \n",
    .reset = RESET,
    .begin_page = begin_page,
    .put_row = put_row,
    .end_page = end_page};
