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
/* Lines that begin a statement, of which libcups compares each with all before,
 * unless it is a constraint; PPDs in many languages have some 6,000. */
#define SOURCE_MOST_STATEMENTS 20000
/* Lines of any kind, each of which is held by itself. */
#define SOURCE_MOST_LINES 100000

/* Each function that fails gives the reason, and in errno what was lacking:
 * memory, files, processes. 0 = nothing, there is no such PPD. */

/* Reads a file, which may be compressed by gzip, "-" for standard input, or, if
 * there is no such file, what cups-driverd has by that name, as "lpinfo -m"
 * lists it. Returns bytes that the caller frees, or NULL. */
char *source_read(const char *name, size_t *size, char why[SOURCE_WHY]);

/* Reads what cups-driverd has by that name, and never a file of that name. */
char *source_read_listed(const char *name, size_t *size, char why[SOURCE_WHY]);

/* Opens a PPD with libcups; close with ppdClose(). NULL if libcups cannot read
 * it, or would have to compare too many lines. */
ppd_file_t *source_open(const char *bytes, size_t size, char why[SOURCE_WHY]);

/* The errno of something that was lacking and may be there the next time, or 0,
 * of `error`. */
int source_lack(int error);

#endif
