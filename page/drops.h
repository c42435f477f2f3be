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
#define DROPS_MAX_LINES 16              /* of a printer */
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

/* The sizes of a printer at a resolution, in the terms of ht_page_t. */
struct drops {
    unsigned dpi[2]; /* across, down; 0: any other */
    uint32_t levels, mixed;
    uint16_t area[DROPS_SIZES];
    struct drop_codes codes;
};

struct printer_drops {
    unsigned count;
    struct drops at[DROPS_MAX_LINES];
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
 * begin with '#' say nothing. False when it is not so, with the line at fault
 * in `*line`, from 1, or when the printer has more than DROPS_MAX_LINES.
 * `printer->count` is 0 if it has none.
 */
bool drops_parse(struct printer_drops *printer, const char *text, size_t size,
                 const char *name, unsigned *line);

/* drops_parse() of rastertohalftone/drops in the data directory. False after an
 * ERROR line, which a printer without drops gets, too. */
bool drops_load(struct printer_drops *printer, const char *name);

/*
 * Reads the PPD's lines, in the words of a file's,
 *
 *   *HalftoneSizes ACROSSxDOWN|any: "AREA,... CODE,..."
 *
 * which mix none. False after an ERROR line, which a PPD without them gets,
 * too.
 */
bool drops_of_queue(struct printer_drops *printer, const struct choices *from);

/* Returns the code of a size, 0 to levels - 1. */
uint16_t drops_code(const struct drops *drops, unsigned size);

/* Returns the sizes at a resolution; NULL = none. */
const struct drops *drops_at(const struct printer_drops *printer,
                             const uint32_t dpi[2]);

/* Writes the codes into a header, in fields that PWG raster leaves free. */
void drops_set(cups_page_header2_t *header, const struct drop_codes *codes);

/* Reads the codes; false if the header has numbers that drops_set() never
 * writes. */
bool drops_get(const cups_page_header2_t *header, struct drop_codes *codes);

#endif
