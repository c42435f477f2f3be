/*
 * family.h - the printers that the application knows, by what they understand:
 * a file of families/ has those of a language, or of a maker's languages.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef PRINTER_APP_FAMILY_H
#define PRINTER_APP_FAMILY_H

#include <stdbool.h>
#include <stddef.h>

#include "printer-app/ipp/labels.h"

#define FAMILY_RESOLUTIONS 3

/* Kind of printer, which decides about the dots. */
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
    const char *writer; /* that packs its dots (page/pack/writer.h); NULL: only
                           the packer does, or it takes PWG raster */
    /* CUPS's filter that packs them where it is installed, and what it is told:
     * the number of a model, and cupsCompression and cupsRowCount of pages.
     * NULL = none. */
    const char *packer;
    const char *drops; /* the printer's name in halftone/tables/drops; NULL = of
                          one size */
    unsigned model, compression, rows;
    unsigned dpi[FAMILY_RESOLUTIONS]
                [2];            /* across, down, in rising order; 0 ends
                                 */
    int left_right, bottom_top; /* 1/100 mm where it cannot print */
    /* The largest sheet of a job's own, as IPP names it; NULL = as others. */
    const char *largest;
    /* Choices that the language has; the first is the usual one. */
    const struct family_paper *sources, *types;
    const struct label_kind *labels; /* NULL: prints none */
};

/*
 * An identification that names a family. Patterns of fnmatch(), in any case,
 * with '|' between them; NULL = whatever it is. A model has a space before and
 * behind it, so that patterns can ask for its first and last word.
 */
struct family_rule {
    const char *family;   /* of this file; NULL: none can print it */
    const char *commands; /* one of its languages is this, */
    const char *unless;   /* and none is that */
    const char *maker, *model, *uri;
};

/* Definitions in a file of families/. */
struct families {
    const struct family *family;
    size_t count;
    const struct family_rule *rule;
    size_t rules;
};

#define FAMILIES(list, by)                                                     \
    {                                                                          \
        list, sizeof list / sizeof list[0], by, sizeof by / sizeof by[0]       \
    }

/* A driver for the file's `labels` at one resolution. */
#define FAMILY_OF_LABELS(driver, printers, type, language, n)                  \
    {                                                                          \
        .name = driver "-" #n, .description = printers ", " #n " dpi",         \
        .kind = FAMILY_LABEL, .labels = &labels, .format = type,               \
        .writer = language, .dpi = {{n, n}}, .sources = family_one_roll,       \
        .types = family_labels                                                 \
    }

/*
 * Definitions of all files, and NULL at the end. The build makes the list of
 * `families` in the Makefile, in that order. The first rule that fits an
 * identification is taken, so a family that knows a printer better stands
 * before others.
 */
extern const struct families *const families_list[];

/* Paper that several have. */
extern const struct family_paper family_one_source[], family_one_roll[],
    family_plain[], family_labels[];

/* Returns a family by its number, from 0; NULL = there are no more. */
const struct family *family_at(size_t number);

/* Returns the family of the name; NULL = none. */
const struct family *family_named(const char *name);

#endif
