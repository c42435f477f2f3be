/*
 * table.c - asks lcms2 for the inks of each of a table's colors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>

#include <lcms2.h>

#include "halftone/base/instruction_sets.h"
#include "page/color/light.h"
#include "page/color/table.h"

/* Memory has K, C, M, Y; lcms2 calls that CMYK with its last channel first. */
#define TYPE_INKS                                                              \
    (COLORSPACE_SH(PT_CMYK) | CHANNELS_SH(4) | BYTES_SH(2) | SWAPFIRST_SH(1))

static cmsHPROFILE opened(cmsContext context, const struct profile *profile)
{
    return cmsOpenProfileFromMemTHR(context, profile->data,
                                    (cmsUInt32Number)profile->size);
}

static cmsHPROFILE adobe_rgb(cmsContext context)
{
    size_t size;
    uint8_t *icc = color_rgb_icc(&color_adobe_rgb, &size);
    cmsHPROFILE profile =
        icc != NULL
            ? cmsOpenProfileFromMemTHR(context, icc, (cmsUInt32Number)size)
            : NULL;

    free(icc);
    return profile;
}

static cmsHPROFILE source_of(cmsContext context, enum color_space space,
                             const struct profile *from)
{
    return space == COLOR_SRGB        ? cmsCreate_sRGBProfileTHR(context)
           : space == COLOR_ADOBE_RGB ? adobe_rgb(context)
                                      : opened(context, from);
}

static cmsHTRANSFORM transform_of(cmsContext context, cmsHPROFILE from,
                                  cmsHPROFILE to, unsigned channels,
                                  enum color_intent intent)
{
    static const struct {
        cmsUInt32Number intent, flags;
    } lcms[] = {
        [COLOR_RELATIVE_BLACK] = {INTENT_RELATIVE_COLORIMETRIC,
                                  cmsFLAGS_BLACKPOINTCOMPENSATION},
        [COLOR_RELATIVE] = {INTENT_RELATIVE_COLORIMETRIC, 0},
        [COLOR_PERCEPTUAL] = {INTENT_PERCEPTUAL, 0},
        [COLOR_ABSOLUTE] = {INTENT_ABSOLUTE_COLORIMETRIC, 0},
    };

    return cmsCreateTransformTHR(
        context, from, TYPE_RGB_16, to, channels == 3 ? TYPE_RGB_16 : TYPE_INKS,
        lcms[intent].intent,
        lcms[intent].flags | cmsFLAGS_NOOPTIMIZE | cmsFLAGS_NOCACHE);
}

/* Light of 16 bits to inks, in place: as the printer application does without
 * profiles. */
static void complement(uint16_t pixel[COLOR_TABLE_INKS])
{
    uint16_t c = (uint16_t)~pixel[0], m = (uint16_t)~pixel[1],
             y = (uint16_t)~pixel[2], k = c < m ? c : m;

    k = k < y ? k : y;
    pixel[0] = k;
    pixel[1] = (uint16_t)(c - k);
    pixel[2] = (uint16_t)(m - k);
    pixel[3] = (uint16_t)(y - k);
}

/* Fills in the colors with the same red and green. */
static void fill_row(struct color_table *table, cmsHTRANSFORM transform,
                     unsigned channels, unsigned red, unsigned green)
{
    int16_t(*node)[COLOR_TABLE_INKS] =
        &table->node[(red * COLOR_POINTS + green) * COLOR_POINTS];
    const unsigned last = COLOR_POINTS - 1;
    uint16_t light[COLOR_POINTS][3], inks[COLOR_POINTS * COLOR_TABLE_INKS];

    for (unsigned blue = 0; blue < COLOR_POINTS; blue++) {
        const unsigned color[3] = {red, green, blue};

        for (int i = 0; i < 3; i++)
            light[blue][i] =
                (uint16_t)((color[i] * UINT16_MAX + last / 2) / last);
    }
    cmsDoTransform(transform, light, inks, COLOR_POINTS);
    for (unsigned blue = 0; blue < COLOR_POINTS; blue++) {
        uint16_t pixel[COLOR_TABLE_INKS];

        for (unsigned i = 0; i < channels; i++)
            pixel[i] = inks[blue * channels + i];
        if (channels == 3)
            complement(pixel);
        for (int i = 0; i < COLOR_TABLE_INKS; i++)
            node[blue][i] = (int16_t)((pixel[i] * COLOR_FULL + UINT16_MAX / 2) /
                                          UINT16_MAX -
                                      32768);
    }
}

static void fill(struct color_table *table, cmsHTRANSFORM transform,
                 unsigned channels)
{
    const unsigned last = COLOR_POINTS * COLOR_POINTS * COLOR_POINTS - 1;

    for (unsigned red = 0; red < COLOR_POINTS; red++)
        for (unsigned green = 0; green < COLOR_POINTS; green++)
            fill_row(table, transform, channels, red, green);
    for (int i = 0; i < COLOR_TABLE_INKS; i++)
        table->node[last][i] = INT16_MIN;
}

static struct color_table *made(cmsContext context, enum color_space space,
                                const struct profile *from,
                                const struct profile *to,
                                enum color_intent intent)
{
    cmsHPROFILE source = source_of(context, space, from);
    cmsHPROFILE printer = opened(context, to);
    cmsHTRANSFORM transform =
        source != NULL && printer != NULL
            ? transform_of(context, source, printer, to->channels, intent)
            : NULL;
    struct color_table *table =
        transform != NULL ? malloc(sizeof *table) : NULL;

    if (table != NULL)
        fill(table, transform, to->channels);
    if (transform != NULL)
        cmsDeleteTransform(transform);
    if (source != NULL)
        cmsCloseProfile(source);
    if (printer != NULL)
        cmsCloseProfile(printer);
    return table;
}

/* Whether black gets at least half of an ink, so that no paper is black. */
static bool has_black(const struct color_table *table)
{
    uint8_t cmyk[COLOR_TABLE_INKS];
    bool any = false;

    color_table_black(table, cmyk);
    for (int i = 0; i < COLOR_TABLE_INKS; i++)
        any = any || cmyk[i] > UINT8_MAX / 2;
    return any;
}

/* A context of its own logs nothing and shares nothing with other threads. */
struct color_table *color_table_make(enum color_space space,
                                     const struct profile *from,
                                     const struct profile *to,
                                     enum color_intent intent,
                                     char why[PROFILE_WHY])
{
    cmsContext context = cmsCreateContext(NULL, NULL);
    struct color_table *table =
        context != NULL ? made(context, space, from, to, intent) : NULL;

    if (context != NULL)
        cmsDeleteContext(context);
    if (table == NULL)
        snprintf(why, PROFILE_WHY, "lcms2 cannot separate by it");
    if (table != NULL && !has_black(table)) {
        snprintf(why, PROFILE_WHY, "black gets no ink by it");
        free(table);
        table = NULL;
    }
    return table;
}

void color_table_line(const struct color_table *table, const uint8_t *light,
                      uint32_t width, uint8_t *inks)
{
    if (has_avx2())
        color_table_line_avx2(table, light, width, inks);
    else
        color_table_line_plain(table, light, width, inks);
}
