/*
 * tspl.c - TSPL and TSPL2 for label printers of TSC and many others: a label is
 * one bitmap in the printer's memory, and printed.
 *
 * TSC, "TSPL/TSPL2 Programming Language". What a page asks for, and what is
 * sent of it; of what it does not, the printer's own setting holds:
 *
 *   size                  SIZE in mm, DIRECTION 0,0, REFERENCE 0,0, CLS
 *   continuous            GAP 0 mm,0 mm
 *   gap                   GAP 3 mm,0 mm
 *   mark                  BLINE 3 mm,0 mm
 *   mode                  SET PEEL, SET CUTTER (1: behind each label, BATCH:
 *                         behind the last), SET TEAR; one of them on
 *   speed                 SPEED 1 to 12 inches a second
 *   darkness, both        DENSITY 0 to 15
 *   top                   SHIFT, dots
 *   tear                  OFFSET, mm
 *   copies                PRINT 1,copies
 *
 * MediaPosition and cupsMediaType are not sent.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <stdlib.h>

#include "page/pack/packing.h"

#define FASTEST 12
#define GAP "3 mm,0 mm" /* between labels, or a mark: the usual one */

/* Puts a length of dots down (1) or across (0) in mm. Whatever the locale is, a
 * point stands before the hundredths. */
static void put_mm(struct packing *page, int dots, int down)
{
    const int dpi = (int)page->header->HWResolution[down];
    const int hundredths = (int)(((int64_t)abs(dots) * 2540 + dpi / 2) / dpi);

    sink_printf(page->out, "%s%d.%02d mm", dots < 0 ? "-" : "",
                hundredths / 100, hundredths % 100);
}

static void put_tracking(struct packing *page)
{
    static const char *const kinds[LABEL_TRACKINGS] = {
        [LABEL_CONTINUOUS] = "GAP 0 mm,0 mm",
        [LABEL_GAP] = "GAP " GAP,
        [LABEL_MARK] = "BLINE " GAP};

    if (page->label.tracking != LABEL_TRACKING_OWN)
        sink_printf(page->out, "%s\r\n", kinds[page->label.tracking]);
}

static void put_mode(struct packing *page)
{
    const enum label_mode mode = page->label.mode;

    if (mode == LABEL_MODE_OWN)
        return;
    sink_printf(page->out, "SET PEEL %s\r\nSET CUTTER %s\r\nSET TEAR %s\r\n",
                mode == LABEL_PEEL_OFF ? "ON" : "OFF",
                mode == LABEL_CUTTER           ? "1"
                : mode == LABEL_CUTTER_DELAYED ? "BATCH"
                                               : "OFF",
                mode == LABEL_TEAR_OFF ? "ON" : "OFF");
}

static void put_settings(struct packing *page)
{
    const struct label *label = &page->label;
    int percent;

    put_tracking(page);
    put_mode(page);
    if (label->speed > 0)
        sink_printf(page->out, "SPEED %d\r\n", label_inches(label, FASTEST));
    if (label_darkness(label, &percent))
        sink_printf(page->out, "DENSITY %d\r\n", label_share(15, percent));
    if (label->top != 0)
        sink_printf(page->out, "SHIFT %d\r\n", label->top);
    if (label->tear != 0) {
        sink_printf(page->out, "OFFSET ");
        put_mm(page, label->tear, 1);
        sink_printf(page->out, "\r\n");
    }
}

static void begin_page(struct packing *page)
{
    struct sink *out = page->out;

    /* The line end completes a command that a canceled job left unfinished. */
    sink_printf(out, "\r\nSIZE ");
    put_mm(page, (int)packing_across(page), 0);
    sink_printf(out, ",");
    put_mm(page, (int)packing_length(page), 1);
    sink_printf(out, "\r\n");
    put_settings(page);
    sink_printf(out, "DIRECTION 0,0\r\nREFERENCE 0,0\r\nCLS\r\n");
    sink_printf(out, "BITMAP %u,%u,%zu,%u,0,",
                packing_dots(page, page->left, 0),
                packing_dots(page, page->top, 1), page->bytes, page->height);
}

/* In the bitmap 0 is ink. */
static void put_inverted(struct packing *page, const unsigned char *line)
{
    for (size_t i = 0; i < page->bytes; i++)
        page->packed[i] = (unsigned char)(line != NULL ? ~line[i] : 0xff);
    sink_put(page->out, page->packed, page->bytes);
}

static void put_bare(struct packing *page, unsigned rows)
{
    for (; rows > 0; rows--)
        put_inverted(page, NULL);
}

static void put_row(struct packing *page, unsigned y)
{
    put_bare(page, y - page->next);
    put_inverted(page, page->line);
}

static void end_page(struct packing *page)
{
    put_bare(page, page->height - page->next);
    sink_printf(page->out, "\r\nPRINT 1,%u\r\n", page->copies);
}

const struct language language_tspl = {
    .name = "tspl",
    .title = "TSPL",
    .ending = "\r\n", /* of the copies */
    .accepted = {.label = true,
                 .dots = 32000,
                 .number = UINT32_MAX, /* not sent */
                 .copies = 999999999,
                 .rows = 32000,
                 .points = UINT16_MAX},
    .reset = "",
    .begin_page = begin_page,
    .put_row = put_row,
    .end_page = end_page};
