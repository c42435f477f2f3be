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
#include "test/fake_cuda.h"

void ht_gpu_plan_make(struct ht_gpu_plan *plan, uint32_t swath)
{
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

        w->weight[0] = (int16_t)entry->right_avoid;
        w->weight[1] = (int16_t)(entry->other_minus1 >> 16);
        w->weight[2] = (int16_t)entry->other_minus1;
        w->column[1] = -1;
        w->column[2] = (int8_t)entry->other_column;
        w->avoid = (int16_t)(entry->right_avoid >> 16);
        w->t_upper = threshold_of(entry + HT_NO_DOT * HT_LEVELS, band);
        w->t_lower = threshold_of(entry + HT_DOT * HT_LEVELS, band);
    }
}

static void diffuse_ink(const struct ht_scan *scan,
                        const struct ht_place *place,
                        const struct ht_gpu_band *band, uint32_t inks,
                        uint32_t row, uint32_t ink, int16_t *rows[4],
                        int16_t *before, uint8_t *toned, uint8_t *dots)
{
    size_t width = scan->width;
    size_t plane = ((size_t)row * band->row_step * inks + ink) * width;
    uint32_t *line = band->line + ink * width;

    ht_tones_from_samples(band->level + plane, 8, scan->width, rows[0],
                          (uint8_t *)rows[1]);
    if (band->tone != NULL)
        memcpy(rows[0], band->tone + plane, width * sizeof *rows[0]);
    for (size_t x = 0; x < width; x++)
        rows[2][x] = (int16_t)line[x];
    struct ht_row diffused = {.copy = ht_copy_of_ink(ink, inks),
                              .tone = rows[0],
                              .level = band->level + plane,
                              .error = rows[2],
                              .below = rows[3],
                              .before = before,
                              .toned = toned,
                              .dots = dots};
    ht_diffuse_row(scan, place, &diffused);
    for (size_t x = 0; x < width; x++)
        line[x] = (line[x] & 0xffff0000u) | (uint16_t)rows[3][x];
}

/* Diffuses a band. `rows`, `before`, `toned` and `unseen` are room for rows of
 * samples and of dots. */
static cudaError_t diffuse_band(const struct ht_gpu_plan *plan,
                                const struct ht_gpu_band *band,
                                int16_t *rows[4], int16_t *before,
                                uint8_t *toned, uint8_t *unseen)
{
    size_t width = plan->width, dot_bytes = (width + 7) / 8;
    uint32_t end = plan->first + plan->inks;
    uint32_t swath = plan->swath_log2 == 31 ? 0 : 1u << plan->swath_log2;
    struct ht_table table;
    struct ht_scan scan = {&table, plan->width, swath, plan->segment};

    memset(&table, 0, sizeof table);
    decode(&table, band);
    table.middle = (uint8_t)plan->middle;
    for (size_t i = plan->first * width; i < end * width; i++)
        if (band->line[i] >> 16 != (band->sweep & 0xffff))
            return cudaErrorLaunchFailure;
    for (uint32_t row = 0; row < band->rows; row++) {
        struct ht_place place = {band->row + row, 0};
        uint64_t first = band->row >> plan->swath_log2;

        place.shift = band->shifts[(place.row >> plan->swath_log2) - first];
        memset(before, 0, width * sizeof *before);
        memset(toned, 0, width);
        for (uint32_t turn = 0; turn < plan->planes; turn++) {
            uint32_t ink =
                ht_ink_of_turn(turn, plan->planes, ht_swath(&scan, &place));
            if (ink < plan->first || ink >= end)
                continue;
            size_t plane = (size_t)row * plan->planes + ink;
            uint8_t *dots =
                band->dots == NULL ? unseen : band->dots + plane * dot_bytes;
            diffuse_ink(&scan, &place, band, plan->planes, row, ink, rows,
                        before, toned, dots);
        }
    }
    uint32_t sweep = band->sweep + ht_gpu_sweeps(plan, band->rows);
    for (size_t i = plan->first * width; i < end * width; i++)
        band->line[i] = sweep << 16 | (band->line[i] & 0xffff);
    return cudaSuccess;
}

cudaError_t ht_gpu_diffuse(const struct ht_gpu_plan *plan,
                           const struct ht_gpu_band *band, cudaStream_t stream)
{
    size_t width = plan->width;
    int16_t *rows[4];
    int16_t *before = malloc(width * sizeof *before);
    uint8_t *toned = malloc(width), *unseen = malloc((width + 7) / 8);
    bool room = before != NULL && toned != NULL && unseen != NULL;

    for (int i = 0; i < 4; i++) {
        rows[i] = malloc(width * sizeof *rows[i]);
        room = room && rows[i] != NULL;
    }
    cudaError_t error =
        !room ? cudaErrorMemoryAllocation
        : !fake_is_selected(stream)
            ? cudaErrorInvalidResourceHandle
            : diffuse_band(plan, band, rows, before, toned, unseen);
    for (int i = 0; i < 4; i++)
        free(rows[i]);
    free(before);
    free(toned);
    free(unseen);
    return error;
}
