/*
 * layout.c - the table of accepted pages; everything that a raster header
 * says about sizes is checked here, and only here.
 *
 * libcups 2.4.2 hardly checks a header: a line may be shorter than its
 * pixels, planes may be missing. Newer ones check more and refuse to write
 * 1-bit pages whose bits a pixel are not their colors, so three-ink dots
 * leave as bands.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <stdio.h>
#include <string.h>

#include "page/layout.h"

#define MAX_SAMPLES ((uint64_t)1 << 36) /* 44 x 270 in, CMYK, 1200 dpi */

struct space_layout {
    cups_cspace_t in;
    const char *name;
    const char *letters; /* of the inks, in the order of the samples */
    bool additive;
    cups_cspace_t out;
    uint8_t channel[HT_MAX_INKS]; /* engine order, the darkest ink first */
};

static const struct space_layout spaces[] = {
    {CUPS_CSPACE_K, "K", "K", false, CUPS_CSPACE_K, {0}},
    {CUPS_CSPACE_W, "W", "K", true, CUPS_CSPACE_K, {0}},
    {CUPS_CSPACE_SW, "SW", "K", true, CUPS_CSPACE_K, {0}},
    {CUPS_CSPACE_CMYK, "CMYK", "CMYK", false, CUPS_CSPACE_CMYK, {3, 0, 1, 2}},
    {CUPS_CSPACE_KCMY, "KCMY", "KCMY", false, CUPS_CSPACE_KCMY, {0, 1, 2, 3}},
    {CUPS_CSPACE_CMY, "CMY", "CMY", false, CUPS_CSPACE_CMY, {0, 1, 2}},
    {CUPS_CSPACE_RGB, "RGB", "CMY", true, CUPS_CSPACE_CMY, {0, 1, 2}},
    {CUPS_CSPACE_SRGB, "sRGB", "CMY", true, CUPS_CSPACE_CMY, {0, 1, 2}},
    {CUPS_CSPACE_ADOBERGB, "AdobeRGB", "CMY", true, CUPS_CSPACE_CMY, {0, 1, 2}},
};

static const struct space_layout *find_space(cups_cspace_t in)
{
    for (size_t i = 0; i < sizeof spaces / sizeof spaces[0]; i++)
        if (spaces[i].in == in)
            return &spaces[i];
    return NULL;
}

static cups_cspace_t space_of_inks(const struct ink_set *set)
{
    return (cups_cspace_t)(CUPS_CSPACE_DEVICE1 + set->count - 1);
}

/* Finds the page's space, in `own` if the page has a set of inks. NULL if it is
 * not accepted. */
static const struct space_layout *space_of(const cups_page_header2_t *h,
                                           const struct leaving *to,
                                           struct ink_set *set,
                                           struct space_layout *own)
{
    char text[INK_SET_BYTES];

    *set = (struct ink_set){.count = 0};
    if (to != NULL && to->set != NULL)
        *set = *to->set;
    if (h->cupsColorSpace < CUPS_CSPACE_DEVICE1 ||
        h->cupsColorSpace > CUPS_CSPACE_DEVICEF)
        return find_space(h->cupsColorSpace);
    snprintf(text, sizeof text, "%.63s", h->cupsString[0]);
    if ((set->count == 0 && !ink_set_parse(set, text)) ||
        space_of_inks(set) != h->cupsColorSpace)
        return NULL;
    *own = (struct space_layout){.name = "DeviceN",
                                 .letters = "",
                                 .in = h->cupsColorSpace,
                                 .out = h->cupsColorSpace};
    ink_set_order(set, own->channel);
    return own;
}

static unsigned colors_of(const struct space_layout *space)
{
    const size_t letters = strlen(space->letters);

    return letters > 0 ? (unsigned)letters
                       : space->in - CUPS_CSPACE_DEVICE1 + 1;
}

static size_t bytes_of_bits(uint64_t bits)
{
    return (size_t)((bits + 7) / 8);
}

static bool refused(char why[LAYOUT_WHY], const char *what, unsigned value)
{
    snprintf(why, LAYOUT_WHY, "Unsupported raster page: %s %u", what, value);
    return false;
}

/* The bits of a pixel of a chunked page: libcups packs three colors of one bit
 * in four. */
