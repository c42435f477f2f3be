/*
 * rip_program.h - differences between the programs that can be RIPs.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef PRINTER_APP_RIP_PROGRAM_H
#define PRINTER_APP_RIP_PROGRAM_H

#include <stdbool.h>
#include <stddef.h>

#include "printer-app/rip/rip_place.h"

/* The PDF's name in the folder that the program runs in: one that no option and
 * no list of permitted files takes for anything else. */
#define RIP_FILE "in.pdf"

/* Likewise that of the output profile, if there is one. */
#define RIP_PROFILE "out.icc"

/* A command line. */
struct rip_command {
    char text[2048];
    const char *argv[48]; /* ends with NULL */
    size_t used, count;
    bool is_full; /* an argument is missing: it is not to be run */
};

/* Add an argument, or those with single spaces between them, if there is room;
 * format as printf() does. */
void rip_add(struct rip_command *command, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void rip_add_words(struct rip_command *command, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Pages of a PDF that lie alike. */
struct rip_range {
    unsigned first, last;
    struct rip_place place;
};

struct rip_program {
    const char *name;

    /* Adds the arguments that make the program say, in lines, what boxes the
     * pages first .. last have, as far as there are such; last 0 = all. */
    void (*list)(struct rip_command *command, unsigned first, unsigned last);
    /* Formats of these lines, for sscanf(): a page's first has its number, then
     * come its boxes, its turn and its unit. Other lines may come between. */
    const char *page, *media, *crop, *rotate, *unit;

    /* Adds those that make it write a PGM (W), PPM or PAM (sRGB) or PAM
     * (CMYK) image for each page of `range` to its standard output. */
    void (*draw)(struct rip_command *command, const struct rip_page *page,
                 const struct rip_sheet *sheet, const struct rip_range *range);
    /* The images are whole sheets, which may also show what is outside of the
     * page; else they are just the page. */
    bool whole_sheets;
    /* It keeps the end of an image until the next one: it draws one page, and
     * is started again for the next. */
    bool one_page;
    /* It makes CMYK by any profile of CMYK. */
    bool separates;
    /* For a page that is `exact` it makes two images: in the first one shapes
     * fill the pixels whose centers they cover, in the second all that they
     * touch. */
    bool draws_exactly;
    bool averages; /* pictures of a page that is a `scan` */
};

/* Whether pages come as sRGB. */
static inline bool rip_gives_light(const struct rip_program *program,
                                   const struct rip_page *page)
{
    return page->color && page->profile != NULL &&
           (!program->separates || page->profile->channels != 4);
}

extern const struct rip_program rip_gs, rip_mutool;

#endif
