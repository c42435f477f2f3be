/*
 * kind.h - the kind of printer that a PPD is for: it decides which dots
 * print well.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef PPD_CONVERT_KIND_H
#define PPD_CONVERT_KIND_H

#include <cups/cups.h>
#include <cups/ppd.h>

enum ppd_kind { PPD_UNKNOWN, PPD_INKJET, PPD_LASER, PPD_LABEL };

/* Judges by the driver's last filter; by the model's name where the driver is
 * for several kinds or not known; and printers in black alone by their paper
 * and their default resolution. */
enum ppd_kind ppd_kind_of(ppd_file_t *ppd, const char *filter);

/* "laser printer", ...; static. */
const char *ppd_kind_text(enum ppd_kind kind);

#endif
