/*
 * cluster.c - measures how dots cling together, and how many bytes they take.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <stdlib.h>

#include "lab/train/cluster.h"

void cluster_measure(const struct plane *dots, double *isolated, double *edges)
{
    int width = dots->width;
    long inked = 0, alone = 0, bare = 0;

    for (int y = 1; y < dots->height - 1; y++) {
        const uint8_t *row = dots->value + (size_t)y * (size_t)width;

        for (int x = 1; x < width - 1; x++) {
            if (!row[x])
                continue;
            int beside =
                row[x - 1] + row[x + 1] + row[x - width] + row[x + width];
            inked++;
            alone += beside == 0;
            bare += 4 - beside;
        }
    }
    *isolated = inked > 0 ? (double)alone / (double)inked : 0;
    *edges = inked > 0 ? (double)bare / (double)inked : 0;
}

/* ---- PackBits --------------------------------------------------------- */

#define PACKET 128 /* most bytes of a packet, repeated or literal */

static uint8_t packed_byte(const uint8_t *row, int width, int byte)
{
    uint8_t bits = 0;

    for (int x = 8 * byte; x < 8 * byte + 8; x++)
        bits = (uint8_t)(bits << 1 | (x < width && row[x]));
    return bits;
}

/* Returns how often the byte at `i` repeats, at most PACKET times. */
static int repeats_at(const uint8_t *packed, int bytes, int i)
{
    int repeats = 1;

    while (repeats < PACKET && i + repeats < bytes &&
           packed[i + repeats] == packed[i])
        repeats++;
    return repeats;
}

static size_t packed_size(const uint8_t *packed, int bytes)
{
    size_t size = 0;
    int literal = 0; /* bytes that wait */

    for (int i = 0; i < bytes;) {
        int repeats = repeats_at(packed, bytes, i);

        if (repeats > 2 || (repeats == 2 && literal == 0)) {
            size += 2;
            literal = 0;
            i += repeats;
        } else {
            size += literal == 0 ? 2 : 1;
            literal = (literal + 1) % PACKET;
            i++;
        }
    }
    return size;
}

size_t cluster_packbits(const struct plane *dots)
{
    int bytes = (dots->width + 7) / 8;
    uint8_t *packed = train_alloc((size_t)bytes, 1);
    size_t size = 0;

    for (int y = 0; y < dots->height; y++) {
        const uint8_t *row = dots->value + (size_t)y * (size_t)dots->width;

        for (int i = 0; i < bytes; i++)
            packed[i] = packed_byte(row, dots->width, i);
        size += packed_size(packed, bytes);
    }
    free(packed);
    return size;
}
