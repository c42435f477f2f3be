/*
 * fake_diffuse.c - the calls of gpu/cuda/plan.c, done by the reference at once.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "gpu/cuda/band.h"
#include "gpu/cuda/tdfed/lookup.h"
#include "halftone/definition.h"
#include "halftone/sizes.h"
#include "halftone/together.h"
#include "test/gpu/fake_cuda.h"

void ht_gpu_plan_make(struct ht_gpu_plan *plan, uint32_t swath)
{
    plan->meets = plan->meets && plan->inks > 1;
    plan->rows = swath == 0 ? 32 : swath;
    plan->segments = plan->tasks = plan->at_once = plan->pages = 1;
    plan->swath_log2 = 0;
    while (plan->swath_log2 < 31 && 1u << plan->swath_log2 != swath)
        plan->swath_log2++;
}

cudaError_t ht_gpu_prepare(const struct ht_gpu_plan *plan)
{
    (void)plan;
    return cudaSuccess;
}

uint32_t ht_gpu_sweeps(const struct ht_gpu_plan *plan, uint32_t rows)
{
    return (rows + plan->rows - 1) / plan->rows;
}

static int16_t threshold_of(const struct ht_gpu_entry *entry,
                            const struct ht_gpu_band *band)
{
    int tone = band->tone == NULL ? (int16_t)(entry->threshold_tone >> 16) : 0;

    return (int16_t)((int16_t)entry->threshold_tone + 1 + tone);
}

/* Makes the table again from what the kernels would get. */
static void decode(struct ht_table *table, const struct ht_gpu_band *band)
{
    memcpy(table->pattern, band->pattern, sizeof table->pattern);
    for (unsigned i = 0; i < HT_LEVELS; i++) {
        const struct ht_gpu_entry *entry = &band->entries[i];
        struct ht_weights *w = &table->level[i];

        const int feedback = (int32_t)entry->right_feedback >> 16;

        w->weight[0] = (int16_t)entry->right_feedback;
        w->feedback = (int16_t)(feedback < 0 ? 0 : feedback);
        w->weight[1] = (int16_t)(entry->other_minus1 >> 16);
        w->weight[2] = (int16_t)entry->other_minus1;
        w->column[1] = -1;
        w->column[2] = (int8_t)(int16_t)entry->column_noise;
        w->noise = (int16_t)(entry->column_noise >> 16);
        w->t_upper = threshold_of(entry, band);
        w->t_lower = threshold_of(entry + HT_LEVELS, band);
    }
}

/* Room for rows [width] of an ink, and for dots. */
struct room {
    int16_t *tone, *error, *below, *aside;
    int16_t *state; /* [planes][width]: V of inks 1, 2, .., and U */
    uint8_t *level, *unseen, *white, *took; /* took [planes][width] */
    struct ht_together together;            /* if plan->meets */
};

static bool make_room(struct room *room, const struct ht_gpu_plan *plan)
{
    const size_t width = plan->width, planes = plan->planes;

    *room = (struct room){.tone = calloc(width, sizeof(int16_t)),
                          .error = calloc(width, sizeof(int16_t)),
                          .below = calloc(width, sizeof(int16_t)),
                          .aside = calloc(width, sizeof(int16_t)),
                          .state = calloc(planes * width, sizeof(int16_t)),
                          .level = calloc(width, 1),
                          .unseen = calloc(width, 1),
                          .white = calloc(width, 1),
                          .took = calloc(planes, width)};
    return room->tone && room->error && room->below && room->aside &&
           room->state && room->level && room->unseen && room->white &&
           room->took &&
           (!plan->meets ||
            ht_together_init(&room->together, &plan->meeting, plan->planes,
                             plan->width, room->state,
                             room->state + (planes - 1) * width));
}

static void free_room(struct room *room)
{
    ht_together_free(&room->together);
    free(room->tone);
    free(room->error);
    free(room->below);
    free(room->aside);
    free(room->state);
    free(room->level);
    free(room->unseen);
    free(room->white);
    free(room->took);
}

/* Copies between a line of the band and a row of the state. */
static void get_line(int16_t *to, const uint32_t *line, size_t count)
{
    for (size_t x = 0; x < count; x++)
        to[x] = (int16_t)line[x];
}

static void put_line(uint32_t *line, const int16_t *from, size_t count)
{
    for (size_t x = 0; x < count; x++)
        line[x] = (line[x] & 0xffff0000u) | (uint16_t)from[x];
}

static bool is_diffused(const struct ht_gpu_plan *plan, uint32_t ink)
{
    return ink >= plan->first && ink < plan->first + plan->inks;
}

/* Diffuses a row of an ink; of an ink that is left out a white one, which
 * leaves no error. */