static unsigned chunk_bits(unsigned bits, unsigned colors)
{
    return bits == 1 && colors == 3 ? 4 : bits * colors;
}

static bool check_sizes(const cups_page_header2_t *h,
                        const struct space_layout *space, char why[LAYOUT_WHY])
{
    if (h->cupsWidth < 1 || h->cupsWidth > HT_MAX_WIDTH)
        return refused(why, "width", h->cupsWidth);
    if (h->cupsHeight < 1 || h->cupsHeight > HT_MAX_HEIGHT)
        return refused(why, "height", h->cupsHeight);
    for (int axis = 0; axis < 2; axis++)
        if (h->HWResolution[axis] < 1 || h->HWResolution[axis] > HT_MAX_DPI)
            return refused(why, "resolution", h->HWResolution[axis]);
    if ((uint64_t)h->cupsWidth * h->cupsHeight * colors_of(space) > MAX_SAMPLES)
        return refused(why, "size: too many samples, height", h->cupsHeight);
    return true;
}

static bool check_samples(const cups_page_header2_t *h,
                          const struct space_layout *space,
                          char why[LAYOUT_WHY])
{
    unsigned bits = h->cupsBitsPerColor, colors = colors_of(space), pixel;
    uint64_t line;

    if (bits != 1 && bits != 2 && bits != 4 && bits != 8 && bits != 16)
        return refused(why, "bits per color", bits);
    if (h->cupsNumColors != colors)
        return refused(why, "number of colors", h->cupsNumColors);
    if (h->cupsColorOrder > CUPS_ORDER_PLANAR)
        return refused(why, "color order", h->cupsColorOrder);

    pixel = h->cupsColorOrder == CUPS_ORDER_CHUNKED ? chunk_bits(bits, colors)
                                                    : bits;
    if (h->cupsBitsPerPixel != pixel)
        return refused(why, "bits per pixel", h->cupsBitsPerPixel);

    line = bytes_of_bits((uint64_t)h->cupsWidth * pixel);
    if (h->cupsColorOrder == CUPS_ORDER_BANDED)
        line *= colors;
    if (h->cupsBytesPerLine != line)
        return refused(why, "bytes per line", h->cupsBytesPerLine);
    return true;
}

/* Limits pages whose planes of tones have to be held until all have come. */
static bool check_planes(const cups_page_header2_t *h, char why[LAYOUT_WHY])
{
    uint64_t lines = (uint64_t)h->cupsHeight * h->cupsNumColors;

    if (h->cupsColorOrder != CUPS_ORDER_PLANAR || h->cupsNumColors == 1 ||
        h->cupsBitsPerColor == 1 ||
        lines * h->cupsBytesPerLine <= (uint64_t)LAYOUT_PLANAR_MIB << 20)
        return true;
    snprintf(why, LAYOUT_WHY, "Unsupported raster page: planar and over %u MiB",
             LAYOUT_PLANAR_MIB);
    return false;
}

/* The pixels of a length in points, as a header says it; 0 if that is absurd.
 */
static uint32_t pixels_of(double points, unsigned dpi)
{
    double pixels = points * dpi / 72 + 0.5;

    return pixels >= 1 && pixels <= HT_MAX_HEIGHT ? (uint32_t)pixels : 0;
}

static uint32_t at_most(uint32_t value, uint32_t most)
{
    return value < most ? value : most;
}

/* Frames a picture that does not fill an area, in points from the lower left
 * corner of the sheet: imagetoraster makes the picture alone, and says in
 * cupsImagingBBox where it stands. */
