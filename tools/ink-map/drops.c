/*
 * drops.c - maps of drops of several sizes.
 *
 * The maps get the same rows and hand on the same sums in the same order, but
 * one after the other: a row of sums waits until the last map has added to it.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "tools/ink-map/drops.h"

#define WHOLE 16384u /* the weight of a whole dot */

/* Rows of sums of a size of windows that wait: more than a map hands on at a
 * time, which are those of two batches and some at the page's end. */
#define WAITING 256u

/* The map of drops that are at least of a size. */
struct level {
    struct ink_drops *drops;
    struct ink_map *map;
    unsigned weight;
};

struct ink_drops {
    struct ink_map_job job; /* the caller's */
    struct level level[INK_DROPS_SIZES];
    uint64_t *sums[INK_MAP_SIZES]; /* [WAITING][across.places] */
};

static void take(void *context, unsigned size, uint32_t row,
                 const uint64_t *sums)
{
    const struct level *level = context;
    struct ink_drops *drops = level->drops;
    const uint32_t places = drops->job.size[size].across.places;
    uint64_t *all = drops->sums[size] + (size_t)(row % WAITING) * places;

    if (level == drops->level)
        memset(all, 0, places * sizeof *all);
    for (uint32_t i = 0; i < places; i++)
        all[i] += level->weight * sums[i];
    if (level != &drops->level[INK_DROPS_SIZES - 1])
        return;
    for (uint32_t i = 0; i < places; i++)
        all[i] = (all[i] + WHOLE / 2) / WHOLE;
    drops->job.take(drops->job.context, size, row, all);
}

static bool open_level(struct ink_drops *drops, unsigned number,
                       unsigned weight)
{
    struct level *level = &drops->level[number];
    struct ink_map_job job = drops->job;

    *level = (struct level){.drops = drops, .weight = weight};
    job.take = take;
    job.context = level;
    job.device = NULL;
    return ink_map_open(&level->map, &job);
}

bool ink_drops_open(struct ink_drops **out, const struct ink_map_job *job,
                    const double area[INK_DROPS_SIZES])
{
    struct ink_drops *drops = calloc(1, sizeof *drops);
    unsigned before = 0;
    bool ok = drops != NULL;

    if (ok)
        drops->job = *job;
    for (unsigned i = 0; ok && i < job->sizes; i++) {
        drops->sums[i] = calloc((size_t)WAITING * job->size[i].across.places,
                                sizeof *drops->sums[i]);
        ok = drops->sums[i] != NULL;
    }
    for (unsigned i = 0; ok && i < INK_DROPS_SIZES; i++) {
        const unsigned whole = (unsigned)(area[i] * WHOLE + 0.5);

        assert(whole >= before);
        ok = open_level(drops, i, whole - before);
        before = whole;
    }
    if (ok)
        *out = drops;
    else
        ink_drops_close(drops);
    return ok;
}

/* Makes a plane of the drops that are larger than `size`. */
static void make_plane(const uint16_t *sizes, uint32_t pixels, unsigned size,
                       uint8_t *plane)
{
    memset(plane, 0, ((size_t)pixels + 7) / 8);
    for (uint32_t x = 0; x < pixels; x++)
        if (sizes[x] > size)
            plane[x / 8] |= (uint8_t)(0x80 >> x % 8);
}

void ink_drops_count(struct ink_drops *drops, const uint16_t *sizes)
{
    const uint32_t pixels = drops->job.size[0].across.pixels;

    for (unsigned i = 0; i < INK_DROPS_SIZES; i++) {
        struct ink_map *map = drops->level[i].map;
        uint8_t *const *planes = ink_map_row(map);

        for (uint32_t k = 0; k < drops->job.inks; k++)
            make_plane(sizes + (size_t)k * pixels, pixels, i, planes[k]);
        ink_map_count(map);
    }
}

uint64_t ink_drops_dots(const struct ink_drops *drops, uint32_t ink)
{
    uint64_t all = 0;

    for (unsigned i = 0; i < INK_DROPS_SIZES; i++)
        all += drops->level[i].weight * ink_map_dots(drops->level[i].map, ink);
    return (all + WHOLE / 2) / WHOLE;
}

void ink_drops_close(struct ink_drops *drops)
{
    if (drops == NULL)
        return;
    for (unsigned i = 0; i < INK_DROPS_SIZES; i++)
        ink_map_close(drops->level[i].map);
    for (unsigned i = 0; i < INK_MAP_SIZES; i++)
        free(drops->sums[i]);
    free(drops);
}
