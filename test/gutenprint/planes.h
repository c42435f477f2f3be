/*
 * planes.h - how the decoders write dots: for each ink the line
 * "INK X Y ACROSS DOWN WIDTH HEIGHT" and HEIGHT rows of a byte a dot, its code.
 * The first dot lies X and Y dots, of ACROSS x DOWN an inch, from the origin of
 * the decoder.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef TEST_GUTENPRINT_PLANES_H
#define TEST_GUTENPRINT_PLANES_H

#include <stdio.h>

static inline void planes_put(const char *ink, int x, int y, int across,
                              int down, int width, int height,
                              const unsigned char *dots)
{
    printf("%s %d %d %d %d %d %d\n", ink, x, y, across, down, width, height);
    fwrite(dots, (size_t)width, (size_t)height, stdout);
}

#endif