static bool lay_in_area(struct layout *l, const float box[4],
                        const double area[4])
{
    uint32_t width = pixels_of(area[2] - area[0], l->dpi[0]);
    uint32_t height = pixels_of(area[3] - area[1], l->dpi[1]), left, top;
    bool banded = l->order == CUPS_ORDER_BANDED;
    size_t sample = l->bits / 8 * (banded ? 1 : l->inks);

    if (!(box[0] < box[2] && box[1] < box[3]) || width < l->width ||
        height < l->height || (width == l->width && height == l->height) ||
        width > HT_MAX_WIDTH ||
        (uint64_t)width * height * l->inks > MAX_SAMPLES ||
        l->inks * (bytes_of_bits(width) * (uint64_t)height -
                   bytes_of_bits(l->width) * (uint64_t)l->height) >
            LAYOUT_MOST_PAPER)
        return false;
    left = at_most(pixels_of((double)box[0] - area[0], l->dpi[0]),
                   width - l->width);
    top = at_most(pixels_of(area[3] - (double)box[3], l->dpi[1]),
                  height - l->height);
    l->frame = (struct frame){
        .paper = l->additive ? UINT8_MAX : 0,
        .parts = banded ? l->inks : 1,
        .left = left * sample,
        .right = (width - l->width - left) * sample,
        .top = top,
        .lines = l->height,
    };
    l->width = width;
    l->height = height;
    l->lines = height;
    l->line_bytes = width * sample * l->frame.parts;
    return true;
}

static struct layout what_comes(const cups_page_header2_t *h,
                                const struct space_layout *space)
{
    struct layout l = {
        .space = space->name,
        .letters = space->letters,
        .width = h->cupsWidth,
        .height = h->cupsHeight,
        .dpi = {h->HWResolution[0], h->HWResolution[1]},
        .inks = colors_of(space),
        .bits = h->cupsBitsPerColor,
        .additive = space->additive,
        .order = h->cupsColorOrder,
        .line_bytes = h->cupsBytesPerLine,
        .lines = h->cupsHeight,
    };

    memcpy(l.channel, space->channel, sizeof space->channel);
    if (l.order == CUPS_ORDER_PLANAR)
        l.lines *= l.inks;
    return l;
}

static bool cannot_leave(char why[LAYOUT_WHY], const char *text)
{
    snprintf(why, LAYOUT_WHY, "%s", text);
    return false;
}

/* Refuses what cannot leave so: dots that came are passed on as they lie. Drops
 * of several sizes are for those who show them. */
static bool can_leave(const struct layout *l, const cups_page_header2_t *h,
                      const struct leaving *to, char why[LAYOUT_WHY])
{
    const bool of_set = l->letters[0] == '\0';

    if (l->bits == 2 || l->bits == 4)
        return refused(why, "bits per color", l->bits);
    if (to->pwg && l->inks > 1) {
        snprintf(why, LAYOUT_WHY,
                 "PWG raster has no 1-bit color: print in gray (got %s)",
                 l->space);
        return false;
    }
    if (to->banded && l->bits == 1 && l->inks > 1 &&
        l->order != CUPS_ORDER_BANDED)
        return cannot_leave(
            why, "Unsupported raster page: dots of several inks that are not "
                 "banded, as HalftoneColorOrder asks");
    if (to->black_first && l->bits == 1 &&
        h->cupsColorSpace == CUPS_CSPACE_CMYK)
        return cannot_leave(why, "Unsupported raster page: dots in CMYK, of "
                                 "which the packer takes KCMY");
    if (to->sized && to->pwg)
        return cannot_leave(why, "PWG raster has no drops of several sizes");
    if (to->pwg && (of_set || to->set != NULL))
        return cannot_leave(why, "PWG raster has no more inks than four");
    if (to->set != NULL && l->bits == 1 && !of_set)
        return cannot_leave(why,
                            "Unsupported raster page: dots already, of "
                            "which HalftoneInks=All makes no lighter ones");
    if (of_set && l->bits == 1 && l->order != CUPS_ORDER_BANDED)
        return cannot_leave(why,
                            "Unsupported raster page: dots of DeviceN that "
                            "are not banded");
    return true;
}

static bool is_near(double a, double b)
{
    return a - b < 1 && b - a < 1;
}

static bool says_where(const cups_page_header2_t *h)
{
    for (int i = 0; i < 4; i++)
        if (h->cupsImagingBBox[i] != 0)
            return true;
    return false;
}

/* Lets the page begin where the printer's rows do. */
static void begin_in_area(struct layout *l, const cups_page_header2_t *h,
                          const struct paper *paper)
{
    const double sheet =
        h->cupsPageSize[1] > 0 ? (double)h->cupsPageSize[1] : paper->height;
    const double top = sheet - (paper->height - paper->top);
    const double bottom = top - l->height * 72.0 / l->dpi[1];

    l->box[0] = (float)paper->left;
    l->box[1] = bottom > 0 ? (float)bottom : 0;
    l->box[2] = (float)(paper->left + l->width * 72.0 / l->dpi[0]);
    l->box[3] = top > 0 ? (float)top : 0;
}

