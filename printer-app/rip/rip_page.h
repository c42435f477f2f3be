/*
 * rip_page.h - the sheet that a RIP prints pages on.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef PRINTER_APP_RIP_PAGE_H
#define PRINTER_APP_RIP_PAGE_H

#include <stdbool.h>

#include "page/color/table.h"

/* Scaling of pages. Each lies in the middle, and the parts outside of the sheet
 * are cut off. */
enum rip_scaling {
    RIP_ACTUAL, /* as they are */
    RIP_FIT,    /* scaled, up or down, into what the margins leave */
    RIP_SHRINK, /* so if they are larger than the sheet, else as they are */
    RIP_FILL,   /* scaled until the sheet is full */
    RIP_WHOLE   /* as RIP_FIT, if they are larger than what the margins leave */
};

struct rip_page {
    unsigned dpi[2];   /* across, down */
    int width, length; /* of the sheet, 1/100 mm */
    int margins[4];    /* left, bottom, right, top, 1/100 mm: RIP_FIT scales
                          into what they leave */
    bool color;        /* CMYK or sRGB, else W, 8 bits a color and chunked */
    /* An output profile, by which the RIP makes CMYK with that intent, or sRGB
     * if it cannot; NULL = CMYK by a profile of its own. */
    const struct profile *profile;
    enum color_intent intent;
    /* Shapes fill the pixels whose centers they cover, if the RIP can: bars are
     * as wide as drawn. Else, and on very large sheets, they fill all that they
     * touch. */
    bool exact;
    bool art; /* in black and white: thin lines of scans are kept */
    /* Pictures are averaged, as all are finer than the sheet; rip_run() finds
     * this out. */
    bool scan;
    enum rip_scaling scaling;
    int orientation;      /* ipp_orient_t: how pages are turned. 0 or
                             IPP_ORIENT_NONE: a landscape page by 90 degrees
                             anticlockwise on a portrait sheet, and likewise a
                             portrait page on a landscape one. On landscape
                             sheets see rip_place.c */
    unsigned first, last; /* pages, from 1; first 0 = 1, last 0 = all */
    /* Whether one of these is to be printed; NULL = all are. */
    bool (*wants)(void *of, unsigned page);
    void *of;
};

#endif
