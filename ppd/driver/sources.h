/*
 * sources.h - what the PPDs of CUPS are made of: driver programs, .drv files,
 * and the folders of PPD files, which together are one source.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DRIVER_SOURCES_H
#define DRIVER_SOURCES_H

#include <stdbool.h>
#include <stddef.h>

#include "ppd/driver/stamp.h"

struct source {
    char *path; /* of the program or .drv file; "" = the folders of files */
    char now[STAMPS][STAMP_BYTES];
    char stamp[STAMP_BYTES]; /* with which its lines were judged; "" = never */
    char *lines;             /* of PPDs that can be converted; NULL = none */
    size_t size;             /* of them, in bytes */
};

struct sources {
    struct source *list;
    size_t count;
};

/* Finds those that there are, not ours and no program that asks printers: the
 * files first, then .drv files, then programs, by name. False without memory
 * or open files; free in any case. */
bool sources_find(struct sources *sources);
void sources_free(struct sources *sources);

/* The source with this path, or NULL. */
struct source *sources_with(const struct sources *sources, const char *path,
                            size_t length);

/* Whether it is now as it was when its lines were judged, so that they hold. */
bool source_is_judged(const struct source *source);

/* Whether CUPS can have such a PPD beside ours. */
bool source_is_other(const char *name);

/* The scheme by which cups-driverd lists the PPDs of a source. */
const char *source_scheme(const char *path);

#endif
