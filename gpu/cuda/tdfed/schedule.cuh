/*
 * schedule.cuh - TDFED's schedule: the task that a ticket stands for, and the
 * pixels that each lane does of it.
 *
 * Tickets go through a band sweep by sweep, and through a sweep by groups of
 * segments. A team that has a ticket does that task from end to end; it may
 * wait only for tasks of smaller tickets (gpu/cuda/line.cuh), so none can wait
 * for ever.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HT_GPU_TDFED_SCHEDULE_CUH
#define HT_GPU_TDFED_SCHEDULE_CUH

#include "gpu/cuda/tdfed/tape.cuh"
#include "halftone/definition.h"

namespace
{

constexpr int MOST_ROWS = 4; /* of a sweep */

/* Columns that a row's lane is behind the lane of the row above, and where inks
 * meet an ink's behind the lane of the ink before; and columns that the last
 * lane goes beyond the end of its segment. */
struct Lags {
    int row, ink, beyond;
};

/* Lags for a number that is used `delay` pixels after its shuffle. */
__host__ __device__ constexpr Lags lags_of(int delay)
{
    return {HT_GPU_REACH + 1 + delay, 0, 1};
}

/* Lags for up to `inks` inks that meet, together.cuh: a row waits for the light
 * of the last ink of the row above, and four columns at a time are written and
 * read. */

__host__ __device__ constexpr Lags lags_together(int inks)
{
    return {2 * inks + HT_GPU_REACH, 2, 2};
}

static_assert(HT_GPU_PAD >= MOST_ROWS * lags_together(MOST_INKS).row +
                                HT_MAX_INKS * lags_together(MOST_INKS).ink +
                                (STAGES + 2) * ROW_CHUNK,
              "lanes that have not begun or have ended read in the padding");

/* ---- A lane ------------------------------------------------------------- */

/* The strip and the row of a lane. Lanes of a warp are [segments][inks][rows];
 * a `position` counts columns from the segment's first one in scan
 * direction. */
struct Lane {
    int index;
    int row;          /* of the sweep */
    int rank;         /* of its ink, among the inks that are diffused */
    int strip;        /* of the task */
    int lag, top_lag; /* steps before it begins, and before its strip's first
                         row does */
    bool works;       /* false: it has no row or no segment */
    int step;         /* +1 going right, -1 going left */
    int first;        /* column */
    int length;       /* of the segment, columns; 0: none */
    const uint8_t *level; /* of column 0 */
    const int16_t *tone;
    const uint8_t *below;  /* levels of the row below */
    const uint16_t *spans; /* where drops have several sizes */
    uint32_t noise_line;   /* ht_noise_line() */
    int ink;
    int line;             /* of column `first` in the error lines */
    uint32_t pattern_row; /* its first word in the shared pattern */
    uint32_t invert; /* all ones if the ink sees the pattern inverted, else 0 */
    int pattern_shift; /* added to a column: where the ink sees the pattern */
    uint32_t *dots;    /* word of column 0; NULL: no dots wanted */
    int dots_bit; /* column 0's bit there, from the left of the first byte */

    __device__ int column(int position) const
    {
        return first + step * position;
    }

    __device__ int line_at(int position) const
    {
        return line + step * position;
    }

    __device__ bool has(int position) const
    {
        return (unsigned)position < (unsigned)length;
    }

    /* Returns whether positions begin..begin+count-1 lie inside the segment,
     * away from the pixels that share less (Tables::write, set_edge()). */
    __device__ bool interior(int begin, int count) const
    {
        return begin >= HT_GPU_REACH && begin + count < length;
    }
};

/* The rows of a sweep in `plan.segments` neighbouring segments, all inks. */
struct Task {
    uint64_t row;     /* of its first row, counted from the pre-roll's start */
    uint32_t in_band; /* rows of the band above it */
    uint32_t rows;    /* 1..plan.rows */
    uint32_t sweep;   /* number, of the page's sweeps */
    uint32_t swath;   /* S */
    uint32_t index;   /* of the sweep's tasks */
    uint32_t shift;   /* where the swath's cuts begin, as in struct ht_place */
    bool left;        /* goes from right to left */
};

/* Returns the task of a ticket, which is below the band's number of tasks. */
__device__ Task find_task(const ht_gpu_plan &plan, const ht_gpu_band &band,
                          uint32_t ticket)
{
    uint32_t above = ticket / plan.tasks; /* sweeps of the band above it */
    Task task;

    task.index = ticket % plan.tasks;
    task.in_band = above * plan.rows;
    task.row = band.row + task.in_band;
    task.rows = min(plan.rows, band.rows - task.in_band);
    task.sweep = band.sweep + above;
    uint64_t swath = task.row >> plan.swath_log2;
    task.swath = (uint32_t)swath;
    task.shift = band.shifts[swath - (band.row >> plan.swath_log2)];
    task.left = swath & 1;
    return task;
}

