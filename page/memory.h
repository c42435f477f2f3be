/*
 * memory.h - ends the program when no memory is left.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef PAGE_MEMORY_H
#define PAGE_MEMORY_H

#include <stddef.h>

/*
 * Sets whether the program ends if an allocation of the calling thread fails,
 * ours or a library's: with an ERROR line that `needed` completes, and exit
 * status 1. With NULL, as at the beginning, the allocation just fails. Set it
 * only while no page has begun that is not whole. `needed` has to last.
 *
 * Works in programs that malloc.c is a part of.
 *
 * If libcups gets no memory, it silently drops options and parts of a PPD, or
 * crashes.
 */
void memory_insist(const char *needed);

/* Returns `got`, what an allocation of `size` bytes has returned; or ends the
 * program, as memory_insist() has it. */
void *memory_look_at(void *got, size_t size);

#endif
