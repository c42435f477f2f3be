/*
 * png.c - the checks of PNG's chunks: CRC-32 of name and data.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include "test/fuzz/png.h"

#define PNG_BEGIN 8 /* bytes before the first chunk */

/* PNG's check of a chunk's name and data. */
static uint32_t check_of(const uint8_t *data, size_t size)
{
    uint32_t check = UINT32_MAX;

    for (size_t i = 0; i < size; i++) {
        check ^= data[i];
        for (int bit = 0; bit < 8; bit++)
            check = check >> 1 ^ (check & 1 ? 0xedb88320u : 0);
    }
    return ~check;
}

static uint32_t number_at(const uint8_t *data)
{
    return (uint32_t)data[0] << 24 | (uint32_t)data[1] << 16 |
           (uint32_t)data[2] << 8 | data[3];
}

void png_mend(uint8_t *image, size_t size)
{
    size_t at = PNG_BEGIN;

    if (size < PNG_BEGIN || image[0] != 0x89)
        return;
    while (size - at >= 12 && number_at(image + at) <= size - at - 12) {
        uint32_t length = number_at(image + at);
        uint32_t check = check_of(image + at + 4, (size_t)length + 4);

        at += (size_t)length + 8;
        for (int i = 0; i < 4; i++)
            image[at++] = (uint8_t)(check >> (24 - 8 * i));
    }
}