/* Finds columns *begin..*end-1 of segment `index` of a swath; none if the swath
 * has no such segment. */
__device__ void find_segment(const ht_gpu_plan &plan, const Task &task,
                             uint32_t index, int *begin, int *end)
{
    uint64_t from = 0, behind = plan.width;

    if (plan.segment != 0)
        behind = ht_cut(plan.segment, task.shift, task.swath, index);
    if (index > 0)
        from = plan.segment != 0
                   ? ht_cut(plan.segment, task.shift, task.swath, index - 1)
                   : behind;
    *begin = (int)min(from, (uint64_t)plan.width);
    *end = (int)min(behind, (uint64_t)plan.width);
}

/* Returns where this lane works, of a task. A lane without a row or a segment
 * gets samples that it may read, and no dots. SIZES: drops have several. */
template <bool SIZES>
__device__ Lane find_lane(const ht_gpu_plan &plan, const ht_gpu_band &band,
                          const Task &task, const Lags &lags)
{
    Lane lane;
    int begin, end;

    lane.index = threadIdx.x % LANES;
    lane.strip = lane.index / plan.rows;
    lane.row = lane.index % plan.rows;
    lane.rank = lane.strip % plan.inks;
    const int ink = (int)plan.first + lane.rank;
    const int copy = (int)ht_copy_of_ink((uint32_t)ink, plan.planes);
    lane.top_lag = lane.rank * lags.ink;
    lane.lag = lane.top_lag + lane.row * lags.row;
    lane.ink = ink;
    find_segment(plan, task,
                 task.index * plan.segments + lane.strip / plan.inks, &begin,
                 &end);
    bool has_segment = lane.strip < plan.segments * plan.inks && begin < end;
    lane.works = has_segment && lane.row < (int)task.rows;
    lane.length = has_segment ? end - begin : 0;
    lane.step = has_segment && task.left ? -1 : 1;
    lane.first = !has_segment ? 0 : task.left ? end - 1 : begin;
    lane.line = ink * (int)plan.width + lane.first;

    size_t row = task.in_band + (lane.works ? lane.row : 0);
    size_t plane = row * band.row_step * plan.planes + ink;
    lane.level = band.level + plane * plan.width;
    lane.tone = band.tone + plane * plan.width;
    lane.below = row + 1 < band.rows
                     ? lane.level + band.row_step * plan.planes * plan.width
                     : band.below + (size_t)ink * plan.width;
    if (SIZES)
        lane.spans =
            band.spans + (row * plan.planes + ink) * (size_t)plan.width;
    lane.noise_line = ht_noise_line(task.row + lane.row, (uint32_t)ink);

    uint32_t pattern_row =
        (uint32_t)task.row + lane.row + copy / 2 * HT_PATTERN_DOWN;
    lane.pattern_row = pattern_row % HT_PATTERN_SIZE * (HT_PATTERN_SIZE / 32);
    lane.pattern_shift = copy / 2 * HT_PATTERN_RIGHT + 4 * HT_GPU_PAD;
    lane.invert = copy % 2 ? ALL : 0;

    const uint32_t row_bytes =
        SIZES ? (plan.width + 3) / 4 : (plan.width + 7) / 8;
    size_t byte = (row * plan.planes + ink) * row_bytes;
    lane.dots = lane.works && band.dots != NULL
                    ? (uint32_t *)band.dots + byte / 4
                    : NULL;
    lane.dots_bit = byte % 4 * 8;
    return lane;
}

/* Returns how many chunks a task has: until the last lane is far enough beyond
 * its segment, and at least STAGES. So a feeder that has fed a task has passed
 * all gates of the task before: it may write over that task's edges
 * (lookup.cuh), and no warp waits for the feeder while the feeder waits at
 * `heard`. */
template <int CHUNK>
__device__ int count_chunks(const ht_gpu_plan &plan, const Lane &lane,
                            const Lags &lags)
{
    int longest = lane.length;

    for (int lanes = LANES / 2; lanes > 0; lanes /= 2)
        longest = max(longest, __shfl_xor_sync(ALL, longest, lanes));
    int lag = ((int)plan.rows - 1) * lags.row + ((int)plan.inks - 1) * lags.ink;

    return max((longest + lags.beyond + lag + CHUNK - 1) / CHUNK, STAGES);
}

} // namespace

#endif
