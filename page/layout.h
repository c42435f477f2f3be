/*
 * layout.h - which raster pages are accepted, and how their samples and dots
 * lie.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef PAGE_LAYOUT_H
#define PAGE_LAYOUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cups/raster.h>

#include "page/frame.h"
#include "page/paper.h"
#include "halftone/halftone.h"

#define LAYOUT_PLANAR_MIB 256u /* of a page that has to be held whole */
#define LAYOUT_WHY 128         /* bytes of a message, why a page is refused */

/* Bytes of bare paper that may leave where lines are missing: a header costs
 * its sender nothing. */
#define LAYOUT_MOST_PAPER ((uint64_t)1 << 30)

/* How one page's samples and dots lie in their lines. */
struct layout {
    const char *space;   /* "K", "CMYK", ... for messages */
    const char *letters; /* of the inks, in the order of the samples */
    uint32_t width, height;
    uint32_t dpi[2]; /* across and down the page */
    uint32_t inks;
    uint32_t bits;      /* of a sample: 8 or 16; 1 = dots already, 2 = drops of
                           several sizes, which layout_of() refuses */
    bool additive;      /* the samples are light: full = bare paper */
    cups_order_t order; /* of the samples */
    size_t line_bytes;  /* in; one plane's line when planar */
    size_t lines;       /* in: height, times inks when planar */
    struct frame frame; /* of the lines: a sheet whose raster is a part of it */
    float
        box[4]; /* points: what the lines cover, if that was changed; else 0 */
    /* Engine ink i is sample `channel[i]`: the darkest ink first. */
    uint8_t channel[HT_MAX_INKS];
    bool pwg;                /* out: in the forms of PWG raster */
    bool white_dots;         /* out: 1 = bare paper */
    cups_cspace_t out_space; /* out */
    bool chunked;            /* out: the inks' bits of a pixel together */
    bool black_first;        /* out: KCMY of CMYK */
    uint32_t dot_bits;       /* out: 1, or 2 of drops of several sizes */
    size_t out_line_bytes;   /* out, all inks; one plane's when planar */
    size_t out_lines;        /* out: `lines` of dots that came as dots, else
                                height */
};

/*
 * Checks the header against what is accepted (doc/dev/filter.md) and fills
 * `*layout`, but for what leaves; no memory is taken for a page before this.
 * False with the reason in `why`.
 */
bool layout_read(struct layout *layout, const cups_page_header2_t *header,
                 char why[LAYOUT_WHY]);

/*
 * Does layout_read() and fills in what leaves. `banded` asks for banded dots
 * whatever the order of the samples is; pages of dots of several inks then have
 * to come banded. `pwg` asks for what PWG raster can hold. False after an ERROR
 * line.
 */
bool layout_of(struct layout *layout, const cups_page_header2_t *header,
               bool banded, bool pwg);

/* Has a page of CMYK leave as KCMY, which is banded: for packers that take CMYK
 * for one ink. Pages of other inks stay as they are. False after an ERROR line
 * for one of dots, which leaves as it comes. */
bool layout_put_black_first(struct layout *layout);

/* Has a page of tones leave as drops of several sizes, which are banded. Pages
 * of dots stay as they are. False after an ERROR line for PWG raster. */
bool layout_put_sizes(struct layout *layout);

/*
 * Surrounds a picture, as imagetoraster makes it, with bare paper up to the
 * area of the sheet that can be printed: packers print what they get from the
 * upper left corner of that. There a page begins that does not say where it
 * does. Other pages, and pictures on other sheets, stay as they are.
 */
void layout_on_sheet(struct layout *layout, const cups_page_header2_t *header,
                     const struct paper *paper);

/* Makes the page bare paper: none of its lines comes. */
void layout_blank(struct layout *layout);

#endif
