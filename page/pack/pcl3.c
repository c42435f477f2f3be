/*
 * pcl3.c - HP's PCL 3, for printers that want each page's raster configured,
 * ESC*g#W.
 *
 * HP, "PCL 3 Developer's Guide to PCL printers"; the configuration, format 2,
 * is the one that Ghostscript's device pcl3 sends.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include "page/pack/packing.h"
#include "page/pack/pcl_sheet.h"

static void put_word(struct sink *out, unsigned word)
{
    const unsigned char bytes[] = {(unsigned char)(word >> 8),
                                   (unsigned char)word};

    sink_put(out, bytes, sizeof bytes);
}

/* Sends each plane's resolution, and that it has two levels. */
static void configure(const struct packing *page)
{
    const unsigned char format[] = {2, (unsigned char)page->planes};

    sink_printf(page->out, "\033*g%uW", 2 + 6 * page->planes);
    sink_put(page->out, format, sizeof format);
    for (unsigned i = 0; i < page->planes; i++) {
        put_word(page->out, page->header->HWResolution[0]);
        put_word(page->out, page->header->HWResolution[1]);
        put_word(page->out, 2);
    }
}

static void begin_page(struct packing *page)
{
    const cups_page_header2_t *header = page->header;
    struct sink *out = page->out;

    pcl_begin_sheet(page, header->PageSize[0], header->PageSize[1]);
    sink_printf(out, "\033&l%uM", header->cupsMediaType);
    sink_printf(out, "\033&u%uD", header->HWResolution[0]);
    sink_printf(out, "\033&l0e0L\033*p0Y\033*p0X");
    configure(page);
    sink_printf(out, "\033*r%uS\033*r%uT", page->width, page->height);
    sink_printf(out, "\033*r1A\033*b2M");
}

static void put_row(struct packing *page, unsigned y)
{
    if (y > page->next)
        sink_printf(page->out, "\033*b%uY", y - page->next);
    pcl_put_planes(page);
}

static void end_page(struct packing *page)
{
    sink_printf(page->out, "\033*rC\033&l0H");
}

const struct language language_pcl3 = {
    .name = "pcl3",
    .title = "PCL",
    .ending = "\033E",
    .accepted = {.color = true,
                 .dots = 32767, /* PCL's numbers end there */
                 .number = UINT32_MAX,
                 .copies = UINT32_MAX},
    .reset = "\033E",
    .begin_page = begin_page,
    .put_row = put_row,
    .end_page = end_page};
