/*
 * crew.h - does numbered pieces of work in several threads, while the caller
 * does something else.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef TOOLS_CREW_H
#define TOOLS_CREW_H

#include <stdint.h>

#define CREW_THREADS 64 /* at most */

struct crew;

/* Starts `threads` - 1 helpers, or as many of them as the system allows: the
 * caller is the last thread. NULL without memory. Close with crew_close(). */
struct crew *crew_open(uint32_t threads);

/* Lets the helpers begin with pieces 0 .. count - 1. All that was begun before
 * has to be finished. */
void crew_begin(struct crew *crew, uint32_t count,
                void (*piece)(void *context, uint32_t number), void *context);

/* Helps until all pieces are done; returns at once if none was begun. */
void crew_finish(struct crew *crew);

/* Finishes, and ends the helpers; NULL is allowed. */
void crew_close(struct crew *crew);

#endif
