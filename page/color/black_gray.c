/*
 * black_gray.c - finds the gray that is as light as black ink alone.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <lcms2.h>

#include "page/color/black_gray.h"

#define GRAYS 256u
#define TYPE_INKS                                                              \
    (COLORSPACE_SH(PT_CMYK) | CHANNELS_SH(4) | BYTES_SH(1) | SWAPFIRST_SH(1))

/* Fills in what all grays look like on paper, and after them solid K. False
 * without memory. */
static bool look(cmsContext context, const struct color_table *table,
                 const struct profile *printer, cmsCIELab lab[GRAYS + 1])
{
    uint8_t light[GRAYS][3], inks[GRAYS + 1][COLOR_TABLE_INKS] = {{0}};
    cmsHPROFILE paper = cmsCreateLab4ProfileTHR(context, NULL);
    cmsHPROFILE from = cmsOpenProfileFromMemTHR(context, printer->data,
                                                (cmsUInt32Number)printer->size);
    cmsHTRANSFORM transform =
        paper != NULL && from != NULL
            ? cmsCreateTransformTHR(context, from, TYPE_INKS, paper,
                                    TYPE_Lab_DBL, INTENT_RELATIVE_COLORIMETRIC,
                                    cmsFLAGS_NOOPTIMIZE | cmsFLAGS_NOCACHE)
            : NULL;

    for (unsigned gray = 0; gray < GRAYS; gray++)
        for (int i = 0; i < 3; i++)
            light[gray][i] = (uint8_t)gray;
    color_table_line(table, light[0], GRAYS, inks[0]);
    inks[GRAYS][0] = UINT8_MAX;
    if (transform != NULL) {
        cmsDoTransform(transform, inks, lab, GRAYS + 1);
        cmsDeleteTransform(transform);
    }
    if (paper != NULL)
        cmsCloseProfile(paper);
    if (from != NULL)
        cmsCloseProfile(from);
    return transform != NULL;
}

unsigned color_black_gray(const struct color_table *table,
                          const struct profile *printer)
{
    cmsContext context =
        printer->channels == 4 ? cmsCreateContext(NULL, NULL) : NULL;
    cmsCIELab lab[GRAYS + 1];
    unsigned gray = 0;

    if (context == NULL)
        return 0;
    if (look(context, table, printer, lab))
        while (gray < GRAYS - 1 && lab[gray].L < lab[GRAYS].L)
            gray++;
    cmsDeleteContext(context);
    return gray;
}
