/*
 * schedule.cuh - which strip a ticket stands for, and where lanes work.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HT_GPU_TDFED_SCHEDULE_CUH
#define HT_GPU_TDFED_SCHEDULE_CUH

#include "gpu/tdfed/tape.cuh"
#include "halftone/definition.h"

namespace
{

constexpr int MOST_ROWS = 4; /* of a strip */

/* Columns that a row runs behind the one above, and an ink behind the other,
 * when so many pixels pass from a shuffle to the use. */
struct Lags {
    int row, ink;
};

__host__ __device__ constexpr Lags lags_of(int delay)
{
    return {HT_GPU_REACH + 1 + delay, 1 + delay};
}

constexpr int MOST_DELAY = 3;
static_assert(HT_GPU_PAD >= MOST_ROWS * lags_of(MOST_DELAY).row +
                                LANES * lags_of(MOST_DELAY).ink +
                                (STAGES + 2) * ROW_CHUNK,
              "lanes that have not begun or have ended read in the padding");

/* ---- A lane ------------------------------------------------------------- */

/* Where a lane works: its stream (one ink of a segment), and its row. */
struct Lane {
    int index;
    int row;          /* of the strip */
    int rank;         /* of its ink's turn among those that are diffused */
    int stream;       /* of the warp */
    int lag, top_lag; /* steps before it begins, and the stream's first row */
    bool works;       /* it has a row and a segment */
    int step;         /* +1 going right, -1 going left */
    int first;        /* column */
    int length;       /* columns; 0: no segment */
    const uint8_t *level; /* of column 0 */
    const int16_t *tone;
    int line;             /* of column `first` in the error lines */
    uint32_t pattern_row; /* its first word */
    uint32_t invert;      /* all ones: the pattern is inverted */
    int pattern_shift;    /* columns */
    uint32_t *dots;       /* the word that column 0 is in; NULL: not wanted */
    int dots_bit;         /* its bit there, from the left of the first byte */

    __device__ int column(int place) const
    {
        return first + step * place;
    }

    __device__ int line_at(int place) const
    {
        return line + step * place;
    }

    __device__ bool has(int place) const
    {
        return (unsigned)place < (unsigned)length;
    }

    /* Whether columns begin..begin+count-1 lie inside the segment, away from
     * where shares have to be kept in. */
    __device__ bool interior(int begin, int count) const
    {
        return begin >= HT_GPU_REACH && begin + count < length;
    }
};

/* A strip of a group of segments. */
struct Strip {
    uint64_t row;     /* the first, counted with the pre-roll */
    uint32_t in_band; /* rows of the band before it */
    uint32_t rows;    /* that it has */
    uint32_t number;  /* of the page's strips */
    uint32_t group;   /* of segments */
    uint32_t shift;   /* the first cut */
    bool left;        /* it runs from right to left */
    bool turned;      /* its inks come in the other order */
};

__device__ Strip find_strip(const ht_gpu_plan &plan, const ht_gpu_band &band,
                            uint32_t ticket)
{
    uint32_t index = ticket / plan.groups;
    Strip strip;

    strip.group = ticket % plan.groups;
    strip.in_band = index * plan.rows;
    strip.row = band.row + strip.in_band;
    strip.rows = min(plan.rows, band.rows - strip.in_band);
    strip.number = band.strip + index;
    uint64_t swath = strip.row >> plan.swath_log2;
    strip.shift = band.shifts[swath - (band.row >> plan.swath_log2)];
    strip.left = swath & 1;
    strip.turned = swath >> 1 & 1;
    return strip;
}

/* Columns begin..end-1 of segment `index`; empty if there is none. */
__device__ void find_segment(const ht_gpu_plan &plan, uint32_t shift,
                             uint32_t index, int *begin, int *end)
{
    uint64_t length = plan.segment, width = plan.width;
    uint64_t behind = (shift ? shift : length) + index * length;
    uint64_t from = index == 0 ? 0 : behind - length;

    *begin = (int)min(from, width);
    *end = (int)min(behind, width);
    if (plan.segment == 0)
        *end = index == 0 ? (int)plan.width : *begin;
}

/* doc/halftone.md "Turns", of the inks that are diffused. */
__device__ int ink_of_turn(const ht_gpu_plan &plan, const Strip &strip,
                           int kept, int rank)
{
    const int first = (int)plan.first, turn = first + rank;

    return strip.turned && turn >= kept
               ? max(first, kept) + first + (int)plan.inks - 1 - turn
               : turn;
}

__device__ Lane place_lane(const ht_gpu_plan &plan, const ht_gpu_band &band,
                           const Strip &strip, const Lags &lags)
{
    Lane lane;
    int begin, end;

    lane.index = threadIdx.x % LANES;
    lane.stream = lane.index / plan.rows;
    lane.row = lane.index % plan.rows;
    lane.rank = lane.stream % plan.inks;
    const int kept = (int)ht_inks_kept(plan.planes);
    const int ink = ink_of_turn(plan, strip, kept, lane.rank);
    const int copy = (int)ht_copy_of_ink((uint32_t)ink, plan.planes);
    lane.top_lag = lane.rank * lags.ink;
    lane.lag = lane.top_lag + lane.row * lags.row;
    find_segment(plan, strip.shift,
                 strip.group * plan.segments + lane.stream / plan.inks, &begin,
                 &end);
    bool has_segment = lane.stream < plan.segments * plan.inks && begin < end;
    lane.works = has_segment && lane.row < (int)strip.rows;
    lane.length = has_segment ? end - begin : 0;
    lane.step = has_segment && strip.left ? -1 : 1;
    lane.first = !has_segment ? 0 : strip.left ? end - 1 : begin;
    lane.line = ink * (int)plan.width + lane.first;

    size_t row = strip.in_band + (lane.works ? lane.row : 0);
    size_t plane = row * band.row_step * plan.planes + ink;
    lane.level = band.level + plane * plan.width;
    lane.tone = band.tone + plane * plan.width;

    uint32_t pattern_row =
        (uint32_t)strip.row + lane.row + copy / 2 * HT_PATTERN_DOWN;
    lane.pattern_row = pattern_row % HT_PATTERN_SIZE * (HT_PATTERN_SIZE / 32);
    lane.pattern_shift = copy / 2 * HT_PATTERN_RIGHT + 4 * HT_GPU_PAD;
    lane.invert = copy % 2 ? ALL : 0;

    size_t byte = (row * plan.planes + ink) * ((plan.width + 7) / 8);
    lane.dots = lane.works && band.dots != NULL
                    ? (uint32_t *)band.dots + byte / 4
                    : NULL;
    lane.dots_bit = byte % 4 * 8;
    return lane;
}

/* Chunks until the last lane is a column behind its segment; never fewer than
 * stages. So a feeder that has fed a strip has passed all gates of the one
 * before: the edges of that (entries.cuh) may be written over, and the others
 * do not wait for the feeder while it waits until they have heard. */
template <int CHUNK>
__device__ int count_chunks(const ht_gpu_plan &plan, const Lane &lane,
                            const Lags &lags)
{
    int longest = lane.length;

    for (int lanes = LANES / 2; lanes > 0; lanes /= 2)
        longest = max(longest, __shfl_xor_sync(ALL, longest, lanes));
    int lag = ((int)plan.rows - 1) * lags.row + ((int)plan.inks - 1) * lags.ink;

    return max((longest + 1 + lag + CHUNK - 1) / CHUNK, STAGES);
}

} // namespace

#endif
