/*
 * picture_icc.c - the color profile that a picture brings along. libjpeg would
 * keep all segments of a file in memory that look like a part of one, and look
 * through all of these for each new one.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "page/color/profile.h"
#include "printer-app/picture/picture_icc.h"

#define MOST_SEGMENTS (1 << 20) /* that are looked through */
#define APP1 0xe1               /* has EXIF data, among others' */
#define APP2 0xe2
#define END 0xd9
#define SCAN 0xda
#define NAME "ICC_PROFILE" /* with its NUL, then a number and how many */
#define HEAD (sizeof NAME + 2)

static void add(struct picture *picture, const void *data, size_t size)
{
    const size_t all = picture->icc_bytes + size;
    uint8_t *more =
        all <= PROFILE_MOST_BYTES ? realloc(picture->icc, all + 1) : NULL;

    picture->icc_damaged = picture->icc_damaged || more == NULL;
    if (more == NULL)
        return;
    memcpy(more + picture->icc_bytes, data, size);
    picture->icc = more;
    picture->icc_bytes = all;
}

void picture_icc_keep(struct picture *picture, const void *icc, size_t size)
{
    picture->icc_bytes = 0;
    add(picture, icc, size);
}

void picture_icc_drop(struct picture *picture)
{
    free(picture->icc);
    picture->icc = NULL;
    picture->icc_bytes = 0;
}

void picture_icc_make(struct picture *picture, const struct color_rgb *rgb)
{
    size_t size;
    uint8_t *icc = color_rgb_icc(rgb, &size);

    if (icc != NULL)
        picture_icc_keep(picture, icc, size);
    picture->icc_damaged = icc == NULL;
    free(icc);
}

/* Reads the next segment; `*size` is 0 for markers that have none. False where
 * there are no more before the first scan. */
static bool next_segment(FILE *file, int *marker, uint8_t data[UINT16_MAX],
                         size_t *size)
{
    int c = getc(file);

    *size = 0;
    if (c != 0xff)
        return false;
    while (c == 0xff)
        c = getc(file);
    *marker = c;
    if (c == EOF || c == SCAN || c == END)
        return false;
    if (c == 0x01 || (c >= 0xd0 && c <= 0xd8))
        return true;
    const int high = getc(file), low = getc(file);
    const size_t length = high >= 0 && low >= 0 ? (size_t)high << 8 | low : 0;

    *size = length >= 2 ? length - 2 : 0;
    return length >= 2 && fread(data, 1, *size, file) == *size;
}

/* A profile on its way. */
struct parts {
    unsigned count, got;
};

static void add_part(struct picture *picture, struct parts *parts,
                     const uint8_t *data, size_t size)
{
    const unsigned number = data[HEAD - 2], count = data[HEAD - 1];

    if (number != ++parts->got || (parts->got > 1 && count != parts->count) ||
        number > count)
        picture->icc_damaged = true;
    parts->count = count;
    if (!picture->icc_damaged)
        add(picture, data + HEAD, size - HEAD);
}

bool picture_icc_of_jpeg(struct picture *picture, FILE *file, unsigned *pose,
                         char why[PICTURE_WHY])
{
    uint8_t *data = malloc(UINT16_MAX);
    struct parts parts = {0};
    bool has_exif = false, is_adobe = false;
    size_t size;
    int marker = 0, left = MOST_SEGMENTS;

    *pose = 0;
    while (data != NULL && left > 0 &&
           next_segment(file, &marker, data, &size)) {
        left--;
        if (marker == APP1 && !has_exif && size > 6 &&
            memcmp(data, "Exif\0", 6) == 0) {
            has_exif = true;
            *pose = pose_of_exif(pose_exif(data, size));
            is_adobe = pose_exif_is_adobe_rgb(data, size);
        }
        if (marker == APP2 && size >= HEAD &&
            memcmp(data, NAME, sizeof NAME) == 0)
            add_part(picture, &parts, data, size);
    }
    picture->icc_damaged = picture->icc_damaged || parts.got != parts.count;
    if (is_adobe && parts.got == 0)
        picture_icc_make(picture, &color_adobe_rgb);
    if (data == NULL || left == 0)
        snprintf(why, PICTURE_WHY, "%s",
                 data == NULL ? "not enough memory"
                              : "it has too many segments");
    free(data);
    return data != NULL && left > 0;
}
