/*
 * separate.c - cuts margins off, and turns each pixel into K or KCMY.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <stdio.h>
#include <string.h>

#include "page/layout.h"
#include "printer-app/separate.h"

#define BLOCK 64u /* bytes, of what is done at a time */

static bool is_light(cups_cspace_t space)
{
    return space == CUPS_CSPACE_W || space == CUPS_CSPACE_SW ||
           space == CUPS_CSPACE_RGB || space == CUPS_CSPACE_SRGB ||
           space == CUPS_CSPACE_ADOBERGB;
}

/* Tells whether the colors of the space are light or ink, and no others. */
static bool is_known(cups_cspace_t space)
{
    return is_light(space) || space == CUPS_CSPACE_K ||
           space == CUPS_CSPACE_CMYK;
}

/* Returns `pixels` in points. */
static float points(uint32_t pixels, unsigned dpi)
{
    return (float)pixels * 72 / (float)dpi;
}

/* Writes into the header the part of the sheet that is left. */
static void frame_header(cups_page_header2_t *h, const struct margins *m)
{
    const unsigned *dpi = h->HWResolution;
    const float sheet[2] = {points(h->cupsWidth, dpi[0]),
                            points(h->cupsHeight, dpi[1])};
    const float box[4] = {points(m->left, dpi[0]), points(m->bottom, dpi[1]),
                          sheet[0] - points(m->right, dpi[0]),
                          sheet[1] - points(m->top, dpi[1])};

    for (int i = 0; i < 2; i++) {
        h->cupsPageSize[i] = sheet[i];
        h->PageSize[i] = (unsigned)(sheet[i] + 0.5f);
        h->Margins[i] = (unsigned)box[i];
    }
    for (int i = 0; i < 4; i++) {
        h->cupsImagingBBox[i] = box[i];
        h->ImagingBoundingBox[i] = (unsigned)(box[i] + 0.5f);
    }
}

bool separation_of(struct separation *separation, cups_page_header2_t *h,
                   const struct margins *m, bool color, char *why)
{
    struct layout layout;

    if (!layout_read(&layout, h, NULL, why))
        return false;
    if (layout.bits != 8 || h->cupsColorOrder != CUPS_ORDER_CHUNKED ||
        !is_known(h->cupsColorSpace)) {
        snprintf(why, LAYOUT_WHY, "Unsupported raster page: %s of %u bits",
                 layout.space, layout.bits);
        return false;
    }
    if ((uint64_t)m->left + m->right >= h->cupsWidth ||
        (uint64_t)m->top + m->bottom >= h->cupsHeight) {
        snprintf(why, LAYOUT_WHY, "The page has margins alone: %u by %u pixels",
                 h->cupsWidth, h->cupsHeight);
        return false;
    }
    const uint32_t inks = color && layout.inks > 1 ? 4 : 1;

    *separation = (struct separation){
        .from = h->cupsColorSpace,
        .left = m->left,
        .width = h->cupsWidth - m->left - m->right,
        .pixel = layout.inks,
        .inks = inks,
        .top = m->top,
        .height = h->cupsHeight - m->top - m->bottom,
    };
    frame_header(h, m);
    h->cupsWidth = separation->width;
    h->cupsHeight = separation->height;
    h->cupsColorSpace = inks == 4 ? CUPS_CSPACE_KCMY : CUPS_CSPACE_K;
    h->cupsNumColors = inks;
    h->cupsBitsPerPixel = 8 * inks;
    h->cupsBytesPerLine = separation->width * inks;
    return true;
}

/* The smallest of three. */
static uint8_t least(uint8_t a, uint8_t b, uint8_t c)
{
    const uint8_t least = a < b ? a : b;

    return least < c ? least : c;
}

/* BT.601 in 1/65536; the weights sum to that. */
static uint8_t luminance(unsigned red, unsigned green, unsigned blue)
{
    return (uint8_t)((19595 * red + 38470 * green + 7471 * blue + 32768) >> 16);
}

static void light_to_kcmy(const uint8_t *light, uint32_t width, uint8_t *ink)
{
    for (uint32_t x = 0; x < width; x++, light += 3, ink += 4) {
        const uint8_t c = (uint8_t)~light[0], m = (uint8_t)~light[1],
                      y = (uint8_t)~light[2], k = least(c, m, y);

        ink[0] = k;
        ink[1] = (uint8_t)(c - k);
        ink[2] = (uint8_t)(m - k);
        ink[3] = (uint8_t)(y - k);
    }
}

static void light_to_k(const uint8_t *light, uint32_t width, uint8_t *ink)
{
    for (uint32_t x = 0; x < width; x++, light += 3)
        ink[x] = (uint8_t)~luminance(light[0], light[1], light[2]);
}

/* Moves the last byte of each word in memory to its front. */
static inline void turn_words(uint32_t *words, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
        words[i] = words[i] << 8 | words[i] >> 24;
#else
        words[i] = words[i] >> 8 | words[i] << 24;
#endif
}

/* Compilers make vectors of loops whose lengths they know. */
static void cmyk_to_kcmy(const uint8_t *cmyk, uint32_t width, uint8_t *ink)
{
    uint32_t words[BLOCK / 4];

    for (; width >= BLOCK / 4;
         width -= BLOCK / 4, cmyk += BLOCK, ink += BLOCK) {
        memcpy(words, cmyk, BLOCK);
        turn_words(words, BLOCK / 4);
        memcpy(ink, words, BLOCK);
    }
    memcpy(words, cmyk, width * 4);
    turn_words(words, width);
    memcpy(ink, words, width * 4);
}

static void light_to_ink(const uint8_t *light, uint32_t width, uint8_t *ink)
{
    uint8_t block[BLOCK];

    for (; width >= BLOCK; width -= BLOCK, light += BLOCK, ink += BLOCK) {
        memcpy(block, light, BLOCK);
        for (uint32_t x = 0; x < BLOCK; x++)
            block[x] = (uint8_t)~block[x];
        memcpy(ink, block, BLOCK);
    }
    for (uint32_t x = 0; x < width; x++)
        ink[x] = (uint8_t)~light[x];
}

/* K prints over what the others leave. */
static void cmyk_to_k(const uint8_t *cmyk, uint32_t width, uint8_t *ink)
{
    for (uint32_t x = 0; x < width; x++, cmyk += 4) {
        const unsigned light =
            luminance(255u - cmyk[0], 255u - cmyk[1], 255u - cmyk[2]);

        ink[x] = (uint8_t)(255 - (light * (255u - cmyk[3]) + 127) / 255);
    }
}

void separate_line(const struct separation *s, const uint8_t *line,
                   uint8_t *inks)
{
    const uint8_t *from = line + (size_t)s->left * s->pixel;

    if (s->table != NULL)
        color_table_line(s->table, from, s->width, inks);
    else if (s->pixel == 3 && s->inks == 4)
        light_to_kcmy(from, s->width, inks);
    else if (s->pixel == 3)
        light_to_k(from, s->width, inks);
    else if (s->pixel == 4 && s->inks == 4)
        cmyk_to_kcmy(from, s->width, inks);
    else if (s->pixel == 4)
        cmyk_to_k(from, s->width, inks);
    else if (is_light(s->from))
        light_to_ink(from, s->width, inks);
    else
        memcpy(inks, from, s->width);
}
