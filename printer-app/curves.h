/*
 * curves.h - the tone curve of a printer, which halftone-curve=default takes:
 * a file in the application's folder (page/curve_file.h).
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef PRINTER_APP_CURVES_H
#define PRINTER_APP_CURVES_H

#include <stdbool.h>
#include <stddef.h>

/* Whether the printer has a curve of its own. */
bool curves_has(const char *printer);

/* Gives the printer the curve `text`, which a job reads wholly or not at all.
 * False with errno set. */
bool curves_save(const char *printer, const char *text, size_t size);

/* Takes its curve away; there may be none. False with errno set. */
bool curves_remove(const char *printer);

#endif
