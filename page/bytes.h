/*
 * bytes.h - 16 bytes at a time, in the compiler's vectors, which become SSE2 or
 * NEON. A file that defines BYTES before has as many instead: 32 for AVX2.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef PAGE_BYTES_H
#define PAGE_BYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#ifndef BYTES
#define BYTES 16
#endif

typedef uint8_t bytes __attribute__((vector_size(BYTES)));

/* Loads from any address. */
static inline bytes load(const uint8_t *from)
{
    bytes v;

    memcpy(&v, from, sizeof v);
    return v;
}

static inline bool any_bit(bytes v)
{
    uint64_t part[BYTES / 8], any = 0;

    memcpy(part, &v, sizeof part);
    for (unsigned i = 0; i < BYTES / 8; i++)
        any |= part[i];
    return any != 0;
}

/* Finds the next stretch first..end-1 of bytes `mark`, at or behind `*end`, in
 * a row whose other bytes are 0. */
static inline bool find_stretch(const uint8_t *row, size_t width, uint8_t mark,
                                size_t *first, size_t *end)
{
    const uint8_t *begin = memchr(row + *end, mark, width - *end);

    if (begin == NULL)
        return false;
    *first = (size_t)(begin - row);
    begin = memchr(begin, 0, width - *first);
    *end = begin != NULL ? (size_t)(begin - row) : width;
    return true;
}

#endif
