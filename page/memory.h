/*
 * memory.h - what happens when no memory is left.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef PAGE_MEMORY_H
#define PAGE_MEMORY_H

#include <stddef.h>

/*
 * Says whether an allocation of the calling thread that fails, ours or a
 * library's, ends the program: with an ERROR line that `needed` completes, and
 * exit status 1. NULL, as at the beginning: it does not, and whoever asked for
 * memory gets none. To be set only where no page has been begun that is not
 * whole. `needed` has to last.
 *
 * That holds for programs that malloc.c is a part of.
 *
 * libcups drops options and parts of a PPD, or crashes, where it gets no
 * memory, and tells nobody.
 */
void memory_insist(const char *needed);

/* Returns `got`, what an allocation of `size` bytes has returned; or ends the
 * program, as memory_insist() has it. */
void *memory_look_at(void *got, size_t size);

#endif
