/*
 * cups_packer.h - dots packed by one of CUPS's filters, a process of its own.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef PRINTER_APP_CUPS_PACKER_H
#define PRINTER_APP_CUPS_PACKER_H

#include <stdbool.h>

#include <pappl/pappl.h>

#include "page/packer.h"
#include "printer-app/families/family.h"

struct cups_packer {
    struct packer packer;
    char ppd[CHOICE_MAX_PATH]; /* a temporary file */
    int output;                /* what the filter writes, to read */
};

/* Whether dots for the family can be packed here: by us, or by a packer
 * of CUPS that is installed. */
bool family_is_packed(const struct family *family);

/* Starts the family's packer, which reads raster of dots for sheets of `media`
 * from `input`, the caller's. False after an ERROR line. */
bool cups_packer_start(struct cups_packer *cups, const struct family *family,
                       const pappl_media_col_t *media, int input);

/* Ends the packer, whose output is not read any more, and waits for it. False
 * after an ERROR line that says how it failed, or in canceled work. */
bool cups_packer_end(struct cups_packer *cups);

#endif
