/*
 * carry.cuh - Floyd-Steinberg's warps that carry: the fetcher brings the lines
 * of the state of the sweep before, word by word (gpu/cuda/line.cuh), the taker
 * takes those of the last row there; and how dots become words of the page.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HT_GPU_FLOYD_CARRY_CUH
#define HT_GPU_FLOYD_CARRY_CUH

#include "gpu/cuda/floyd/tape.cuh"
#include "gpu/cuda/line.cuh"

namespace
{

/* ---- The fetcher and the taker ------------------------------------------- */

/* A word of the state's lines in a piece, [lines][S::PIECE], which lanes take
 * in turn. */
template <class S> struct Word {
    int line, step; /* Common::line, and of the column */

    __device__ explicit Word(int i) : line(i / S::PIECE), step(i % S::PIECE)
    {
    }

    /* Returns the line in the device's memory, from column 0: of the page's
     * lines [2 planes], first those of errors, then those of company of all
     * inks but the first, then the light. */
    __device__ uint32_t *of(const ht_gpu_plan &plan,
                            const ht_gpu_band &band) const
    {
        const uint32_t ink = plan.first + line / 2;
        const uint32_t number = line % 2 == 0 ? ink
                                : line > 1    ? plan.planes + ink - 1
                                              : 2 * plan.planes - 1;

        return band.line + (size_t)number * plan.width;
    }

    /* Returns what a number is kept above its value in shared memory: a float
     * that holds an integer. */
    __device__ float above() const
    {
        return line % 2 == 0 ? NO_ERROR : line > 1 ? NO_COMPANY : 0;
    }
};

/* Returns how many words the lines of a piece have. */
template <class S> __device__ int words_of(const ht_gpu_plan &plan)
{
    return (S::LINES == 1 ? 1 : 2 * (int)plan.inks) * S::PIECE;
}

/* Words of the lines that first rows inherit in a piece; some may still be for
 * an earlier sweep. */
template <class S> struct Inheritance {
    static constexpr int WORDS =
        S::LINES > 1 ? 4 : 1; /* that a lane loads at a time */
    uint32_t word[WORDS];

    /* Loads the words from number `at` on, of the piece whose first step is
     * `first`. */
    __device__ void load(const ht_gpu_plan &plan, const ht_gpu_band &band,
                         const Sweep &sweep, int first, int at)
    {
#pragma unroll
        for (int a = 0; a < WORDS; a++) {
            const Word<S> w(at + a * LANES);
            const int column = first + w.step;

            word[a] = sweep.number << 16;
            if (at + a * LANES < words_of<S>(plan) &&
                (unsigned)column < plan.width)
                word[a] = load_relaxed(w.of(plan, band) + column);
        }
    }

    __device__ bool late(uint32_t number) const
    {
        bool any = false;

#pragma unroll
        for (int a = 0; a < WORDS; a++)
            any |= word[a] - (number << 16) > 0xffff;
        return __any_sync(ALL, any);
    }

    /* Stores the numbers where the first team reads them; returns the inks with
     * an error above LARGE, but for the page's last column. */
    __device__ uint32_t put(S &shared, const ht_gpu_plan &plan, int first,
                            int at) const
    {
        uint32_t large = 0;

#pragma unroll
        for (int a = 0; a < WORDS; a++) {
            const Word<S> w(at + a * LANES);
            const int step = first + w.step, number = (int16_t)word[a];

            if (at + a * LANES >= words_of<S>(plan))
                continue;
            const bool above = w.line % 2 == 0 && abs(number) > LARGE &&
                               step + 1 != (int)plan.width;
            large |= (uint32_t)above << w.line / 2;
            shared.line[0][w.line][step & (RING - 1)] = number + w.above();
        }
        return large;
    }
};

/* Brings the lines above the piece whose first step is `first`, and waits for
 * words that are late, until the host gives up; `line` has loaded the first
 * ones the period before. Returns what put() does. */
