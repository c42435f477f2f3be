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

static bool read_header(FILE *file, char kind, int *width, int *height)
{
    int full = 255;

    return getc(file) == 'P' && getc(file) == kind &&
           read_number(file, width) && read_number(file, height) &&
           (kind == '4' || read_number(file, &full)) && full == 255 &&
           *width >= 1 && *width <= MAX_SIDE && *height >= 1 &&
           *height <= MAX_SIDE;
}

/* The rows of a file whose header has been read. */
static bool read_rows(FILE *file, char kind, struct plane *plane)
{
    size_t width = (size_t)plane->width;
    size_t bytes = kind == '4' ? (width + 7) / 8 : width;
    uint8_t *row = train_alloc(bytes, 1), *to = plane->value;
    bool ok = true;

    for (int y = 0; ok && y < plane->height; y++, to += width) {
        ok = fread(row, 1, bytes, file) == bytes;
        for (size_t x = 0; x < width; x++)
            to[x] = kind == '4' ? row[x / 8] >> (7 - x % 8) & 1
                                : (uint8_t)(255 - row[x]);
    }
    free(row);
    return ok;
}

static bool read_plane(struct plane *out, const char *path, char kind)
{
    FILE *file = fopen(path, "rb");
    int width, height;

    if (file == NULL) {
        perror(path);
        return false;
    }
    bool ok = read_header(file, kind, &width, &height);
    if (ok) {
        *out = plane_new(width, height);
        ok = read_rows(file, kind, out);
        if (!ok)
            plane_free(out);
    }
    fclose(file);
    if (!ok)
        fprintf(stderr, "%s: not a whole P%c file of 8 bits\n", path, kind);
    return ok;
}

bool plane_read_pbm(struct plane *out, const char *path)
{
    return read_plane(out, path, '4');
}

bool plane_read_pgm(struct plane *out, const char *path)
{
    return read_plane(out, path, '5');
}

static bool write_plane(const struct plane *plane, const char *path, char kind)
{
    FILE *file = fopen(path, "wb");
    size_t width = (size_t)plane->width;
    size_t bytes = kind == '4' ? (width + 7) / 8 : width;
    const uint8_t *from = plane->value;

    if (file == NULL) {
        perror(path);
        return false;
    }
    uint8_t *row = train_alloc(bytes, 1);
    fprintf(file, "P%c\n%d %d\n%s", kind, plane->width, plane->height,
            kind == '4' ? "" : "255\n");
    for (int y = 0; y < plane->height; y++, from += width) {
        memset(row, 0, bytes);
        for (size_t x = 0; x < width; x++)
            if (kind == '5')
                row[x] = (uint8_t)(255 - from[x]);
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
    return write_plane(dots, path, '4');
}

bool plane_write_pgm(const struct plane *tones, const char *path)
{
    return write_plane(tones, path, '5');
}
