/*
 * progress.h - says on a terminal how far a command is, once it takes long.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef TOOLS_PROGRESS_H
#define TOOLS_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

struct progress_line {
    const char *what;
    double begun, next; /* seconds; when the line is to be written */
    uint64_t from;      /* done when this part began; UINT64_MAX = unknown */
    bool written;       /* the line is on the terminal */
};

/* Begins; where standard error is no terminal, nothing is ever written.
 * `what`, such as a file, has to last until progress_end(). */
void progress_begin(struct progress_line *line, const char *what);

/* Goes on with the same patience to the next part of the work, whose time is
 * its own; NULL is allowed here and below. */
void progress_part(struct progress_line *line, const char *what);

/* Writes, after two seconds and then several times a second, that `done` of
 * `all` rows or the like are done, and how long the others will take. Calls in
 * between cost next to nothing. */
void progress_show(struct progress_line *line, uint64_t done, uint64_t all);

/* Wipes the line off, before anything else is written; it may come again. */
void progress_end(struct progress_line *line);

#endif
