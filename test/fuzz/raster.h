/*
 * raster.h - raster for targets, of few bytes: most of a header of 1,796 is of
 * no account, and a fuzzer would not know which are.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef FUZZ_RASTER_H
#define FUZZ_RASTER_H

#include <stddef.h>
#include <stdint.h>

#include "page/layout.h"
#include "test/fuzz/run.h"

/* Bytes of the largest raster that is made. */
#define RASTER_MOST (1u << 18)

/*
 * Takes a raster out of a target's input: with an even first byte what follows
 * is one; with an odd one, the next 15 describe pages and the rest fills them.
 * Returns its size; *raster is static or lies in `data`.
 */
size_t raster_of(const uint8_t **raster, const uint8_t *data, size_t size);

/* Begins a run whose pages may have `most` samples: a few bytes may stand for
 * billions. Refuses others where the linker wraps layout_read(). */
void raster_begin(uint64_t most);

/* Fails unless all pages that begin in a raster that we wrote are whole.
 * Returns how many there are. */
unsigned raster_whole_pages(const uint8_t *data, size_t size);

#endif
