/*
 * rows.h - rows of dots, packed: 8 a byte, the leftmost in the top bit.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef PACK_ROWS_H
#define PACK_ROWS_H

#include <stdbool.h>
#include <stddef.h>

/* Room for a row of `bytes`, packed in either way. */
#define ROWS_ROOM(bytes) (2 * (bytes))

/* Whether a row of `bytes` bytes, at least one, has no dot. */
bool rows_is_bare(const unsigned char *row, size_t bytes);

/* Packs a row of `size` bytes by TIFF's PackBits to `to`; returns how many
 * bytes it becomes. */
size_t rows_pack(const unsigned char *from, size_t size, unsigned char *to);

/* Packs the differences of a row of `size` bytes from the row before, as HP's
 * PCL 5 does (method 3, delta row); returns how many bytes it becomes, 0 when
 * the rows are equal. */
size_t rows_pack_delta(const unsigned char *from, const unsigned char *before,
                       size_t size, unsigned char *to);

/*
 * Moves the `width` dots of a row by `shift` dots to the right, or to the left
 * if that is negative. Dots that leave [0, width + shift) are dropped; places
 * without a dot and the bits behind the last dot are bare.
 *
 *   from   [(width + 7) / 8]
 *   to     [(width + shift + 7) / 8], another place; width + shift >= 1
 */
void rows_shift(const unsigned char *from, unsigned width, int shift,
                unsigned char *to);

/* Widens a row's dots in place to two bits, 3 for 1. */
void rows_widen(unsigned char *row, unsigned width);

#endif
