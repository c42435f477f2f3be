/*
 * layout.h - accepts or refuses raster pages, and arranges their samples and
 * dots.
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
#include "page/ink_set.h"
#include "page/monochrome.h"
#include "page/paper.h"
#include "halftone/halftone.h"

#define LAYOUT_PLANAR_MIB 256u /* of a page that has to be held whole */
#define LAYOUT_WHY 128         /* bytes of a message, why a page is refused */

/* Bytes of bare paper that may leave where lines are missing: a header costs
 * its sender nothing. */
#define LAYOUT_MOST_PAPER ((uint64_t)1 << 30)

/* Arrangement of a page's samples and dots in their lines. */
struct layout {
    const char *space;   /* "K", "CMYK", ... for messages */
    const char *letters; /* of the inks, in the order of the samples; "" of
                            DeviceN, whose inks are those of `set` */
    uint32_t width, height;
    uint32_t dpi[2];    /* across and down the page */
    uint32_t inks;      /* of the samples */
    uint32_t bits;      /* of a sample: 8 or 16; 1 = dots already, 2 and 4 =
                           drops of several sizes, which cannot leave */
    bool additive;      /* the samples are light: full = bare paper */
    cups_order_t order; /* of the samples */
    size_t line_bytes;  /* in; one plane's line when planar */
    size_t lines;       /* in: height, times inks when planar */
    struct frame frame; /* of the lines: a sheet whose raster is a part of it */
    float
        box[4]; /* points: what the lines cover, if that was changed; else 0 */
    /* Engine ink i is sample `channel[i]`: the darkest ink first. */
    uint8_t channel[HT_MAX_INKS];
    const struct monochrome *monochrome; /* four inks become K; NULL = stay */
    struct ink_set set; /* out, and of DeviceN; count 0 = there is none */
    bool shaded;        /* out: inks of the set are made of others */
    uint32_t out_inks;  /* out: the engine's, `inks` but for those of a set */
    uint8_t plane[HT_MAX_INKS]; /* out: where engine ink i leaves */
    bool pwg;                   /* out: in the forms of PWG raster */
    bool white_dots;            /* out: 1 = bare paper */
    cups_cspace_t out_space;    /* out */
    bool chunked;               /* out: the inks' bits of a pixel together */
    uint32_t dot_bits;          /* of the engine's dots: ht_dot_bits() */
    uint32_t out_bits;     /* out, of a dot: 4 for 3, which raster has not */
    size_t out_line_bytes; /* out, all inks; one plane's when planar */
    size_t out_lines;      /* out: `lines` of dots that came as dots, else
                              height */
};

/* Form in which a page is to leave. */
struct leaving {
    bool banded;      /* dots of tones banded, whatever the order of these is;
                         dots of several inks then have to come banded */
    bool pwg;         /* in the forms of PWG raster, which has whole sheets */
    bool black_first; /* CMYK as KCMY, which is banded: for packers that take
                         CMYK for one ink */
    uint32_t sized;   /* tones as drops of several sizes, which are banded:
                         ht_dot_bits() of these; 0 = of one */
    const struct ink_set *set; /* tones as these inks, which are banded; NULL =
                                  the page's */
    bool blank;                /* bare paper: none of the page's lines comes */
    struct paper paper;        /* whose printable area a packer expects */
};

/*
 * Checks the header against what is accepted (doc/dev/filter.md) and fills
 * `*layout`; no memory is taken for a page before this. With `leaving` NULL the
 * layout has nothing of what leaves. A page of DeviceN has the inks that leave,
 * or else those that its first cupsString names. False with the reason in
 * `why`.
 *
 * A picture, as imagetoraster makes it, is surrounded with bare paper: up to
 * the sheet, for PWG raster, or up to the area of `paper` that can be printed.
 * There a page begins that does not say where it does. Other pages, and
 * pictures on other sheets, stay as they are.
 */
bool layout_read(struct layout *layout, const cups_page_header2_t *header,
                 const struct leaving *leaving, char why[LAYOUT_WHY]);

#endif
