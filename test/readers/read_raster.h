/*
 * read_raster.h - reads back a raster that a test or a filter made.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef TEST_READ_RASTER_H
#define TEST_READ_RASTER_H

enum report {
    HEADERS, /* a line for each page */
    FIELDS,  /* every field of every page's header */
    DOTS     /* each ink of each page as PBM, 1 = ink, in the order CMYK */
};

/*
 * Reads the raster in the file `path` to its end and reports on standard
 * output. Returns an exit status: EXIT_FAILURE, after a line on standard
 * error, when the file is no whole raster of at least one page or, for DOTS,
 * a page is not of 1-bit inks.
 */
int read_back(const char *path, enum report report);

#endif
