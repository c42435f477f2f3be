/*
 * fake_diffuse.c - the calls of gpu/plan.c, done by the reference at once.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "gpu/band.h"
#include "halftone/definition.h"
#include "halftone/together.h"
#include "test/fake_cuda.h"

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
static void decode(struct ht_table *table, const struct ht_gpu_plan *plan,
                   const struct ht_gpu_band *band)
{
    memcpy(table->pattern, band->pattern, sizeof table->pattern);
    table->middle = (uint8_t)plan->middle;
    for (unsigned i = 0; i < HT_LEVELS; i++) {
        const struct ht_gpu_entry *entry = &band->entries[i];
        struct ht_weights *w = &table->level[i];

        w->weight[0] = (int16_t)entry->right_avoid;
        w->weight[1] = (int16_t)(entry->other_minus1 >> 16);
        w->weight[2] = (int16_t)entry->other_minus1;
        w->column[1] = -1;
        w->column[2] = (int8_t)(int16_t)entry->column_noise;
        w->avoid = (int16_t)(entry->right_avoid >> 16);
        w->noise = (int16_t)(entry->column_noise >> 16);
        w->t_upper = threshold_of(entry + HT_NO_DOT * HT_LEVELS, band);
        w->t_lower = threshold_of(entry + HT_DOT * HT_LEVELS, band);
    }
}

/* Room for rows [width] of an ink, and for dots. */
struct room {
    int16_t *tone, *error, *below, *before, *aside, *state;
    uint8_t *level, *next, *toned, *unseen;
    struct ht_together together; /* if plan->meets; its state is `state` */
};

static bool make_room(struct room *room, const struct ht_gpu_plan *plan)
{
    const size_t width = plan->width, pairs = ht_pairs(plan->planes);

    *room = (struct room){.tone = calloc(width, sizeof(int16_t)),
                          .error = calloc(width, sizeof(int16_t)),
                          .below = calloc(width, sizeof(int16_t)),
                          .before = calloc(width, sizeof(int16_t)),
                          .aside = calloc(width, sizeof(int16_t)),
                          .state = calloc((pairs + 1) * width, sizeof(int16_t)),
                          .level = calloc(width, 1),
                          .next = calloc(width, 1),
                          .toned = calloc(width, 1),
                          .unseen = calloc(width, 1)};
    return room->tone && room->error && room->below && room->before &&
           room->aside && room->state && room->level && room->next &&
           room->toned && room->unseen &&
           (!plan->meets ||
            ht_together_init(&room->together, &plan->meeting, plan->planes,
                             plan->width, room->state,
                             room->state + pairs * width));
}

