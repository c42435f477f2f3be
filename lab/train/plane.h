/*
 * plane.h - one plane of an image in memory, and its PGM and PBM files.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef TRAIN_PLANE_H
#define TRAIN_PLANE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* value [height][width]: dots are 0 and 1 = ink; tones 0 = bare paper to
 * 255 = solid ink. */
struct plane {
    int width, height;
    uint8_t *value;
};

/* Zeroed; ends the program when memory is out, as all of lab/train/ does. */
struct plane plane_new(int width, int height);
void plane_free(struct plane *plane);
void planes_free(struct plane *planes, int count);

struct plane plane_flat(int width, int height, int tone);

/* Columns x.. and rows y.. of `from`. */
struct plane plane_crop(const struct plane *from, int x, int y, int width,
                        int height);

/* The share of dots. */
double plane_mean(const struct plane *dots);

/* Files: P4 (1 = ink) for dots; P5 with maximum 3 for the numbers of drops'
 * sizes, 0 = none; P5 with maximum 255 for tones, where PGM's 255 is white and
 * becomes tone 0. False and a message on standard error when
 * a file cannot be had or is not of the kind. */
bool plane_read_pbm(struct plane *out, const char *path);
bool plane_read_pgm(struct plane *out, const char *path);
bool plane_read_drops(struct plane *out, const char *path);
bool plane_write_pbm(const struct plane *dots, const char *path);
bool plane_write_pgm(const struct plane *tones, const char *path);
bool plane_write_drops(const struct plane *drops, const char *path);

/* Zeroed memory; ends the program when there is none. */
void *train_alloc(size_t count, size_t size);

#endif