static void diffuse_ink(const struct ht_scan *scan,
                        const struct ht_place *place,
                        const struct ht_gpu_plan *plan,
                        const struct ht_gpu_band *band, uint32_t row,
                        uint32_t ink, struct room *room)
{
    const size_t width = scan->width, pixels = scan->sizes.levels > 2 ? 4 : 8;
    const size_t dot_bytes = (width + pixels - 1) / pixels;
    const size_t step = (size_t)band->row_step * plan->planes * width;
    const bool here = is_diffused(plan, ink);
    const uint8_t *level =
        here ? band->level + row * step + ink * width : room->white;
    const uint8_t *next = !here                  ? room->white
                          : row + 1 < band->rows ? level + step
                                                 : band->below + ink * width;
    uint32_t *line = band->line + ink * width;

    ht_tones_from_samples(level, 8, scan->width, room->tone, room->level);
    if (here && band->tone != NULL)
        memcpy(room->tone, band->tone + row * step + ink * width,
               width * sizeof *room->tone);
    memset(room->error, 0, width * sizeof *room->error);
    if (here)
        get_line(room->error, line, width);
    struct ht_row diffused = {
        .copy = ht_copy_of_ink(ink, plan->planes),
        .tone = room->tone,
        .level = level,
        .error = room->error,
        .below = room->below,
        .dots =
            band->dots == NULL || !here
                ? room->unseen
                : band->dots + ((size_t)row * plan->planes + ink) * dot_bytes,
        .ink = ink,
        .left_out = ht_size_left_out(ink, plan->planes, plan->sizes.levels),
        .next = next,
        .aside = room->aside,
        .took = room->took + ink * width,
        .inks = plan->meets ? &room->together : NULL};
    ht_diffuse_row(scan, place, &diffused);
    if (here)
        put_line(line, room->below, width);
}

static void diffuse_row(const struct ht_scan *scan,
                        const struct ht_gpu_plan *plan,
                        const struct ht_gpu_band *band, uint32_t row,
                        struct room *room)
{
    struct ht_place place = {band->row + row, 0};
    uint64_t first = band->row >> plan->swath_log2;

    place.shift = band->shifts[(place.row >> plan->swath_log2) - first];
    if (plan->meets)
        ht_together_begin(&room->together);
    for (uint32_t ink = 0; ink < plan->planes; ink++)
        diffuse_ink(scan, &place, plan, band, row, ink, room);
    if (plan->meets)
        ht_together_end(&room->together);
}

/* Some lines of a band, one behind the other, and where the state has them. */
struct lines {
    uint32_t first, count;
    int16_t *state; /* NULL: errors */
};

/* Finds the lines of the inks that are diffused: errors, company of each but
 * the first of them, light. Returns how many kinds there are. */
static int find_lines(const struct ht_gpu_plan *plan, const struct room *room,
                      struct lines lines[3])
{
    const size_t width = plan->width, planes = plan->planes;

    lines[0] = (struct lines){plan->first, plan->inks, NULL};
    lines[1] = (struct lines){plan->planes + plan->first, plan->inks - 1,
                              room->state + plan->first * width};
    lines[2] = (struct lines){2 * plan->planes - 1, 1,
                              room->state + (planes - 1) * width};
    return plan->meets ? 3 : 1;
}

/* Returns whether the first sweep inherits all words of some lines. */
static bool is_due(const struct ht_gpu_plan *plan,
                   const struct ht_gpu_band *band, const struct lines *lines)
{
    const size_t begin = (size_t)lines->first * plan->width;
    const size_t end = begin + (size_t)lines->count * plan->width;

    for (size_t i = begin; i < end; i++)
        if (band->line[i] >> 16 != (band->sweep & 0xffff))
            return false;
    return true;
}

static void number_lines(const struct ht_gpu_plan *plan,
                         const struct ht_gpu_band *band,
                         const struct lines *lines)
{
    const size_t begin = (size_t)lines->first * plan->width;
    const size_t end = begin + (size_t)lines->count * plan->width;
    uint32_t sweep = band->sweep + ht_gpu_sweeps(plan, band->rows);

    for (size_t i = begin; i < end; i++)
        band->line[i] = sweep << 16 | (band->line[i] & 0xffff);
}

static cudaError_t diffuse_band(const struct ht_gpu_plan *plan,
                                const struct ht_gpu_band *band,
                                struct room *room)
{
    uint32_t swath = plan->swath_log2 == 31 ? 0 : 1u << plan->swath_log2;
    struct ht_table table = {.pattern = {0}};
    struct ht_scan scan = {&table, plan->width, swath, plan->segment,
                           plan->sizes};
    struct lines lines[3];
    const int kinds = find_lines(plan, room, lines);
    const size_t width = plan->width;

    decode(&table, band);
    for (int i = 0; i < kinds; i++) {
        if (!is_due(plan, band, &lines[i]))
            return cudaErrorLaunchFailure;
        if (lines[i].state != NULL)
            get_line(lines[i].state, band->line + lines[i].first * width,
                     lines[i].count * width);
    }
    for (uint32_t row = 0; row < band->rows; row++)
        diffuse_row(&scan, plan, band, row, room);
    for (int i = 0; i < kinds; i++) {
        if (lines[i].state != NULL)
            put_line(band->line + lines[i].first * width, lines[i].state,
                     lines[i].count * width);
        number_lines(plan, band, &lines[i]);
    }
    return cudaSuccess;
}

cudaError_t ht_gpu_diffuse(const struct ht_gpu_plan *plan,
                           const struct ht_gpu_band *band, cudaStream_t stream)
{
    struct room room;
    cudaError_t error = !make_room(&room, plan) ? cudaErrorMemoryAllocation
                        : !fake_is_selected(stream)
                            ? cudaErrorInvalidResourceHandle
                            : diffuse_band(plan, band, &room);

    free_room(&room);
    return error;
}
