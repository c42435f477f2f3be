/*
 * lines.cuh - the lines of the state that a keeper carries where inks meet: to
 * the errors come the overlap of each pair of inks and the light,
 * doc/dev/halftone.md "State".
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HT_GPU_TDFED_LINES_CUH
#define HT_GPU_TDFED_LINES_CUH

#include "gpu/tdfed/carry.cuh"

namespace
{

/* Returns the number of a pair of different inks, as ht_number_pairs() does. */
__device__ int number_of_pair(int planes, int i, int j)
{
    const int low = min(i, j), high = max(i, j);
    const int first =
        ht_inks_kept((uint32_t)planes) ? planes - 1 : min(planes - 1, 2);

    return low == 0 ? high - 1 : first + 2 * (low - 1) + high - low - 1;
}

/* A line of a segment: of an ink's turn, 0 = its error, 1.. = its partners. */
struct LineOf {
    int rank, which;
};

/* The lines of each segment. */
struct Lineup {
    int inks, many; /* partners of the inks from the fourth one on */

    /* Returns how many a segment has: errors, light and pairs. */
    __device__ int count() const
    {
        const int few = min(inks, PARTNERS);

        return inks + 1 + few * (few - 1) / 2 + (inks - few) * many;
    }

    /* Returns line `i`, 0..count()-1. The light is that of the first ink. */
    __device__ LineOf line(int i) const
    {
        const int pair = i - inks - 1;

        if (i < inks)
            return {i, 0};
        if (pair < 0)
            return {0, 1};
        if (pair < 3)
            return {pair == 0 ? 1 : 2, pair == 0 ? 1 : pair};
        return {3 + (pair - 3) / many, 1 + (pair - 3) % many};
    }
};

