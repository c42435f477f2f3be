/*
 * lines.cuh - the lines of the state that a keeper carries where inks meet: to
 * the errors come the company of all inks but the first, in one word with them,
 * and the light, doc/dev/halftone.md "State".
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HT_GPU_TDFED_LINES_CUH
#define HT_GPU_TDFED_LINES_CUH

#include "gpu/cuda/tdfed/carry.cuh"

namespace
{

/* As Carrier, with all lines of a task: of each segment those of its inks, and
 * then the light's. */
template <class K> struct Carrier<K, true> {
    static constexpr int EACH = 6; /* words that a lane loads at a time */
    static constexpr int BESIDE = LANES / K::CHUNK, COUNT = BESIDE * EACH;
    static constexpr int FOUND = LANES / COUNT * COUNT; /* by a lane each */

    enum { NONE, ERRORS, LIGHT }; /* what a line is of */

    /* Position of a line; for a lane, its column there. */
    struct Place {
        int at; /* in band.line, the column in chunk 0, of the first row */
        int position; /* of that in the segment, */
        int length;   /* which is so long; 0: no line */
        int down;     /* columns by which the last row's errors are behind */
        int in, out;  /* bytes in Shared: of what the first row inherits, in
                         stage and quarter 0, and of what the last row leaves,
                         in stage 0 */
        int company;  /* words from its error to its company; 0: it has none */
        int kind;     /* NONE, .. */

        __device__ bool has(int columns) const
        {
            return (unsigned)(position + columns) < (unsigned)length;
        }
    };

    int count;
    typename K::Shared &shared;
    const ht_gpu_plan &plan;
    const Task &task;
    const Lane &lane;
    uint32_t *line;
    const int stage; /* bytes from stage 0 to the keeper's */
    const int column_step, last_row;
    const int column; /* of the lane, in a chunk */
    Place own;        /* of line lane.index, if that is below FOUND */
    Place place[EACH];
    uint32_t word[EACH], company[EACH];

    __device__ Carrier(typename K::Shared &shared, int stage,
                       const ht_gpu_plan &plan, const ht_gpu_band &band,
                       const Task &task, const Lane &lane)
        : count((int)(plan.segments * (plan.inks + 1))), shared(shared),
          plan(plan), task(task), lane(lane), line(band.line),
          stage(stage * (int)sizeof(typename K::Stage)),
          column_step(task.left ? -1 : 1), last_row((int)task.rows - 1),
          column(lane.index % K::CHUNK)
    {
        own = place_of(lane.index);
    }

    __device__ int bytes_to(const int *at) const
    {
        return (int)((const char *)at - (const char *)&shared);
    }

    /* Returns where line `i` is. All lanes ask at the same time, each for a
     * line. */
    __device__ Place place_of(int i) const
    {
        const int inks = (int)plan.inks, rows = (int)plan.rows;
        const int segment = i / (inks + 1), rank = i % (inks + 1);
        const bool light = rank == inks;
        const int strip = segment * inks + (light ? 0 : rank);
        const int top = i < count ? strip * rows : 0;
        const int from = __shfl_sync(ALL, lane.first, top);
        const int length = __shfl_sync(ALL, lane.length, top);
        const int down = last_row * K::LAGS.row;
        const int number =
            light ? 2 * (int)plan.planes - 1 : (int)plan.first + rank;

        if (i >= count)
            return {};
        return {number * (int)plan.width + from,
                light ? 0 : -rank * K::LAGS.ink,
                length,
                light ? down + K::LAGS.ink * inks : down + HT_GPU_REACH,
                bytes_to(light ? shared.light[segment * rows]
                               : shared.stage[0].line[top]),
                bytes_to(light ? shared.stage[0].light[segment]
                               : shared.stage[0].line[top]),
                light || rank == 0 ? 0 : (int)((plan.planes - 1) * plan.width),
                light ? LIGHT : ERRORS};
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
            const int bytes = column * (int)sizeof(int);

            place[a] = {__shfl_sync(ALL, mine.at, from) +
                            column_step * position,
                        position,
                        __shfl_sync(ALL, mine.length, from),
                        __shfl_sync(ALL, mine.down, from),
                        __shfl_sync(ALL, mine.in, from) + bytes,
                        __shfl_sync(ALL, mine.out, from) + bytes + stage,
                        __shfl_sync(ALL, mine.company, from),
                        __shfl_sync(ALL, mine.kind, from)};
        }
    }

    __device__ uint32_t *word_at(const Place &place, int columns) const
    {
        return line + (place.at + column_step * columns);
    }

    __device__ int &shared_word(int bytes) const
    {
        return *(int *)((char *)&shared + bytes);
    }

    __device__ void load(int begin)
    {
#pragma unroll
        for (int a = 0; a < EACH; a++) {
            word[a] = company[a] = task.sweep << 16;
            if (place[a].has(begin)) {
                word[a] = load_relaxed(word_at(place[a], begin));
                if (place[a].company != 0)
                    company[a] = load_relaxed(word_at(place[a], begin) +
                                              place[a].company);
            }
        }
    }

    __device__ bool late() const
    {
        uint32_t different = 0;

#pragma unroll
        for (int a = 0; a < EACH; a++)
            different |=
                (word[a] ^ task.sweep << 16) | (company[a] ^ task.sweep << 16);
        return __any_sync(ALL, different > 0xffff);
    }

    /* `quarter`: of the chunk. */
    __device__ int put(int, int quarter) const
    {
        const int ring = quarter * K::CHUNK * (int)sizeof(int);
        int any = 0;

#pragma unroll
        for (int a = 0; a < EACH; a++) {
            const int both = (int)__byte_perm(word[a], company[a], 0x5410);
            const bool light = place[a].kind == LIGHT;
            const int one = light ? (int16_t)word[a] : both;

            any |= one;
            if (place[a].kind != NONE)
                shared_word(place[a].in + (light ? ring : stage)) = one;
        }
        return any;
    }

    __device__ void pass_on(int, int begin) const
    {
        int left[EACH];

#pragma unroll
        for (int a = 0; a < EACH; a++)
            left[a] = place[a].length > 0 ? shared_word(place[a].out) : 0;
#pragma unroll
        for (int a = 0; a < EACH; a++) {
            const int columns = begin - place[a].down;
            uint32_t *const to = word_at(place[a], columns);

            if (!place[a].has(columns))
                continue;
            store_relaxed(to, error_word(left[a], task.sweep + 1));
            if (place[a].company != 0)
                store_relaxed(to + place[a].company,
                              error_word(left[a] >> 16, task.sweep + 1));
        }
    }
};

} // namespace

#endif
