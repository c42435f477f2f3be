/*
 * spool.h - how large documents that wait may be, one and all of them.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef PAPPL_FIXES_SPOOL_H
#define PAPPL_FIXES_SPOOL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define SPOOL_WHY 256                      /* bytes of a reason */
#define SPOOL_DOCUMENT (UINT64_C(1) << 30) /* the limits, if none are set */
#define SPOOL_ALL (UINT64_C(4) << 30)

/* Sets the limits, in bytes. Call it before there are jobs. */
void spool_limit(uint64_t document, uint64_t all);

/* Names the folder of documents that wait. Call it before there are jobs. */
void spool_folder(const char *folder);

/* Whether its disk has room for documents; false with the reason. */
bool spool_has_room(char why[SPOOL_WHY]);

/* A file that grows. */
struct spool_file {
    int fd;
    const char *path;
    uint64_t bytes;    /* that it has */
    uint64_t allowed;  /* that it may have before it is looked at again */
    bool is_too_large; /* itself, not all of them */
};

/* Writes all of it at the file's end. False with the reason. */
bool spool_write(struct spool_file *file, const void *data, size_t bytes,
                 char why[SPOOL_WHY]);

#endif
