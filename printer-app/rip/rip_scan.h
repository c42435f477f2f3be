/*
 * rip_scan.h - tells scans, and other PDFs whose pictures are finer than the
 * sheet.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef PRINTER_APP_RIP_SCAN_H
#define PRINTER_APP_RIP_SCAN_H

#include <stdbool.h>

#include "printer-app/rip/rip_place.h"

/* Tells whether the PDF at `path` has pictures, and each has more pixels than
 * the sheet, along both sides. Pictures in the midst of a page's commands,
 * which are small, do not count. False for what cannot be read, too. */
bool rip_is_scan(const char *path, const struct rip_sheet *sheet);

#endif
