/*
 * pose.c - poses, one after the other, and what EXIF says of them.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <stdbool.h>
#include <string.h>

#include "printer-app/picture/pose.h"

#define MIRRORS (POSE_LEFT | POSE_UP)

unsigned pose_of_exif(unsigned orientation)
{
    static const unsigned poses[] = {0,
                                     0,
                                     POSE_LEFT,
                                     POSE_LEFT | POSE_UP,
                                     POSE_UP,
                                     POSE_ACROSS,
                                     POSE_ACROSS | POSE_LEFT,
                                     POSE_ACROSS | POSE_LEFT | POSE_UP,
                                     POSE_ACROSS | POSE_UP};

    return orientation <= 8 ? poses[orientation] : 0;
}

unsigned pose_of_angle(int64_t degrees)
{
    return degrees == 90    ? POSE_ACROSS | POSE_UP
           : degrees == 180 ? POSE_LEFT | POSE_UP
           : degrees == 270 ? POSE_ACROSS | POSE_LEFT
                            : 0;
}

unsigned pose_then(unsigned first, unsigned second)
{
    unsigned mirrors = first & MIRRORS;

    if ((second & POSE_ACROSS) != 0)
        mirrors = (mirrors & POSE_LEFT ? POSE_UP : 0) |
                  (mirrors & POSE_UP ? POSE_LEFT : 0);
    return (mirrors ^ (second & MIRRORS)) | ((first ^ second) & POSE_ACROSS);
}

/* ---- EXIF ---------------------------------------------------------------- */

#define TAG_ORIENTATION 0x0112
#define TYPE_SHORT 3
#define ENTRY_BYTES 12

struct tiff {
    const uint8_t *data;
    size_t size;
    bool big; /* the first byte of a number counts most */
};

/* The number of `bytes` at `at`, which is inside. */
static uint32_t number(const struct tiff *tiff, size_t at, size_t bytes)
{
    uint32_t value = 0;

    for (size_t i = 0; i < bytes; i++)
        value = value << 8 | tiff->data[at + (tiff->big ? i : bytes - 1 - i)];
    return value;
}

/* Looks through the folder at `at`. */
static unsigned orientation_in(const struct tiff *tiff, size_t at)
{
    if (at > tiff->size || tiff->size - at < 2)
        return 1;

    size_t entries = number(tiff, at, 2);

    for (at += 2; entries > 0 && tiff->size - at >= ENTRY_BYTES;
         entries--, at += ENTRY_BYTES)
        if (number(tiff, at, 2) == TAG_ORIENTATION) {
            const uint32_t value = number(tiff, at + 8, 2);

            return number(tiff, at + 2, 2) == TYPE_SHORT &&
                           number(tiff, at + 4, 4) == 1 && value >= 1 &&
                           value <= 8
                       ? value
                       : 1;
        }
    return 1;
}

unsigned pose_exif(const uint8_t *data, size_t size)
{
    static const uint8_t name[6] = "Exif\0";
    struct tiff tiff = {.data = data, .size = size};

    if (size >= sizeof name && memcmp(data, name, sizeof name) == 0) {
        tiff.data += sizeof name;
        tiff.size -= sizeof name;
    }
    if (tiff.size < 8 || (memcmp(tiff.data, "II*\0", 4) != 0 &&
                          memcmp(tiff.data, "MM\0*", 4) != 0))
        return 1;
    tiff.big = tiff.data[0] == 'M';
    return orientation_in(&tiff, number(&tiff, 4, 4));
}
