/*
 * source.h - reads PPDs: files, and those that CUPS offers by a name.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef PPD_CONVERT_SOURCE_H
#define PPD_CONVERT_SOURCE_H

#include <stddef.h>

#include <cups/cups.h>
#include <cups/ppd.h>

#define SOURCE_WHY 256
#define SOURCE_MOST (16 << 20) /* bytes; the largest PPDs have 2 MiB */

/* Reads a file, which may be compressed by gzip, "-" for standard input, or, if
 * there is no such file, what cups-driverd has by that name, as "lpinfo -m"
 * lists it. Returns bytes that the caller frees; NULL with the reason. */
char *source_read(const char *name, size_t *size, char why[SOURCE_WHY]);

/* Reads what cups-driverd has by that name, and never a file of that name. */
char *source_read_listed(const char *name, size_t *size, char why[SOURCE_WHY]);

/* Has libcups read a PPD; close with ppdClose(). NULL with the reason. */
ppd_file_t *source_open(const char *bytes, size_t size, char why[SOURCE_WHY]);

#endif
