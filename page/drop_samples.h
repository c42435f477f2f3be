/*
 * drop_samples.h - samples of 16 bits for Gutenprint, the codes of drops, of a
 * row of dots by their sizes.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef PAGE_DROP_SAMPLES_H
#define PAGE_DROP_SAMPLES_H

#include <stdbool.h>
#include <stdint.h>

#include "page/drops.h"
#include "page/layout.h"

#define DROP_SAMPLES_VALUES (1 << 4) /* of a dot of 4 bits */

/* Codes of the values of each plane's dots. */
struct drop_samples {
    const struct layout *page;
    uint16_t code[HT_MAX_INKS][DROP_SAMPLES_VALUES];
};

/* Finds the codes of the page with that header: `page` is its layout, and has
 * banded dots of 1, 2 or 4 bits. An ink of `page->set` has those of K, C, M or
 * Y, whose color it is, and another color those of K: Epson's heads have the
 * same drops for all inks. False after an ERROR line, if `printer` has none. */
bool drop_samples_begin(struct drop_samples *samples,
                        const struct printer_drops *printer,
                        const struct layout *page,
                        const cups_page_header2_t *header);

/* Makes the samples of a line of dots, `inks` of a pixel, at least those of the
 * page; those of inks that it does not have are 0. False after an ERROR line
 * about a size that has no code. */
bool drop_samples_line(const struct drop_samples *samples,
                       const unsigned char *line, uint32_t inks, uint16_t *out);

#endif
