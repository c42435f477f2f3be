/*
 * plane.c - one plane of an image in memory, and its PGM and PBM files.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lab/train/plane.h"

#define MAX_SIDE 32768

void *train_alloc(size_t count, size_t size)
{
    void *memory = calloc(count ? count : 1, size);

    if (memory == NULL) {
        fprintf(stderr, "out of memory\n");
        exit(1);
    }
    return memory;
}

struct plane plane_new(int width, int height)
{
    struct plane plane = {width, height,
                          train_alloc((size_t)width * (size_t)height, 1)};
    return plane;
}

void plane_free(struct plane *plane)
{
    free(plane->value);
    plane->value = NULL;
}

void planes_free(struct plane *planes, int count)
{
    for (int i = 0; i < count; i++)
        plane_free(&planes[i]);
}

struct plane plane_flat(int width, int height, int tone)
{
    struct plane plane = plane_new(width, height);

    memset(plane.value, tone, (size_t)width * (size_t)height);
    return plane;
}

struct plane plane_crop(const struct plane *from, int x, int y, int width,
                        int height)
{
    struct plane plane = plane_new(width, height);

    for (int row = 0; row < height; row++)
        memcpy(plane.value + (size_t)row * (size_t)width,
               from->value + (size_t)(y + row) * (size_t)from->width + x,
               (size_t)width);
    return plane;
}

double plane_mean(const struct plane *dots)
{
    size_t count = (size_t)dots->width * (size_t)dots->height, sum = 0;

    for (size_t i = 0; i < count; i++)
        sum += dots->value[i];
    return (double)sum / (double)count;
}

/* ---- Files ------------------------------------------------------------ */

/* The maxima of PGM files; that of PBM is 1. */
enum { DROPS = 3, TONES = 255 };

static char kind_of(int most)
{
    return most == 1 ? '4' : '5';
}

static bool read_number(FILE *file, int *out)
{
    int c = getc(file), value = 0, digits = 0;

    while (isspace(c) || c == '#') {
        if (c == '#')
            while (c != '\n' && c != EOF)
                c = getc(file);
        c = getc(file);
    }
    for (; isdigit(c) && digits < 7; c = getc(file), digits++)
        value = value * 10 + (c - '0');
    *out = value;
    return digits > 0 && isspace(c);
}

/* `most` is what PGM calls its maximum; 1 is PBM. */
static bool read_header(FILE *file, int most, int *width, int *height)
{
    int full = 1;

    return getc(file) == 'P' && getc(file) == kind_of(most) &&
           read_number(file, width) && read_number(file, height) &&
           (most == 1 || read_number(file, &full)) && full == most &&
           *width >= 1 && *width <= MAX_SIDE && *height >= 1 &&
           *height <= MAX_SIDE;
}

/* The rows of a file whose header has been read. */
static bool read_rows(FILE *file, int most, struct plane *plane)
{
    size_t width = (size_t)plane->width;
    size_t bytes = most == 1 ? (width + 7) / 8 : width;
    uint8_t *row = train_alloc(bytes, 1), *to = plane->value;
    bool ok = true;

    for (int y = 0; ok && y < plane->height; y++, to += width) {
        ok = fread(row, 1, bytes, file) == bytes;
        for (size_t x = 0; x < width; x++)
            to[x] = most == 1       ? row[x / 8] >> (7 - x % 8) & 1
                    : most == TONES ? (uint8_t)(TONES - row[x])
                                    : row[x];
    }
    free(row);
    return ok;
}

static bool read_plane(struct plane *out, const char *path, int most)
{
    FILE *file = fopen(path, "rb");
    int width, height;

    if (file == NULL) {
        perror(path);
        return false;
    }
    bool ok = read_header(file, most, &width, &height);
    if (ok) {
        *out = plane_new(width, height);
        ok = read_rows(file, most, out);
        if (!ok)
            plane_free(out);
    }
    fclose(file);
    if (!ok)
        fprintf(stderr, "%s: not a whole P%c file up to %d\n", path,
                kind_of(most), most);
    return ok;
}

bool plane_read_pbm(struct plane *out, const char *path)
{
    return read_plane(out, path, 1);
}

bool plane_read_pgm(struct plane *out, const char *path)
{
    return read_plane(out, path, TONES);
}

bool plane_read_drops(struct plane *out, const char *path)
{
    return read_plane(out, path, DROPS);
}

static bool write_plane(const struct plane *plane, const char *path, int most)
{
    FILE *file = fopen(path, "wb");
    size_t width = (size_t)plane->width;
    size_t bytes = most == 1 ? (width + 7) / 8 : width;
    const uint8_t *from = plane->value;

    if (file == NULL) {
        perror(path);
        return false;
    }
    uint8_t *row = train_alloc(bytes, 1);
    fprintf(file, "P%c\n%d %d\n", kind_of(most), plane->width, plane->height);
    if (most > 1)
        fprintf(file, "%d\n", most);
    for (int y = 0; y < plane->height; y++, from += width) {
        memset(row, 0, bytes);
        for (size_t x = 0; x < width; x++)
            if (most > 1)
                row[x] = most == TONES ? (uint8_t)(TONES - from[x]) : from[x];
            else if (from[x])
                row[x / 8] |= (uint8_t)(0x80 >> x % 8);
        fwrite(row, 1, bytes, file);
    }
    free(row);

    bool ok = !ferror(file);
    if (fclose(file) != 0 || !ok) {
        perror(path);
        return false;
    }
    return true;
}

bool plane_write_pbm(const struct plane *dots, const char *path)
{
    return write_plane(dots, path, 1);
}

bool plane_write_pgm(const struct plane *tones, const char *path)
{
    return write_plane(tones, path, TONES);
}

bool plane_write_drops(const struct plane *drops, const char *path)
{
    return write_plane(drops, path, DROPS);
}
