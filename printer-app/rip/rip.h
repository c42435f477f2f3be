/*
 * rip.h - turns a PDF file into contone raster, by Ghostscript's or MuPDF's
 * program: a child with limits, since a PDF is a program that strangers wrote.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef PRINTER_APP_RIP_H
#define PRINTER_APP_RIP_H

#include <stdbool.h>

#include "page/color/table.h"

/* A PDF has this behind at most 1024 other bytes, as printers' job languages
 * (PJL) and what mail programs add. */
#define RIP_HEADER "%PDF-"
#define RIP_HEAD (1024 + sizeof RIP_HEADER - 1)

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
     * if it cannot; NULL = CMYK by a profile of its own. Lasts until
     * rip_end(). */
    const struct profile *profile;
    enum color_intent intent;
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

struct rip_work;

struct rip {
    int fd; /* CUPS raster, to be read: each page is the whole sheet, of
               round(width * dpi / 2540) by round(length * dpi / 2540) pixels.
               rip_end() closes it, nobody before. */
    struct rip_work *work;
};

/* Says what does the work: "gs", "mutool", or NULL when none is installed. The
 * variable HALFTONE_RIP of the environment chooses one of the two. */
const char *rip_name(void);

/* Starts the RIP on the PDF file at `path`, which has to stay until rip_end().
 * The work is the calling thread's owner's. False after an ERROR line. */
bool rip_start(struct rip *rip, const char *path, const struct rip_page *page);

/*
 * Ends the RIP, killing it unless `all` raster was read, and waits until no
 * process and no temporary file of it is left. False after an ERROR line that
 * says what went wrong: what the RIP said, or the limit that it met. The line
 * is written before the raster ends, so whoever reads a short page is late with
 * one of his own. A RIP that is killed here, or whose work is canceled, has no
 * ERROR line.
 */
bool rip_end(struct rip *rip, bool all);

#endif
