/*
 * dymo.c - Dymo's LabelWriters: rows of whole bytes from the left of the print
 * head, and feeds. Dymo, "LabelWriter 450 Series Printers, Technical Reference
 * Manual".
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include "page/pack/packing.h"

#define SYN 0x16
#define MOST_FEED 255u /* rows, of a command */
/* Points of a label: 12 dots that the head does not reach, and 62 that have
 * passed it before it prints. */
#define LEFT 2.88
#define TOP 14.88

/* ESCs that begin a job, as many as a row of the widest head has bytes: they
 * complete a row that an earlier job left unfinished. As a command, ESC ESC
 * does nothing. */
#define WIDEST_HEAD 156

/* Light, medium, normal, dark. */
static char density_of(int percent)
{
    static const char density[] = "cdeg";

    return density[(percent >= 13) + (percent >= 38) + (percent >= 63)];
}

static void put_pair(struct sink *out, char command, unsigned number)
{
    const unsigned char bytes[4] = {'\033', (unsigned char)command,
                                    (unsigned char)(number >> 8),
                                    (unsigned char)number};

    sink_put(out, bytes, sizeof bytes);
}

static void feed(struct packing *page, unsigned rows)
{
    while (rows > 0) {
        const unsigned some = rows < MOST_FEED ? rows : MOST_FEED;
        const unsigned char bytes[4] = {'\033', 'f', 1, (unsigned char)some};

        sink_put(page->out, bytes, sizeof bytes);
        rows -= some;
    }
}

static void begin_page(struct packing *page)
{
    struct sink *out = page->out;
    const unsigned char width[3] = {'\033', 'D', (unsigned char)page->bytes};
    int percent;

    if (page->number == 1) {
        for (int i = 0; i < WIDEST_HEAD; i++)
            sink_put(out, "\033", 1);
        sink_printf(out, "\033@");
    }
    /* A negative length stands for a roll without marks. */
    put_pair(out, 'L',
             page->label.tracking == LABEL_CONTINUOUS ? 0xffff
                                                      : packing_length(page));
    sink_put(out, width, sizeof width);
    (void)label_darkness(&page->label, &percent); /* 50: normal */
    sink_printf(out, "\033%c\033q%u", density_of(percent),
                page->header->MediaPosition + 1); /* the left roll is 1 */
    feed(page, packing_dots(page, page->top - TOP, 1));
}

static void put_row(struct packing *page, unsigned y)
{
    static const unsigned char start = SYN;

    feed(page, y - page->next);
    sink_put(page->out, &start, 1);
    sink_put(page->out, page->line, page->bytes);
}

/* Feeds to the place where a label is torn off. */
static void end_page(struct packing *page)
{
    sink_printf(page->out, "\033E");
}

const struct language language_dymo = {
    .name = "dymo",
    .title = "Dymo's language",
    .ending = "\033E",
    .accepted = {.label = true,
                 .dots = 0x7fff,
                 .across = 8 * 255,
                 .number = 1, /* of a roll, from 0 */
                 .copies = 1,
                 .rows = 0x7fff,
                 .points = UINT16_MAX},
    .left = LEFT,
    .top = TOP,
    .pads = true,
    .reset = "",
    .begin_page = begin_page,
    .put_row = put_row,
    .end_page = end_page};
