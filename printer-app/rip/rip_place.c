/*
 * rip_place.c - places a page of a PDF on the sheet.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <math.h>
#include <string.h>

#include <cups/ipp.h>

#include "halftone/halftone.h"
#include "printer-app/rip/rip_place.h"

#define HUNDREDTHS 2540.0 /* of a millimeter in an inch */
#define POINTS 72.0       /* in an inch */
#define SAME_POINTS 3.0   /* A4 is 595 x 842 points, or 595.276 x 841.89 */
#define MOST_POINTS 1e7   /* 2 miles: pixels of it are still whole numbers */

static double pixels(int hundredths, unsigned dpi)
{
    return round(hundredths * (dpi / HUNDREDTHS));
}

bool rip_sheet_of(struct rip_sheet *sheet, const struct rip_page *page)
{
    const unsigned *dpi = page->dpi;

    if (dpi[0] < 1 || dpi[0] > HT_MAX_DPI || dpi[1] < 1 || dpi[1] > HT_MAX_DPI)
        return false;

    const double width = pixels(page->width, dpi[0]);
    const double height = pixels(page->length, dpi[1]);

    if (width < 1 || width > HT_MAX_WIDTH || height < 1 ||
        height > HT_MAX_HEIGHT)
        return false;
    *sheet = (struct rip_sheet){(uint32_t)width, (uint32_t)height};
    return true;
}

/* Puts the corners of a box into the order left, bottom, right, top. False when
 * it has no inside. */
static bool ordered(double to[4], const double from[4])
{
    for (int i = 0; i < 2; i++) {
        to[i] = fmin(from[i], from[i + 2]);
        to[i + 2] = fmax(from[i], from[i + 2]);
    }
    return to[2] > to[0] && to[3] > to[1] && isfinite(to[2] - to[0]) &&
           isfinite(to[3] - to[1]);
}

/* The size in points that a page is shown in, turned as it says. */
static void size_of(double size[2], const struct rip_box *box)
{
    double media[4], crop[4];

    if (!ordered(media, box->media))
        memcpy(media, (double[4]){0, 0, 612, 792}, sizeof media);
    if (ordered(crop, box->crop)) {
        const double both[4] = {
            fmax(media[0], crop[0]), fmax(media[1], crop[1]),
            fmin(media[2], crop[2]), fmin(media[3], crop[3])};

        if (both[2] > both[0] && both[3] > both[1])
            memcpy(media, both, sizeof media);
    }

    const double unit = box->unit > 0 && isfinite(box->unit) ? box->unit : 1;
    const bool turned = fabs(fmod(box->rotate, 180)) == 90;

    for (int i = 0; i < 2; i++) {
        const int from = turned ? 1 - i : i;

        size[i] = (media[from + 2] - media[from]) * unit;
        size[i] = fmin(fmax(size[i], 1 / POINTS), MOST_POINTS);
    }
}

/* Returns the turn that fits the sheet, for a page that the job does not turn.
 */
static int64_t angle_of_shape(const struct rip_page *page, const double size[2])
{
    return (size[0] > size[1] && page->width < page->length) ||
                   (size[0] < size[1] && page->width > page->length)
               ? 90
               : 0;
}

/*
 * IPP (RFC 8011, 5.2.10) has portrait across the short edge of the media, and
 * landscape, across the long one, 90 degrees anticlockwise of that. On a sheet
 * that is wider than it is long, landscape pages lie across the long edge as
 * they are; clients that know the sheet also call them portrait. So there a
 * page lies as the sheet does, one way up or the other, unless it is square.
 */
static int64_t angle_of(const struct rip_page *page, const double size[2])
{
    const bool by_edge = page->width > page->length && size[0] != size[1];
    const int64_t shape = angle_of_shape(page, size);

    switch (page->orientation) {
    case IPP_ORIENT_PORTRAIT:
        return by_edge && shape == 90 ? 270 : 0;
    case IPP_ORIENT_LANDSCAPE:
        return by_edge ? shape : 90;
    case IPP_ORIENT_REVERSE_PORTRAIT:
        return by_edge && shape == 90 ? 90 : 180;
    case IPP_ORIENT_REVERSE_LANDSCAPE:
        return by_edge ? shape + 180 : 270;
    default:
        return shape;
    }
}

/* Where pages may lie, in pixels from above on the left: the sheet, or what its
 * margins leave. */
struct printable {
    double from[2], size[2];
};

static struct printable area_of(const struct rip_page *page,
                                const struct rip_sheet *sheet, bool margins)
{
    const int before[2] = {page->margins[0], page->margins[3]};
    const int behind[2] = {page->margins[2], page->margins[1]};
    struct printable area = {.size = {sheet->width, sheet->height}};

    for (int i = 0; i < 2 && margins; i++) {
        const double from = fmax(pixels(before[i], page->dpi[i]), 0);
        const double left =
            area.size[i] - from - fmax(pixels(behind[i], page->dpi[i]), 0);

        if (left < 1) /* margins that leave nothing count as none */
            continue;
        area.from[i] = from;
        area.size[i] = left;
    }
    return area;
}

/* Whether a page of `full` pixels is larger than an area, by more than what the
 * sizes of the same sheet differ in millimeters and points. */
static bool is_larger(const double full[2], const struct rip_page *page,
                      const struct printable *area)
{
    bool larger = false;

    for (int i = 0; i < 2; i++)
        larger = larger ||
                 full[i] > area->size[i] + SAME_POINTS * page->dpi[i] / POINTS;
    return larger;
}

/* Whether it is scaled into what the margins leave. */
static bool is_fit(const double full[2], const struct rip_page *page,
                   const struct rip_sheet *sheet)
{
    const bool whole = page->scaling == RIP_WHOLE;
    const struct printable area = area_of(page, sheet, whole);

    return page->scaling == RIP_FIT ||
           ((whole || page->scaling == RIP_SHRINK) &&
            is_larger(full, page, &area));
}

void rip_place_of(struct rip_place *place, const struct rip_page *page,
                  const struct rip_sheet *sheet, const struct rip_box *box)
{
    double size[2], full[2]; /* of the page as it lies, pixels, unscaled */

    size_of(size, box);
    place->angle = angle_of(page, size);

    const bool across = place->angle % 180 != 0;
    for (int i = 0; i < 2; i++)
        full[i] = size[across ? 1 - i : i] * page->dpi[i] / POINTS;

    const bool fits = is_fit(full, page, sheet);
    const struct printable area = area_of(page, sheet, fits);
    const double across_scale = area.size[0] / full[0],
                 down_scale = area.size[1] / full[1];

    place->scale = fits                        ? fmin(across_scale, down_scale)
                   : page->scaling == RIP_FILL ? fmax(across_scale, down_scale)
                                               : 1;
    place->width = (int64_t)fmax(round(full[0] * place->scale), 1);
    place->height = (int64_t)fmax(round(full[1] * place->scale), 1);
    place->x = (int64_t)(area.from[0] +
                         floor((area.size[0] - (double)place->width) / 2));
    place->y = (int64_t)(area.from[1] +
                         floor((area.size[1] - (double)place->height) / 2));
}

bool rip_place_equal(const struct rip_place *a, const struct rip_place *b)
{
    return a->scale == b->scale && a->x == b->x && a->y == b->y &&
           a->width == b->width && a->height == b->height &&
           a->angle == b->angle;
}
