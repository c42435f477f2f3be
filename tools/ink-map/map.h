/*
 * map.h - counts the dots of every window of a page by a table of sums: the
 * dots above and left of a point, of which a window takes four (Lee & Choe,
 * "Improved Parallel Image Processing Algorithms by CUDA in GPU Environment").
 *
 * Exact: a window's sides are whole pixels, and its dots are counted to the
 * pixel. The page is divided into places, `step` pixels wide and high, and each
 * has the window about its middle, moved inwards where the page ends. So all
 * windows of a size are equal, and every pixel is in one.
 *
 * The table is needed only where windows begin and end. A row of it is kept,
 * and of the rows at the upper ends of windows that are not done yet only what
 * differs between their sides. So memory does not depend on the page's height.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef INK_MAP_MAP_H
#define INK_MAP_MAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tools/ink-map/count.h"

#define INK_MAP_SIZES 8u    /* of windows */
#define INK_MAP_THREADS 64u /* most */

/* One direction of the windows of a size. */
struct ink_map_axis {
    uint32_t pixels; /* of the page, 1..HT_MAX_HEIGHT */
    uint32_t window; /* pixels, 1..pixels */
    uint32_t step;   /* pixels of a place; the last one may be smaller */
    uint32_t places;
};

/* Returns the axis of windows of so many pixels, of the whole page where it is
 * smaller, ten places to a window where it has as many pixels. */
struct ink_map_axis ink_map_axis(uint32_t pixels, double window);

/* Returns the first pixel of a place's window. */
uint32_t ink_map_begin(const struct ink_map_axis *axis, uint32_t place);

/* Returns the pixels of a place. */
uint32_t ink_map_place(const struct ink_map_axis *axis, uint32_t place);

/* A page, and what is asked of it. */
struct ink_map_job {
    uint32_t inks;    /* 1..INK_MAP_INKS */
    unsigned counted; /* the inks in the windows' sums, bit 0 for ink 0 */
    unsigned threads; /* 1..INK_MAP_THREADS */
    unsigned sizes;   /* 1..INK_MAP_SIZES */
    struct {
        struct ink_map_axis across, down;
    } size[INK_MAP_SIZES];
    /* Takes the sums [across.places] of the windows of a row of places, each
     * row once, those of a size from above to below. */
    void (*take)(void *context, unsigned size, uint32_t row,
                 const uint64_t *sums);
    void *context;
    /* NULL, or counts a batch elsewhere: what ink_gpu_count() promises. Where
     * it fails the processor goes on. */
    bool (*device)(void *device_context, const struct ink_count *count,
                   struct ink_batch *batch);
    void *device_context;
};

struct ink_map;

/* Begins a page. False when there is not enough memory. */
bool ink_map_open(struct ink_map **out, const struct ink_map_job *job);

/* Returns where the next row's dots of the inks go, planes[ink][(pixels+7)/8],
 * the first pixel in the top bit; the bits behind the last pixel have to be
 * 0. */
uint8_t *const *ink_map_row(struct ink_map *map);

/* Counts that row. After the last row all sums have been taken. */
void ink_map_count(struct ink_map *map);

/* Returns the dots of an ink in all rows; after the last one. */
uint64_t ink_map_dots(const struct ink_map *map, uint32_t ink);

/* NULL is allowed. */
void ink_map_close(struct ink_map *map);

#endif
