/*
 * place.c - places a page's dots on the sheet. Points are 1/72 inch.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <math.h>

#include "page/message.h"
#include "page/pack/packing.h"

/* Offsets in cupsImagingBBox, from the raster's lower left corner, in points.
 */
#define LEFT 0
#define TOP 3

unsigned packing_dots(const struct packing *page, double points, int down)
{
    return (unsigned)(points * page->header->HWResolution[down] / 72 + 0.5);
}

unsigned packing_widest(const struct accepted *accepted)
{
    return accepted->across > 0 ? accepted->across : accepted->dots;
}

static unsigned larger(unsigned a, unsigned b)
{
    return a > b ? a : b;
}

unsigned packing_across(const struct packing *page)
{
    return larger(packing_dots(page, page->sheet[0], 0),
                  packing_dots(page, page->left, 0) + page->width);
}

unsigned packing_length(const struct packing *page)
{
    return larger(packing_dots(page, page->sheet[1], 1),
                  packing_dots(page, page->top, 1) + page->height);
}

/* Returns the points of the sheet across (0) or down (1): cupsPageSize, else
 * PageSize, else the raster's. */
static double size_of(const struct packing *page, int down)
{
    const cups_page_header2_t *header = page->header;
    const double dots = down ? header->cupsHeight : header->cupsWidth;

    if (header->cupsPageSize[down] != 0)
        return header->cupsPageSize[down];
    if (header->PageSize[down] != 0)
        return header->PageSize[down];
    return dots * 72 / header->HWResolution[down];
}

static bool covers_sheet(const cups_page_header2_t *header)
{
    for (int side = 0; side < 4; side++)
        if (header->cupsImagingBBox[side] != 0)
            return false;
    return true;
}

/* Sets the sheet, and where the raster begins on it; false when the numbers are
 * none, or too large. */
static bool measure(struct packing *page, const struct accepted *accepted)
{
    const cups_page_header2_t *header = page->header;
    const double dpi = header->HWResolution[1];

    page->sheet[0] = size_of(page, 0);
    page->sheet[1] = size_of(page, 1);
    if (!covers_sheet(header)) {
        page->left = header->cupsImagingBBox[LEFT];
        page->top = page->sheet[1] - header->cupsImagingBBox[TOP];
        if (page->top < 0 && page->top > -1) /* sizes are often rounded */
            page->top = 0;
    }
    /* NaN is not within anything. */
    return page->sheet[0] > 0 && page->sheet[0] <= accepted->points &&
           page->sheet[1] > 0 && page->sheet[1] <= accepted->points &&
           page->sheet[1] * dpi / 72 <= accepted->rows && page->left >= 0 &&
           page->left < page->sheet[0] && page->top >= 0 &&
           page->top < page->sheet[1];
}

/* Returns the dots in `points`; the last one counts if more than half of it
 * lies within. */
static unsigned whole_dots(const struct packing *page, double points, int down)
{
    return (unsigned)ceil(points * page->header->HWResolution[down] / 72 - 0.5);
}

/* Cuts off the parts that the printer cannot reach; false if nothing is left.
 */
static bool cut(struct packing *page, double left, double top)
{
    if (page->left < left) {
        page->shift = -(int)whole_dots(page, left - page->left, 0);
        page->left = left;
    }
    if (page->top < top) {
        page->cut = whole_dots(page, top - page->top, 1);
        page->top = top;
    }
    return (unsigned)-page->shift < page->width && page->cut < page->height;
}

bool packing_place(const struct language *language, struct packing *page)
{
    const struct accepted *accepted = &language->accepted;

    if (accepted->points == 0)
        return true;
    if (!measure(page, accepted))
        message("ERROR", "A page at (%.0f, %.0f) on a sheet of %.0fx%.0f pt",
                page->left, page->top, page->sheet[0], page->sheet[1]);
    else if (!cut(page, language->left, language->top))
        message("ERROR", "A page that the printer cannot reach");
    else {
        if (language->pads && page->left > language->left)
            page->shift =
                (int)packing_dots(page, page->left - language->left, 0);
        page->width = (unsigned)((int)page->width + page->shift);
        page->height -= page->cut;
        if (page->width <= packing_widest(accepted))
            return true;
        message("ERROR",
                "A page that ends %u dots from the left, and %s has "
                "at most %u",
                page->width, language->title, packing_widest(accepted));
    }
    return false;
}
