/*
 * pose.c - poses, one after the other, and what EXIF says of them.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

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

#define TYPE_ASCII 2
#define TYPE_SHORT 3
#define TYPE_LONG 4
#define ENTRY_BYTES 12
#define SRGB 1 /* a color space */

struct tiff {
    const uint8_t *data;
    size_t size;
    size_t folder; /* the first one; 0 = there is none */
    bool big;      /* the first byte of a number counts most */
};

/* The number of `bytes` at `at`, which is inside. */
static uint32_t number(const struct tiff *tiff, size_t at, size_t bytes)
{
    uint32_t value = 0;

    for (size_t i = 0; i < bytes; i++)
        value = value << 8 | tiff->data[at + (tiff->big ? i : bytes - 1 - i)];
    return value;
}

static struct tiff tiff_of(const uint8_t *data, size_t size)
{
    static const uint8_t name[6] = "Exif\0";
    struct tiff tiff = {.data = data, .size = size};

    if (size >= sizeof name && memcmp(data, name, sizeof name) == 0) {
        tiff.data += sizeof name;
        tiff.size -= sizeof name;
    }
    if (tiff.size < 8 || (memcmp(tiff.data, "II*\0", 4) != 0 &&
                          memcmp(tiff.data, "MM\0*", 4) != 0))
        return tiff;
    tiff.big = tiff.data[0] == 'M';
    tiff.folder = number(&tiff, 4, 4);
    return tiff;
}

/* Returns where the folder at `at` has the 4 bytes of the first entry of that
 * tag; 0 = there is none of that type with so many values. */
static size_t entry(const struct tiff *tiff, size_t at, uint32_t tag,
                    uint32_t type, uint32_t count)
{
    if (at == 0 || at > tiff->size || tiff->size - at < 2)
        return 0;

    size_t entries = number(tiff, at, 2);

    for (at += 2; entries > 0 && tiff->size - at >= ENTRY_BYTES;
         entries--, at += ENTRY_BYTES)
        if (number(tiff, at, 2) == tag)
            return number(tiff, at + 2, 2) == type &&
                           number(tiff, at + 4, 4) == count
                       ? at + 8
                       : 0;
    return 0;
}

/* The folder to which an entry of another leads. */
static size_t folder(const struct tiff *tiff, size_t of, uint32_t tag)
{
    const size_t at = entry(tiff, of, tag, TYPE_LONG, 1);

    return at > 0 ? number(tiff, at, 4) : 0;
}

unsigned pose_exif(const uint8_t *data, size_t size)
{
    const struct tiff tiff = tiff_of(data, size);
    const size_t at = entry(&tiff, tiff.folder, 0x0112, TYPE_SHORT, 1);
    const uint32_t value = at > 0 ? number(&tiff, at, 2) : 1;

    return value >= 1 && value <= 8 ? value : 1;
}

bool pose_exif_is_adobe_rgb(const uint8_t *data, size_t size)
{
    const struct tiff tiff = tiff_of(data, size);
    const size_t exif = folder(&tiff, tiff.folder, 0x8769),
                 space = entry(&tiff, exif, 0xa001, TYPE_SHORT, 1),
                 rules = folder(&tiff, exif, 0xa005),
                 name = entry(&tiff, rules, 0x0001, TYPE_ASCII, 4);

    return name > 0 && memcmp(tiff.data + name, "R03", 4) == 0 &&
           (space == 0 || number(&tiff, space, 2) != SRGB);
}
