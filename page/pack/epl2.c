/*
 * epl2.c - EPL 2 for label printers of Eltron and Zebra: a label is built row
 * by row in the printer's memory, and printed.
 *
 * Zebra, "EPL Programming Guide".
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include "page/pack/packing.h"

#define GAP_MM 3  /* between labels, or the length of a mark: the usual one */
#define FASTEST 6 /* inches a second */

/* Returns EPL's speed: 0 is 1 inch a second, then half inches follow, and from
 * 3 on inches, as in rastertolabel. */
static int speed_of(const struct label *label)
{
    const int halves = (2 * label->speed + 1270) / 2540;

    return halves >= 6  ? label_inches(label, FASTEST)
           : halves > 2 ? halves - 2
                        : 0;
}

/* Sends the length of a label, and of the gap behind it. */
static void put_tracking(struct packing *page)
{
    const unsigned length = packing_length(page);
    const unsigned gap = packing_dots(page, GAP_MM * 72 / 25.4, 1);

    switch (page->label.tracking) {
    case LABEL_CONTINUOUS:
        sink_printf(page->out, "Q%u,0\n", length);
        break;
    case LABEL_GAP:
        sink_printf(page->out, "Q%u,%u\n", length, gap);
        break;
    case LABEL_MARK:
        sink_printf(page->out, "Q%u,B%u+0\n", length, gap);
        break;
    default:
        break;
    }
}

static void begin_page(struct packing *page)
{
    const struct label *label = &page->label;
    struct sink *out = page->out;
    int percent;

    sink_printf(out, "\nN\n"); /* a line that was cut, and a label, go */
    if (label->speed > 0)
        sink_printf(out, "S%d\n", speed_of(label));
    if (label_darkness(label, &percent))
        sink_printf(out, "D%d\n", label_share(15, percent));
    sink_printf(out, "q%u\n", (packing_across(page) + 7) & ~7u);
    put_tracking(page);
}

/* Puts a row, in which 0 is ink. */
static void put_row(struct packing *page, unsigned y)
{
    sink_printf(page->out, "GW%u,%u,%zu,1\n", packing_dots(page, page->left, 0),
                y + packing_dots(page, page->top, 1), page->bytes);
    for (size_t i = 0; i < page->bytes; i++)
        page->packed[i] = (unsigned char)~page->line[i];
    sink_put(page->out, page->packed, page->bytes);
    sink_put(page->out, "\n", 1);
}

static void end_page(struct packing *page)
{
    sink_printf(page->out, "P%u\n", page->copies);
    if (page->label.mode == LABEL_CUTTER)
        sink_printf(page->out, "C\n");
}

const struct language language_epl2 = {
    .name = "epl2",
    .title = "EPL 2",
    .ending = "\n", /* of copies, or of a cutter */
    .accepted = {.label = true,
                 .dots = 32000,
                 .number = UINT32_MAX, /* not sent */
                 .copies = 65535,
                 .rows = 65535,
                 .points = UINT16_MAX},
    .reset = "",
    .begin_page = begin_page,
    .put_row = put_row,
    .end_page = end_page};
