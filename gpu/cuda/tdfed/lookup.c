/*
 * lookup.c - the entries that the kernel looks up, from a tone table; see
 * lookup.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include "gpu/cuda/band.h"
#include "gpu/cuda/tdfed/lookup.h"
#include "halftone/definition.h"
#include "halftone/sizes.h"

_Static_assert(HT_GPU_ENTRIES == HT_GPU_VIEWS * HT_LEVELS,
               "the kernels' own number");

static uint32_t pair(int low, int high)
{
    return (uint32_t)(low & 0xffff) | (uint32_t)(high & 0xffff) << 16;
}

/* Returns whether the weights of the next row, but for straight down, go to
 * column -1 and to at most one other within reach. */
static bool columns_suit(const struct ht_weights *w)
{
    int others = 0;

    for (unsigned k = 1; k < HT_TAPS - 1; k++)
        if (w->weight[k] != 0 && w->column[k] != -1) {
            others++;
            if (w->column[k] < -HT_GPU_REACH || w->column[k] == -3)
                return false;
        }
    return others <= 1;
}

bool ht_gpu_table_suits(const ht_table_t *table, uint32_t inks)
{
    for (unsigned i = 0; i < HT_LEVELS; i++)
        if (!columns_suit(&table->level[i]) ||
            (inks > HT_GPU_FED_INKS && table->level[i].feedback != 0))
            return false;
    return true;
}

static struct ht_gpu_entry entry_of(const struct ht_scan *scan, uint32_t level,
                                    bool pattern, uint32_t bits)
{
    const struct ht_weights *w = &scan->table->level[level];
    const int noise = pattern ? ht_noise_where_begins(&scan->sizes, scan->table,
                                                      (uint8_t)level)
                              : w->noise;
    uint8_t sample = (uint8_t)level, same;
    int16_t tone;
    int minus1 = 0, other = 0, column = 0;

    for (unsigned k = 1; k < HT_TAPS - 1; k++)
        if (w->column[k] == -1) {
            minus1 = w->weight[k];
        } else if (w->weight[k] != 0 || column == 0) {
            other = w->weight[k];
            column = w->column[k];
        }
    ht_tones_from_samples(&sample, 8, 1, &tone, &same);

    int threshold = (pattern ? w->t_lower : w->t_upper) - 1;
    bool forced = !ht_toned((uint8_t)level);
    if (bits == 8)
        threshold -= tone;
    if (forced)
        threshold = level == 0  ? HT_GPU_WHITE
                    : bits == 8 ? HT_GPU_SOLID
                                : HT_GPU_SOLID_16;
    return (struct ht_gpu_entry){
        .threshold_tone = pair(threshold, tone),
        .right_feedback = pair(w->weight[0], forced ? -1 : w->feedback),
        .other_minus1 = pair(other, minus1),
        .column_noise = pair(column, noise)};
}

void ht_gpu_fill_entries(struct ht_gpu_entry *entries,
                         const struct ht_scan *scan, uint32_t bits)
{
    for (uint32_t i = 0; i < HT_GPU_ENTRIES; i++)
        entries[i] = entry_of(scan, i % HT_LEVELS, i / HT_LEVELS != 0, bits);
}
