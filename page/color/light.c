/*
 * light.c - the ink of a picture to light, by lcms2.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <stdlib.h>

#include <lcms2.h>

#include "page/color/light.h"

struct color_light {
    cmsContext context;
    cmsHTRANSFORM transform;
};

static cmsHTRANSFORM transform_of(cmsContext context,
                                  const struct profile *cmyk, bool inverted)
{
    cmsHPROFILE from = cmsOpenProfileFromMemTHR(context, cmyk->data,
                                                (cmsUInt32Number)cmyk->size);
    cmsHPROFILE to = cmsCreate_sRGBProfileTHR(context);
    cmsHTRANSFORM transform =
        from != NULL && to != NULL
            ? cmsCreateTransformTHR(
                  context, from, inverted ? TYPE_CMYK_8_REV : TYPE_CMYK_8, to,
                  TYPE_RGB_8, INTENT_RELATIVE_COLORIMETRIC,
                  cmsFLAGS_BLACKPOINTCOMPENSATION)
            : NULL;

    if (from != NULL)
        cmsCloseProfile(from);
    if (to != NULL)
        cmsCloseProfile(to);
    return transform;
}

struct color_light *color_light_open(const struct profile *cmyk, bool inverted)
{
    struct color_light *light = calloc(1, sizeof *light);

    if (light == NULL)
        return NULL;
    light->context = cmsCreateContext(NULL, NULL);
    if (light->context != NULL)
        light->transform = transform_of(light->context, cmyk, inverted);
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
