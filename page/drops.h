/*
 * drops.h - drops of several sizes: what a raster's header says of them to
 * whoever packs its dots, in fields that PWG raster leaves free.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef PAGE_DROPS_H
#define PAGE_DROPS_H

#include <stdbool.h>

#include <cups/raster.h>

#define DROPS_SIZES 3u /* at most, beside none */

/* What a printer calls its sizes. */
struct drop_codes {
    unsigned command; /* that chooses them: a byte of the printer's language */
    /* Two bits for each size from 0 on, the lowest first, which stand for it in
     * rows; sizes that there are not have those of the largest. */
    unsigned char codes;
};

/* As a page has it that says nothing: ESC/P 2's first sizes, in their order. */
#define DROPS_USUAL                                                            \
    (struct drop_codes)                                                        \
    {                                                                          \
        .command = 16, .codes = 0xe4                                           \
    }

/* Writes the codes into a header. */
void drops_set(cups_page_header2_t *header, const struct drop_codes *codes);

/* Reads them; false where numbers are none that drops_set() writes. */
bool drops_get(const cups_page_header2_t *header, struct drop_codes *codes);

#endif
