/*
 * dot_sums.h - tables of sums of dots, as the module of an accelerator makes
 * them: between gpu/cuda/ and tools/, which know nothing of each other.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef BASE_DOT_SUMS_H
#define BASE_DOT_SUMS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Symbol of the struct dot_sums that the module exports. */
#define DOT_SUMS_SYMBOL "ht_dot_sums_cuda"

/* The rows that come at once. */
struct dot_rows {
    uint32_t width; /* columns, 1.. */
    uint32_t rows;  /* the most, 1.. */
    uint32_t inks;  /* 1..4 */
    size_t line;    /* bytes of an ink's row, at least (width+7)/8 */
};

struct dot_sums_device;

struct dot_sums {
    const char *version; /* must be this package's own */

    /* Starts a device. NULL with the reason, a static text, in `why`. */
    struct dot_sums_device *(*open)(const struct dot_rows *rows,
                                    const char **why);

    /*
     * Adds dots up. dots [rows][inks][line], the first pixel in the top bit;
     * `rows` at most those of open(); counted: a bit for each ink. Returns a
     * table [rows][pitch] that is valid until the next call: how many dots of
     * the counted inks are above and left of a pixel and on it. NULL if the
     * device has failed; then only close() may follow.
     */
    const uint32_t *(*add)(struct dot_sums_device *device, const uint8_t *dots,
                           uint32_t rows, unsigned counted, size_t *pitch);

    void (*close)(struct dot_sums_device *device); /* NULL is allowed */
};

#endif
