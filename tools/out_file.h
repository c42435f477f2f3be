/*
 * out_file.h - a file that is written whole or not at all.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef TOOLS_OUT_FILE_H
#define TOOLS_OUT_FILE_H

#include <stdbool.h>
#include <stdio.h>

#define OUT_FILES 4 /* that a program may have open at a time */

struct out_file {
    FILE *file;   /* to write to; NULL = not open */
    char *target; /* what the file becomes; NULL = nothing, as what was opened
                     is no regular file */
    char *fresh;  /* the file until then, beside it */
};

/*
 * Opens `path`, "-" for standard output. A regular file stays as it is until
 * out_file_close() puts the new one in its place, with its mode; a link to it
 * stays one, and a link to nothing is refused. `in` is what the program reads,
 * "-" for standard input, or NULL: the same file is refused, by whatever name.
 * Returns NULL, or why not.
 *
 * A signal that ends the program removes what is unfinished.
 */
const char *out_file_open(struct out_file *out, const char *path,
                          const char *in);

/*
 * Closes the file, which takes its place if `ok`; nothing is done if it is not
 * open. Returns NULL, or why not all of it could be written: what was there
 * before is there still.
 */
const char *out_file_close(struct out_file *out, bool ok);

/* Tells whether the name has an extension, and none of `list`, such as
 * "pbm\0pgm\0": upper and lower case are one. "-" has none, nor has a name that
 * begins with its only dot. */
bool out_file_other(const char *path, const char *list);

#endif