template <class S>
__device__ uint32_t bring(S &shared, Inheritance<S> &line,
                          const ht_gpu_plan &plan, const ht_gpu_band &band,
                          const Sweep &sweep, int first)
{
    const int self = threadIdx.x % LANES, count = words_of<S>(plan);
    uint32_t large = 0;

    for (int at = self; at - self < count; at += line.WORDS * LANES) {
        if (at != self)
            line.load(plan, band, sweep, first, at);
        for (unsigned spins = 1; line.late(sweep.number); spins++) {
            if (spins % 1024 == 0 && *(const volatile int *)band.stop)
                shared.stopped = true;
            __syncwarp();
            if (*(volatile bool *)&shared.stopped)
                break;
            line.load(plan, band, sweep, first, at);
        }
        large |= line.put(shared, plan, first, at);
    }
    return large;
}

/* Returns which of BITS bits some lane has set. */
template <int BITS> __device__ uint32_t any_bits(uint32_t bits)
{
    uint32_t any = 0;

#pragma unroll
    for (int i = 0; i < BITS; i++)
        any |= (uint32_t)__any_sync(ALL, bits >> i & 1) << i;
    return any;
}

/* The fetcher's part of a sweep. */
template <class S>
__device__ void fetch_sweep(S &shared, const ht_gpu_plan &plan,
                            const ht_gpu_band &band, const Sweep &sweep)
{
    const int self = threadIdx.x % LANES, pieces = pieces_of(sweep, 0);
    Inheritance<S> line;

    line.load(plan, band, sweep, 0, self);
    next_period();
    for (int n = 0; n < pieces; n++) {
        uint32_t large = bring(shared, line, plan, band, sweep, n * S::PIECE);

        shared.large[n % 2] = any_bits<(S::LINES + 1) / 2>(large);
        line.load(plan, band, sweep, (n + 1) * S::PIECE, self);
        next_period();
    }
    rest(2);
}

/* The taker's part of a sweep: stores in the device's lines what the last row
 * has completed, a piece each period. */
template <class S>
__device__ void take_sweep(const S &shared, const ht_gpu_plan &plan,
                           const ht_gpu_band &band, const Sweep &sweep)
{
    const float(*line)[RING] = shared.line[sweep.teams];
    const int self = threadIdx.x % LANES, count = words_of<S>(plan);
    const int last_lag =
        sweep.last_row * sweep.lag + 1 + (sweep.teams - 1) * sweep.team_pad;
    const int to_place =
        line_lag(sweep.team_rows, sweep.lag) / S::PIECE * S::PIECE;

    rest((sweep.teams - 1) * sweep.team_lag + 3);
    for (int n = 0; n < sweep.pieces; n++) {
        for (int i = self; i < count; i += LANES) {
            const Word<S> w(i);
            const int step = n * S::PIECE + w.step, column = step - last_lag;

            /* MAGIC above its value, whose low half is 0, a number has its
             * integer in the low half. */
            float number = line[w.line][(step - to_place) & (RING - 1)] +
                           (MAGIC - w.above());
            if ((unsigned)column < plan.width)
                store_relaxed(
                    w.of(plan, band) + column,
                    error_word((int)__float_as_uint(number), sweep.number + 1));
        }
        next_period();
    }
}

/* ---- Dots --------------------------------------------------------------- */

/* Adds to the page's words the dots of a lane's columns x..x+31, the leftmost
 * in bit 31; `before` are those of the 32 columns before. The word of the page
 * that begins among those is whole now, and stored. Other lanes may add to the
 * same word. Dots outside the page are left out of both. */
__device__ void put_dots(const Lane &lane, int x, uint32_t before,
                         uint32_t dots)
{
    const int bit = lane.dots_bit + x;
    const uint32_t word = __funnelshift_r(dots, before, bit & 31);

    if (word != 0 && lane.dots != NULL)
        atomicOr(lane.dots + (bit >> 5), __byte_perm(word, 0, 0x0123));
}

/* Returns the dots of columns x..x+31 that are in the page. */
__device__ uint32_t in_page(const Lane &lane, int x, uint32_t dots)
{
    const int inside = min(max(lane.width - x, 0), 32);

    return dots & __funnelshift_lc(0, ALL, 32 - inside);
}

} // namespace

#endif