static void free_room(struct room *room)
{
    ht_together_free(&room->together);
    free(room->tone);
    free(room->error);
    free(room->below);
    free(room->before);
    free(room->aside);
    free(room->state);
    free(room->level);
    free(room->next);
    free(room->toned);
    free(room->unseen);
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

static void diffuse_ink(const struct ht_scan *scan,
                        const struct ht_place *place,
                        const struct ht_gpu_plan *plan,
                        const struct ht_gpu_band *band, uint32_t row,
                        uint32_t ink, bool last_turn, struct room *room)
{
    const size_t width = scan->width, dot_bytes = (width + 7) / 8;
    const size_t step = (size_t)band->row_step * plan->planes * width;
    const uint8_t *level = band->level + row * step + ink * width;
    uint32_t *line = band->line + ink * width;

    ht_tones_from_samples(level, 8, scan->width, room->tone, room->level);
    if (band->tone != NULL)
        memcpy(room->tone, band->tone + row * step + ink * width,
               width * sizeof *room->tone);
    get_line(room->error, line, width);
    struct ht_row diffused = {
        .copy = ht_copy_of_ink(ink, plan->planes),
        .tone = room->tone,
        .level = level,
        .error = room->error,
        .below = room->below,
        .before = room->before,
        .toned = room->toned,
        .dots =
            band->dots == NULL
                ? room->unseen
                : band->dots + ((size_t)row * plan->planes + ink) * dot_bytes,
        .ink = ink,
        .next = row + 1 < band->rows ? level + step : band->below + ink * width,
        .aside = room->aside,
        .inks = plan->meets ? &room->together : NULL,
        .last_turn = last_turn};
    ht_diffuse_row(scan, place, &diffused);
    put_line(line, room->below, width);
}

static void diffuse_row(const struct ht_scan *scan,
                        const struct ht_gpu_plan *plan,
                        const struct ht_gpu_band *band, uint32_t row,
                        struct room *room)
{
    struct ht_place place = {band->row + row, 0};
    uint64_t first = band->row >> plan->swath_log2;
    uint32_t left = plan->inks;

    place.shift = band->shifts[(place.row >> plan->swath_log2) - first];
    memset(room->before, 0, scan->width * sizeof *room->before);
    memset(room->toned, 0, scan->width);
    if (plan->meets)
        ht_together_begin(&room->together);
    for (uint32_t turn = 0; turn < plan->planes; turn++) {
        uint32_t ink =
            ht_ink_of_turn(turn, plan->planes, ht_swath(scan, &place));

        if (ink >= plan->first && ink < plan->first + plan->inks)
            diffuse_ink(scan, &place, plan, band, row, ink, --left == 0, room);
    }
    if (plan->meets)
        ht_together_end(&room->together);
}

/* Returns whether the first sweep inherits all words of some lines. */
static bool is_due(const struct ht_gpu_plan *plan,
                   const struct ht_gpu_band *band, size_t first, size_t lines)
{
    for (size_t i = first * plan->width; i < (first + lines) * plan->width; i++)
        if (band->line[i] >> 16 != (band->sweep & 0xffff))
            return false;
    return true;
}

/* Returns whether it does so with those of each pair of inks that are diffused,
 * and the light. */
static bool pairs_are_due(const struct ht_gpu_plan *plan,
                          const struct ht_gpu_band *band)
{
    uint8_t pair[HT_MAX_INKS][HT_MAX_INKS];
    const uint32_t end = plan->first + plan->inks;

    ht_number_pairs(plan->planes, pair);
    for (uint32_t i = plan->first; i < end; i++)
        for (uint32_t j = i + 1; j < end; j++)
            if (pair[i][j] != HT_NO_PAIR &&
                !is_due(plan, band, plan->planes + pair[i][j], 1))
                return false;
    return is_due(plan, band, plan->planes + ht_pairs(plan->planes), 1);
}

static void number_lines(const struct ht_gpu_plan *plan,
                         const struct ht_gpu_band *band, size_t first,
                         size_t lines)
{
    uint32_t sweep = band->sweep + ht_gpu_sweeps(plan, band->rows);

    for (size_t i = first * plan->width; i < (first + lines) * plan->width; i++)
        band->line[i] = sweep << 16 | (band->line[i] & 0xffff);
}

static cudaError_t diffuse_band(const struct ht_gpu_plan *plan,
                                const struct ht_gpu_band *band,
                                struct room *room)
{
    uint32_t swath = plan->swath_log2 == 31 ? 0 : 1u << plan->swath_log2;
    struct ht_table table = {.middle = HT_MIDDLE};
    struct ht_scan scan = {&table, plan->width, swath, plan->segment};
    const size_t more = ht_pairs(plan->planes) + 1;
    const size_t words = more * plan->width;
    uint32_t *lines = band->line + (size_t)plan->planes * plan->width;

    decode(&table, plan, band);
    if (!is_due(plan, band, plan->first, plan->inks) ||
        (plan->meets && !pairs_are_due(plan, band)))
        return cudaErrorLaunchFailure;
    if (plan->meets)
        get_line(room->state, lines, words);
    for (uint32_t row = 0; row < band->rows; row++)
        diffuse_row(&scan, plan, band, row, room);
    number_lines(plan, band, plan->first, plan->inks);
    if (plan->meets) {
        put_line(lines, room->state, words);
        number_lines(plan, band, plan->planes, more);
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
