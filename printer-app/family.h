/*
 * family.h - the printers that the application knows, by what they understand.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef PRINTER_APP_FAMILY_H
#define PRINTER_APP_FAMILY_H

#include <stdbool.h>
#include <stddef.h>

#include "printer-app/labels.h"

#define FAMILY_RESOLUTIONS 3

/* What a printer is, which decides about the dots. */
enum family_kind {
    FAMILY_INKJET, /* TDFED */
    FAMILY_LASER,  /* Screen: steady dots */
    FAMILY_LABEL   /* TDFED, with sharp text */
};

/* A source of paper or a kind of it. */
struct family_paper {
    const char *name; /* IPP's keyword; NULL ends a list */
    unsigned number;  /* what the printer's language calls it, MediaPosition or
                         cupsMediaType of a page; 0 = the printer chooses */
};

struct family {
    const char *name;        /* of the driver, for PAPPL */
    const char *description; /* for people */
    enum family_kind kind;
    bool color; /* has C, M and Y beside K */
    bool duplex;
    const char *format; /* the MIME type of its language */
    const char *writer; /* that packs its dots (pack/writer.h); NULL: only the
                           packer does, or it takes PWG raster */
    /* CUPS's filter that packs them where it is installed, and what it is told:
     * the number of a model, and cupsCompression and cupsRowCount of pages.
     * NULL = none. */
    const char *packer;
    unsigned model, compression, rows;
    unsigned dpi[FAMILY_RESOLUTIONS]
                [2];            /* across, down, in rising order; 0 ends
                                 */
    int left_right, bottom_top; /* 1/100 mm where it cannot print */
    /* The largest sheet of a job's own, as IPP names it; NULL = as others. */
    const char *largest;
    /* What its language can ask for; the first is the usual one. */
    const struct family_paper *sources, *types;
    const struct label_kind *labels; /* NULL: prints none */
};

/* The families, `*count` of them. Static. */
const struct family *families(size_t *count);

/* Returns the family of the name; NULL = none. */
const struct family *family_named(const char *name);

#endif
