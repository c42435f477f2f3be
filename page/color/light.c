/*
 * light.c - the ink of a picture to light, and profiles of light, by lcms2.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <stdbool.h>
#include <stdlib.h>

#include <lcms2.h>

#include "page/color/light.h"

struct color_light {
    cmsContext context;
    cmsHTRANSFORM transform;
};

static cmsHTRANSFORM transform_of(cmsContext context,
                                  const struct profile *cmyk)
{
    cmsHPROFILE from = cmsOpenProfileFromMemTHR(context, cmyk->data,
                                                (cmsUInt32Number)cmyk->size);
    cmsHPROFILE to = cmsCreate_sRGBProfileTHR(context);
    cmsHTRANSFORM transform =
        from != NULL && to != NULL
            ? cmsCreateTransformTHR(context, from, TYPE_CMYK_8_REV, to,
                                    TYPE_RGB_8, INTENT_RELATIVE_COLORIMETRIC,
                                    cmsFLAGS_BLACKPOINTCOMPENSATION)
            : NULL;

    if (from != NULL)
        cmsCloseProfile(from);
    if (to != NULL)
        cmsCloseProfile(to);
    return transform;
}

struct color_light *color_light_open(const struct profile *cmyk)
{
    struct color_light *light = calloc(1, sizeof *light);

    if (light == NULL)
        return NULL;
    light->context = cmsCreateContext(NULL, NULL);
    if (light->context != NULL)
        light->transform = transform_of(light->context, cmyk);
    if (light->transform != NULL)
        return light;
    color_light_close(light);
    return NULL;
}

void color_light_close(struct color_light *light)
{
    if (light == NULL)
        return;
    if (light->transform != NULL)
        cmsDeleteTransform(light->transform);
    if (light->context != NULL)
        cmsDeleteContext(light->context);
    free(light);
}

void color_light_line(const struct color_light *light, const uint8_t *ink,
                      uint32_t width, uint8_t *rgb)
{
    cmsDoTransform(light->transform, ink, rgb, width);
}

/* Adobe RGB (1998), section 4.3.1: D65, and 2 + 51/256. */
const struct color_rgb color_adobe_rgb = {
    {0.3127, 0.3290},
    {{0.64, 0.33}, {0.21, 0.71}, {0.15, 0.06}},
    2 + 51.0 / 256};

static cmsCIExyY color_of(const double xy[2])
{
    return (cmsCIExyY){xy[0], xy[1], 1};
}

/* IEC 61966-2-1 has sRGB's curve: a line, and behind it a power. */
static cmsToneCurve *curve_of(cmsContext context, double gamma)
{
    const cmsFloat64Number srgb[] = {2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92,
                                     0.04045};

    return gamma > 0 ? cmsBuildGamma(context, gamma)
                     : cmsBuildParametricToneCurve(context, 4, srgb);
}

static cmsHPROFILE profile_of(cmsContext context, const struct color_rgb *rgb)
{
    const cmsCIExyY white = color_of(rgb->white);
    const cmsCIExyYTRIPLE primaries = {color_of(rgb->primaries[0]),
                                       color_of(rgb->primaries[1]),
                                       color_of(rgb->primaries[2])};
    cmsToneCurve *curve = curve_of(context, rgb->gamma);
    cmsToneCurve *const curves[3] = {curve, curve, curve};
    cmsHPROFILE profile =
        curve != NULL
            ? cmsCreateRGBProfileTHR(context, &white, &primaries, curves)
            : NULL;

    cmsFreeToneCurve(curve);
    return profile;
}

uint8_t *color_rgb_icc(const struct color_rgb *rgb, size_t *size)
{
    cmsContext context = cmsCreateContext(NULL, NULL);
    cmsHPROFILE profile = context != NULL ? profile_of(context, rgb) : NULL;
    cmsUInt32Number bytes = 0;
    uint8_t *icc = NULL;

    if (profile != NULL && cmsSaveProfileToMem(profile, NULL, &bytes) &&
        (icc = malloc(bytes)) != NULL &&
        !cmsSaveProfileToMem(profile, icc, &bytes)) {
        free(icc);
        icc = NULL;
    }
    *size = bytes;
    if (profile != NULL)
        cmsCloseProfile(profile);
    if (context != NULL)
        cmsDeleteContext(context);
    return icc;
}
