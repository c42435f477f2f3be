/*
 * packing.h - the part of packing that all languages share: pages, checked and
 * placed on their sheets, row by row to the functions of a language.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef PACK_PACKING_H
#define PACK_PACKING_H

#include "page/pack/label.h"
#include "page/pack/sink.h"
#include "page/drops.h"

#define PACKING_PLANES 4u
#define PACKING_MOST_DOTS INT16_MAX /* of a row, of any language */

/* A page on its way through a writer. */
struct packing {
    struct sink *out;
    const cups_page_header2_t *header;
    unsigned number; /* of the page, from 1 */
    bool back;       /* of the sheet whose front the page before is */
    unsigned copies;
    unsigned planes;        /* 1: K; 3: C, M, Y; 4: K, C, M, Y */
    unsigned bits;          /* a dot: 1, or 2 of a language with sizes */
    unsigned width, height; /* dots that are printed, from (left, top) on */
    size_t bytes;           /* of a plane's row: (bits * width + 7) / 8 */
    /* Points, of the sheet and from its edges: only if the language places. */
    double sheet[2], left, top;
    int shift;          /* dots that the raster's rows are moved to the right */
    unsigned cut;       /* rows above `top`, which are left out */
    struct label label; /* of label printers alone */
    struct drop_codes drops; /* of a language with sizes alone */
    unsigned char *line;     /* [planes][bytes], the row at hand */
    unsigned char
        *before; /* [bytes], plane 0 of the row before, at first bare */
    unsigned char *packed; /* [2][ROWS_ROOM(bytes)], the language's */
    unsigned next;         /* the first row that no command stands for yet */
    unsigned method;       /* of packing, of the last row: the language's */
};

/* Largest values that a header may have. */
struct accepted {
    bool color;      /* banded KCMY, too */
    bool no_black;   /* and banded CMY */
    bool two_sides;  /* of a sheet */
    bool label;      /* and what label.h has */
    bool sizes;      /* of drops: rows come to it with 2 bits a dot, and dots
                        of a raster that has one size as the largest */
    unsigned dots;   /* of a row or a column */
    unsigned across; /* of a row; 0: as many */
    unsigned dpi[8]; /* the resolutions, and 0; at once 0: any of 16 bits */
    bool square;     /* the same across and down */
    unsigned number; /* of a tray, of a kind of paper */
    unsigned copies; /* 1: the language has none */
    unsigned rows;   /* of a sheet */
    unsigned points; /* of a sheet's side; 0: pages are not placed */
};

struct language {
    const char *name;   /* of its file */
    const char *title;  /* in messages */
    const char *ending; /* what every job ends with */
    struct accepted accepted;
    double left, top;    /* points from a sheet's edges that no dot reaches */
    bool pads;           /* rows begin at `left` on every page: those of rasters
                            that begin further right get bare dots in front */
    const char *opening; /* what every job begins with; NULL: the reset */
    const char *reset; /* what stands before the first page and behind the last
                        */
    void (*begin_page)(struct packing *page);
    /* Puts row y, page->line, which is not bare; rows from page->next to y are.
     */
    void (*put_row)(struct packing *page, unsigned y);
    void (*end_page)(struct packing *page); /* rows from next on are bare */
};

/* All languages, and NULL: the build makes the list of `languages` in
 * Makefile.am. */
extern const struct language *const languages_list[];

/* Checks a header, and copies its values into the page. False after an ERROR
 * line: check.c. */
bool packing_accepts(const struct language *language, struct packing *page);

/* Places the page on its sheet: shift, cut, width, height, left, top. False
 * after an ERROR line: place.c. */
bool packing_place(const struct language *language, struct packing *page);

/* Returns the most dots of a row. */
unsigned packing_widest(const struct accepted *accepted);

/* Returns `points` across (0) or down (1) in dots, rounded. */
unsigned packing_dots(const struct packing *page, double points, int down);

/* Return the dots of a whole sheet across, and down; or of the printed area, if
 * that is larger. */
unsigned packing_across(const struct packing *page);
unsigned packing_length(const struct packing *page);

#endif
