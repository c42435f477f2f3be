/*
 * dots_file.h - writes pages of dots, for the command line tools.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef TOOLS_DOTS_FILE_H
#define TOOLS_DOTS_FILE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "tools/sizes.h"

#define DOTS_INKS 4 /* at most */

/* A path that ends in ".png" gives a PNG of one page: black and white for one
 * ink, a palette for C, M, Y and for K, C, M, Y. Any other gives PBM, one page
 * behind the other, for several inks one file each, with "-k", "-c", "-m", "-y"
 * put before the path's extension. "-" is standard output, as PBM of one ink.
 * Drops of several sizes become gray by what they cover: PGM takes the place of
 * PBM, and a PNG of several inks is RGB.
 */
struct dots_file {
    const char *path;
    struct drop_sizes drops;
    uint32_t inks;  /* of all pages; 0 before the first */
    uint64_t pages; /* that were written */
    char *name[DOTS_INKS];
    FILE *file[DOTS_INKS]; /* PBM */
};

/* Prepares the file, which is opened with the first page. The path stays the
 * caller's. */
void dots_file_open(struct dots_file *out, const char *path,
                    const struct drop_sizes *drops);

/*
 * Writes a page, which has left when this returns.
 *
 *   dots  [height][inks][ht_row_bytes()]  as ht_engine_collect() gives them
 *   inks  1; 3 = C, M, Y; or 4 = K, C, M, Y
 *
 * False after a complaint about the file that cannot be written, or that cannot
 * have this page.
 */
bool dots_file_write(struct dots_file *out, const uint8_t *dots, uint32_t width,
                     uint32_t height, uint32_t inks);

/* Closes the files; if that fails, after a complaint, or not `ok`, no regular
 * file is left. Returns whether all is well. */
bool dots_file_close(struct dots_file *out, bool ok);

#endif
