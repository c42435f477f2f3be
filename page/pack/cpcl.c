/*
 * cpcl.c - CPCL for mobile label printers of Comtec and Zebra: a session for
 * each label, row by row.
 *
 * Zebra, "CPCL Programming Guide".
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include "page/pack/packing.h"

#define FASTEST 5 /* level */

/* Returns CPCL's tone, -99 to 200, from percent of the darkest; 0 is normal. */
static int tone_of(int percent)
{
    return percent < 50 ? label_share(99, 2 * (percent - 50))
                        : label_share(200, 2 * (percent - 50));
}

static void begin_page(struct packing *page)
{
    const struct label *label = &page->label;
    const unsigned *dpi = page->header->HWResolution;
    const unsigned length = packing_length(page);
    struct sink *out = page->out;
    int percent;

    sink_printf(out, "! 0 %u %u %u %u\r\n", dpi[0], dpi[1], length,
                page->copies);
    sink_printf(out, "PAGE-WIDTH %u\r\nPAGE-HEIGHT %u\r\n",
                packing_across(page), length);
    if (label->tracking == LABEL_GAP)
        sink_printf(out, "GAP-SENSE\r\n");
    else if (label->tracking == LABEL_MARK)
        sink_printf(out, "BAR-SENSE\r\n");
    if (label_darkness(label, &percent))
        sink_printf(out, "TONE %d\r\n", tone_of(percent));
    /* Levels 0 to 5, which CUPS takes for inches a second. */
    if (label->speed > 0)
        sink_printf(out, "SPEED %d\r\n", label_inches(label, FASTEST));
}

static void put_row(struct packing *page, unsigned y)
{
    sink_printf(page->out, "CG %zu 1 %u %u ", page->bytes,
                packing_dots(page, page->left, 0),
                y + packing_dots(page, page->top, 1));
    sink_put(page->out, page->line, page->bytes);
    sink_put(page->out, "\r\n", 2);
}

static void end_page(struct packing *page)
{
    struct sink *out = page->out;

    /* Feeds to the tear bar after 1/8 s, and back. */
    if (page->label.tear != 0)
        sink_printf(out, "PRESENT-AT %d 1\r\n", page->label.tear);
    if (page->label.mode == LABEL_CUTTER)
        sink_printf(out, "CUT\r\n");
    if (page->label.tracking != LABEL_CONTINUOUS)
        sink_printf(out, "FORM\r\n"); /* to the next label */
    sink_printf(out, "PRINT\r\n");
}

const struct language language_cpcl = {
    .name = "cpcl",
    .title = "CPCL",
    .ending = "PRINT\r\n",
    .accepted = {.label = true,
                 .dots = 32000,
                 .number = UINT32_MAX, /* not sent */
                 .copies = 1024,
                 .rows = 32000,
                 .points = UINT16_MAX},
    .reset = "",
    .begin_page = begin_page,
    .put_row = put_row,
    .end_page = end_page};
