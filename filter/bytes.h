/*
 * bytes.h - 16 samples of 8 bits at a time, in the compiler's vectors, which
 * become SSE2 or NEON.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef FILTER_BYTES_H
#define FILTER_BYTES_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

typedef uint8_t bytes __attribute__((vector_size(16)));

/* From any address. */
static inline bytes load(const uint8_t *from)
{
    bytes v;

    memcpy(&v, from, sizeof v);
    return v;
}

static inline bool any_bit(bytes v)
{
    uint64_t half[2];

    memcpy(half, &v, sizeof half);
    return (half[0] | half[1]) != 0;
}

#endif
