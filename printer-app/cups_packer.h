/*
 * packing.h - dots packed by one of CUPS's filters, a process of its own.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef PRINTER_APP_PACKING_H
#define PRINTER_APP_PACKING_H

#include <stdbool.h>

#include <pappl/pappl.h>

#include "page/choice.h"
#include "page/program.h"
#include "printer-app/family.h"

struct packing {
    const struct family *family;
    struct program program;
    char ppd[CHOICE_MAX_PATH]; /* a temporary file */
    int output;                /* what the filter writes, to read */
};

/* Whether the family has a packer, and it is installed. */
bool packing_is_possible(const struct family *family);

/* Whether dots for the family can be packed here at all. */
bool packing_is_known(const struct family *family);

/* Starts the family's packer, which reads raster of dots for sheets of `media`
 * from `input`, the caller's. False after an ERROR line. */
bool packing_start(struct packing *packing, const struct family *family,
                   const pappl_media_col_t *media, int input);

/* Ends the packer, whose output is not read any more, and waits for it. False
 * after an ERROR line that says how it failed, or in canceled work. */
bool packing_end(struct packing *packing);

#endif
