/*
 * dots_file.h - writes pages of dots, for the command line tools.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef TOOLS_DOTS_FILE_H
#define TOOLS_DOTS_FILE_H

#include <stdbool.h>
#include <stdint.h>

#include "tools/out_file.h"
#include "tools/png_writer.h"
#include "tools/progress.h"
#include "tools/sizes.h"

#define DOTS_INKS 4 /* at most */

/* A path that ends in ".png" gives a PNG of one page: black and white for one
 * ink, a palette for C, M, Y and for K, C, M, Y. ".pbm", ".pgm", ".pnm" and
 * none give PBM, one page behind the other, for several inks one file each,
 * with
 * "-k", "-c", "-m", "-y" put before the path's extension. "-" is standard
 * output, as PBM of one ink.
 * Drops of several sizes become gray by what they cover: PGM takes the place of
 * PBM, and a PNG of several inks is RGB.
 */
struct dots_file {
    const char *path, *in;
    struct drop_sizes drops;
    struct progress_line *progress; /* says how far a PNG is; or NULL */
    uint32_t inks;                  /* of all pages; 0 before the first */
    uint64_t pages;                 /* that were written */
    char *name[DOTS_INKS];
    struct out_file file[DOTS_INKS]; /* PBM */
    struct png_writer png;
};

/* Prepares the file, which is opened with the first page and must not be `in`.
 * The paths stay the caller's. False after a complaint about the extension. */
bool dots_file_open(struct dots_file *out, const char *path, const char *in,
                    const struct drop_sizes *drops);

/*
 * Writes a page, which has left when this returns, if it goes to standard
 * output or a device: files get their names by dots_file_close().
 *
 *   dots  [height][inks][ht_row_bytes()]  as ht_engine_collect() gives them
 *   inks  1; 3 = C, M, Y; or 4 = K, C, M, Y
 *   dpi   across and down, for a PNG; 0 = unknown
 *
 * False after a complaint about the file that cannot be written, or that cannot
 * have this page.
 */
bool dots_file_write(struct dots_file *out, const uint8_t *dots, uint32_t width,
                     uint32_t height, uint32_t inks, const double dpi[2]);

/* Closes the files; if that fails, after a complaint, or not `ok`, regular
 * files are as they were. Returns whether all is well. */
bool dots_file_close(struct dots_file *out, bool ok);

#endif