/* As Carrier, with all lines of a task. */
template <class K> struct Carrier<K, true> {
    static constexpr int EACH = 6; /* words that a lane loads at a time */
    static constexpr int BESIDE = LANES / K::CHUNK, COUNT = BESIDE * EACH;
    static constexpr int FOUND = LANES / COUNT * COUNT; /* by a lane each */
    static constexpr int PLACE_BITS = 8; /* of columns in Place::packed */

    /* Where a line is; for a lane, its column there. */
    struct Place {
        int at;       /* in `line`, the column in chunk 0, of the first row */
        int position; /* of that in the segment, */
        int length;   /* which is so long; 0: no line */
        /* Columns that what the last row leaves is behind; and above these
         * PLACE_BITS bytes in Stage::line. Negative: no line. */
        int packed;

        __device__ int down() const
        {
            return packed & ((1 << PLACE_BITS) - 1);
        }

        __device__ int slot() const
        {
            return packed >> PLACE_BITS;
        }

        __device__ bool has(int columns) const
        {
            return (unsigned)(position + columns) < (unsigned)length;
        }
    };

    int count;
    typename K::Stage &stage;
    const ht_gpu_plan &plan;
    const Task &task;
    const Lane &lane;
    uint32_t *line;
    const Lineup lineup;
    const int column_step, last_row;
    const int column; /* of the lane, in a chunk */
    Place own;        /* of line lane.index, if that is below FOUND */
    Place place[EACH];
    uint32_t word[EACH];

    __device__ Carrier(typename K::Stage &stage, const ht_gpu_plan &plan,
                       const ht_gpu_band &band, const Task &task,
                       const Lane &lane)
        : count(0), stage(stage), plan(plan), task(task), lane(lane),
          line(band.line), lineup{(int)plan.inks, PARTNERS - !has_black(plan)},
          column_step(task.left ? -1 : 1), last_row((int)task.rows - 1),
          column(lane.index % K::CHUNK)
    {
        count = (int)plan.segments * lineup.count();
        own = place_of(lane.index);
    }

    __device__ static bool has_black(const ht_gpu_plan &plan)
    {
        return plan.first == 0 && ht_inks_kept(plan.planes) > 0;
    }

    /* Returns the number of a line in the state. */
    __device__ int number_of(const LineOf &of) const
    {
        const int kept = (int)ht_inks_kept(plan.planes);
        const int planes = (int)plan.planes;
        const int ink = ink_of_turn(plan, task, kept, of.rank);

        if (of.which == 0)
            return ink;
        if (of.rank == 0)
            return planes + number_of_pair(planes, planes - 2, planes - 1) + 1;
        const int other = of.which == PARTNERS ? 0 : of.rank - of.which;
        return planes + number_of_pair(planes, ink,
                                       ink_of_turn(plan, task, kept, other));
    }

    /* Returns how many columns a line is behind. */
    __device__ int down_of(const LineOf &of) const
    {
        const int rows = last_row * K::LAGS.row;

        if (of.which == 0)
            return rows + HT_GPU_REACH;
        return of.rank == 0 ? rows + K::LAGS.ink * (int)plan.inks : rows;
    }

    /* Returns where line `i` is. All lanes ask at the same time, each for a
     * line. */
    __device__ Place place_of(int i) const
    {
        const int each = lineup.count();
        const LineOf of = lineup.line(i % each);
        const int strip = i / each * (int)plan.inks + of.rank;
        const int top = i < count ? strip * (int)plan.rows : 0;
        const int from = __shfl_sync(ALL, lane.first, top);
        const int length = __shfl_sync(ALL, lane.length, top);
        const int slot = (int)((const char *)stage.line[of.which][top] -
                               (const char *)stage.line);

        if (i >= count)
            return {0, 0, 0, -1};
        return {number_of(of) * (int)plan.width + from, -of.rank * K::LAGS.ink,
                length, down_of(of) | slot << PLACE_BITS};
    }

    /* Turns to lines first..first+COUNT-1. */
    __device__ void find(int first)
    {
        Place mine = own;

        if (first >= FOUND)
            mine = place_of(first / FOUND * FOUND + lane.index);
#pragma unroll
        for (int a = 0; a < EACH; a++) {
            const int from = first % FOUND + a * BESIDE + lane.index / K::CHUNK;
            const int position = __shfl_sync(ALL, mine.position, from) + column;

            place[a] = {__shfl_sync(ALL, mine.at, from) +
                            column_step * position,
                        position, __shfl_sync(ALL, mine.length, from),
                        __shfl_sync(ALL, mine.packed, from)};
            if (place[a].packed >= 0)
                place[a].packed += column * (int)sizeof(int) << PLACE_BITS;
        }
    }

    __device__ uint32_t *word_at(const Place &place, int columns) const
    {
        return line + (place.at + column_step * columns);
    }

    __device__ int &slot_of(const Place &place) const
    {
        return *(int *)((char *)stage.line + place.slot());
    }

    __device__ void load(int begin)
    {
#pragma unroll
        for (int a = 0; a < EACH; a++) {
            word[a] = task.sweep << 16;
            if (place[a].has(begin))
                word[a] = load_relaxed(word_at(place[a], begin));
        }
    }

    __device__ bool late() const
    {
        uint32_t different = 0;

#pragma unroll
        for (int a = 0; a < EACH; a++)
            different |= word[a] ^ task.sweep << 16;
        return __any_sync(ALL, different > 0xffff);
    }

    __device__ int put(int) const
    {
        int any = 0;

#pragma unroll
        for (int a = 0; a < EACH; a++) {
            const int number = (int16_t)word[a];

            any |= number;
            if (place[a].packed >= 0)
                slot_of(place[a]) = number;
        }
        return any;
    }

    __device__ void pass_on(int, int begin) const
    {
        uint32_t left[EACH];

#pragma unroll
        for (int a = 0; a < EACH; a++)
            left[a] = place[a].packed >= 0
                          ? error_word(slot_of(place[a]), task.sweep + 1)
                          : 0;
#pragma unroll
        for (int a = 0; a < EACH; a++) {
            const int columns = begin - place[a].down();

            if (place[a].has(columns))
                store_relaxed(word_at(place[a], columns), left[a]);
        }
    }
};

} // namespace

#endif
