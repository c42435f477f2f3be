/*
 * drops.h - drops of several sizes: which sizes a printer has, read from a
 * file, and how a raster's header passes them on to the packer.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef PAGE_DROPS_H
#define PAGE_DROPS_H

#include <stdbool.h>
#include <stddef.h>

#include <cups/raster.h>

#include "page/choice.h"
#include "halftone/halftone.h"

#define DROPS_SIZES (HT_MAX_LEVELS - 1) /* at most */
#define DROPS_MAX_NAME 64               /* characters, of a printer */
#define DROPS_MAX_LINES 16              /* of a printer in a file */
#define DROPS_MAX_OF_PPD 2048           /* lines */
#define DROPS_MAX_BYTES 65536           /* of a file */

/* Codes of the sizes in the printer's language. */
struct drop_codes {
    unsigned command; /* that chooses them: a byte of the printer's language */
    /* Two bits for each size from 0 on, the lowest first, which stand for it in
     * rows; sizes that there are not have those of the largest. Of more than
     * three sizes four bits each. */
    unsigned codes;
};

/* Codes of a page that has none: ESC/P 2's first sizes, in their order. */
#define DROPS_USUAL                                                            \
    (struct drop_codes)                                                        \
    {                                                                          \
        .command = 16, .codes = 0xe4                                           \
    }

#define DROPS_INKS 4 /* K, C, M and Y */

/* Solids and tones of Gutenprint: ink.h. */
struct drop_tones {
    double solid[DROPS_INKS]; /* area, in pixels full of the largest size; 0:
                                 the printer has no such tones */
    double contrast, brightness, print_gamma, gamma[DROPS_INKS];
    double limit; /* of all inks together, likewise; 0 = none */
};

/* The sizes of a printer on pages of a kind, in the terms of ht_page_t. */
struct drops {
    unsigned dpi[2]; /* across, down; 0: any other */
    bool numbered;   /* pages have this cupsCompression: */
    unsigned number;
    char paper[PPD_MAX_NAME]; /* MediaType of pages; "" = any */
    uint32_t levels, mixed;
    uint16_t area[DROPS_SIZES];
    struct drop_codes codes; /* if they have room for those of K */
    uint8_t code[DROPS_INKS][HT_MAX_LEVELS];
    struct drop_tones tones, gray; /* gray: of pages of K alone */
};

/* Begin with {0}. */
struct printer_drops {
    unsigned count;
    struct drops *at; /* the last that fits a page holds */
};

/*
 * Reads what a file's text says of the printer `name`:
 *
 *   halftone-drops 1
 *   drops NAME ACROSSxDOWN|any AREA,... CODE,... COMMAND MIXED
 *
 * The areas, of 1 to 5 sizes, are percent of the largest, which is 100, and
 * rise; the codes, 1 to 3, or to 15 of more than three sizes, are what rows
 * have for them, and rise; the command is a byte, at least 1; so many of 16
 * pixels are mixed, 0 of more than three sizes. Empty lines and those that
 * begin with '#' say nothing. The first line that fits a page holds. False when
 * it is not so, with the line at fault in `*line`, from 1, or when the printer
 * has more than DROPS_MAX_LINES. `printer->count` is 0 if it has none. Whatever
 * it returned, call drops_free(); likewise below.
 */
bool drops_parse(struct printer_drops *printer, const char *text, size_t size,
                 const char *name, unsigned *line);

/* drops_parse() of rastertohalftone/drops in the data directory. False after an
 * ERROR line, which a printer without drops gets, too. */
bool drops_load(struct printer_drops *printer, const char *name);

/*
 * Reads the PPD's lines, doc/dev/filter.md,
 *
 *   *HalftoneSizes ACROSSxDOWN|any|RESOLUTION[.PAPER]:
 *       "AREA,... CODE,... [SOLIDS GAMMA[:CONTRAST:BRIGHTNESS] GAMMAS LIMIT]"
 *
 *   *HalftoneGutenprintGray: "KCMY [SOLID GAMMA[:CONTRAST:BRIGHTNESS] GAMMA 0]"
 *
 * which mix none. False after an ERROR line, which a PPD without them gets,
 * too.
 */
bool drops_of_queue(struct printer_drops *printer, const struct choices *from);

void drops_free(struct printer_drops *printer); /* leaves {0} */

/* Returns the code of a size, 0 to levels - 1, of an ink: 0..3 = K, C, M, Y. */
uint16_t drops_code(const struct drops *drops, unsigned ink, unsigned size);

/* Returns the smallest size that makes a solid of the ink with a drop on each
 * pixel, to 3 % of a pixel; the largest if none does. */
unsigned drops_of_solid(const struct drops *drops, unsigned ink);

/* Returns the sizes of a page with this header, hostile or not; NULL = none. */
const struct drops *drops_at(const struct printer_drops *printer,
                             const cups_page_header2_t *header);

/* Index into cupsInteger, which PWG raster leaves free: 1 if dots of one bit
 * are drops_of_solid(), else the largest. */
#define DROPS_ARE_SOLID 11

/* Writes the codes into a header, in fields that PWG raster leaves free. */
void drops_set(cups_page_header2_t *header, const struct drop_codes *codes);

/* Reads the codes; false if the header has numbers that drops_set() never
 * writes. */
bool drops_get(const cups_page_header2_t *header, struct drop_codes *codes);

#endif