/* Places the page on its sheet, of which PWG raster has all, and packers what
 * can be printed: they print what they get from the upper left corner of that.
 */
static void lay_on_sheet(struct layout *l, const cups_page_header2_t *h,
                         const struct leaving *to)
{
    const struct paper *paper = &to->paper;
    const double width = (double)h->cupsPageSize[0];
    const double height = (double)h->cupsPageSize[1];
    const double sheet[4] = {0, 0, width, height};
    const double area[4] = {paper->left, paper->bottom, paper->right,
                            paper->top};
    const bool planes = l->order == CUPS_ORDER_PLANAR && l->inks > 1;

    if (to->pwg) {
        if (l->bits > 1)
            lay_in_area(l, h->cupsImagingBBox, sheet);
    } else if (paper->width > 0 && !says_where(h)) {
        begin_in_area(l, h, paper);
    } else if (l->bits > 1 && !planes && is_near(width, paper->width) &&
               is_near(height, paper->height) &&
               lay_in_area(l, h->cupsImagingBBox, area)) {
        for (int i = 0; i < 4; i++)
            l->box[i] = (float)area[i];
    }
}

/* Lays out what leaves: pages of dots as they came, pages of tones as dots. */
static void lay_dots(struct layout *l, const struct space_layout *space,
                     const struct leaving *to)
{
    const bool tones = l->bits > 1;

    l->pwg = to->pwg;
    l->white_dots = l->additive && !tones;
    l->dot_bits = tones && to->sized ? to->sized : 1;
    l->out_bits = l->dot_bits == 3 ? 4 : l->dot_bits;
    l->shaded = tones && l->set.count > 0 && l->letters[0] != '\0';
    l->out_inks = l->set.count > 0 ? l->set.count : l->inks;
    l->chunked =
        l->out_inks == 1 ||
        (l->inks == 4 && l->set.count == 0 && tones && l->dot_bits == 1 &&
         !to->banded && l->order == CUPS_ORDER_CHUNKED);
    l->out_space = l->set.count > 0 ? space_of_inks(&l->set)
                   : tones          ? space->out
                                    : space->in;
    if (to->pwg)
        l->out_space = l->white_dots ? CUPS_CSPACE_SW : CUPS_CSPACE_K;
    memcpy(l->plane, l->channel, sizeof l->plane);
    if (l->set.count > 0)
        ink_set_order(&l->set, l->plane);
    if (to->black_first && l->out_space == CUPS_CSPACE_CMYK) {
        l->out_space = CUPS_CSPACE_KCMY;
        for (uint32_t i = 0; i < l->inks; i++)
            l->plane[i] = (uint8_t)i;
    }

    const uint64_t row = (uint64_t)l->width * l->out_bits;
    l->out_lines = tones ? l->height : l->lines;
    l->out_line_bytes = !tones       ? l->line_bytes
                        : l->chunked ? bytes_of_bits(row * l->out_inks)
                                     : l->out_inks * bytes_of_bits(row);
}

bool layout_read(struct layout *layout, const cups_page_header2_t *h,
                 const struct leaving *to, char why[LAYOUT_WHY])
{
    struct ink_set set;
    struct space_layout own;
    const struct space_layout *space = space_of(h, to, &set, &own);

    if (space == NULL)
        return refused(why, "color space", h->cupsColorSpace);
    if (!check_sizes(h, space, why) || !check_samples(h, space, why) ||
        !check_planes(h, why))
        return false;

    struct layout l = what_comes(h, space);
    l.set = set;
    if (to != NULL) {
        if (!can_leave(&l, h, to, why))
            return false;
        lay_on_sheet(&l, h, to);
        lay_dots(&l, space, to);
        if (to->blank)
            l.frame = (struct frame){.paper = l.additive ? UINT8_MAX : 0,
                                     .top = l.lines,
                                     .lines = 1};
    }
    *layout = l;
    return true;
}
