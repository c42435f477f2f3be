/*
 * carry.cuh - Floyd-Steinberg: the warps that carry. Feeders bring
 * samples to a diffusing warp and printers take its dots to the page; the
 * fetcher brings errors from the strip before, and the taker takes them to the
 * next.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HT_GPU_FLOYD_CARRY_CUH
#define HT_GPU_FLOYD_CARRY_CUH

#include "gpu/floyd/samples.cuh"
#include "gpu/line.cuh"

namespace
{

constexpr int PREFETCH_COLUMNS = 512; /* ahead */

/* ---- The feeders -------------------------------------------------------- */

/* A feeder: it fills every second chunk of a team. It prepares one in the
 * period in which the other feeder puts its own into a stage. */
template <bool DEEP, bool LOOKS> struct Feeder {
    Lane lane;
    int from; /* the column of the samples that are on their way */
    Samples<DEEP> samples;
    int content;
    bool ruled; /* some rule in the stage is not 0 */

    __device__ void store(Row *rows, const float *numbers) const
    {
        float4 *to = (float4 *)rows[lane.index];

#pragma unroll
        for (int i = 0; i < CHUNK; i += 4)
            to[i / 4] = {numbers[i], numbers[i + 1], numbers[i + 2],
                         numbers[i + 3]};
    }

    /* Prepares a chunk, and asks for the samples of the next. */
    __device__ void prepare()
    {
        const bool ends = from <= lane.width && from + CHUNK >= lane.width;

        samples.arrange(lane, from);
        content = __any_sync(ALL, samples.some_special()) ? SPECIAL : 0;
        content |= __any_sync(ALL, !samples.white()) ? INKED : 0;
        content |= __any_sync(ALL, ends) ? ENDED : 0;
        from += FEEDERS * CHUNK;
        samples.load(lane, from);
        prefetch(from + PREFETCH_COLUMNS);
    }

    /* Puts the prepared chunk into its stage. */
    __device__ void put(Stage &stage)
    {
        const bool special = content & SPECIAL;
        float tone[CHUNK];

#pragma unroll
        for (int i = 0; i < CHUNK; i++)
            tone[i] = samples.tone_of(i);
        store(stage.tone, tone);
        if (LOOKS || special || ruled) {
            float rule[CHUNK];

#pragma unroll
            for (int i = 0; i < CHUNK; i++)
                rule[i] = rule_of<LOOKS>(samples.level_of(i));
            store(stage.rule, rule);
        }
        ruled = special;
        stage.content = content;
    }

    /* Calls what the lane loads later, a line of 128 bytes at a time. */
    __device__ void prefetch(int column) const
    {
        const uint8_t *at = lane.level + column;

        if (((uint32_t)(uintptr_t)at & 127) < FEEDERS * CHUNK &&
            column < lane.width)
            prefetch_line(at);
    }
};

/* A feeder's part of a strip. */
template <bool DEEP, bool LOOKS>
__device__ void feed_strip(Shared &shared, const ht_gpu_plan &plan,
                           const ht_gpu_band &band, const Strip &strip,
                           int team, int index)
{
    const int begin = team * strip.team_lag + index;
    const int chunks = chunks_of(strip, team);
    Feeder<DEEP, LOOKS> feeder;
    int periods = begin;

    feeder.lane = place_lane(plan, band, strip, team, (int)threadIdx.x % LANES);
    feeder.from = index * CHUNK - feeder.lane.lag;
    feeder.ruled = true;
    for (int column = 0; column < PREFETCH_COLUMNS; column += FEEDERS * CHUNK)
        feeder.prefetch(feeder.from + column);
    feeder.samples.load(feeder.lane, feeder.from);
    feeder.prepare();
    rest(begin);
    for (int n = index; n < chunks; n += FEEDERS, periods += FEEDERS) {
        feeder.put(shared.stage[team][index]);
        next_period();
        feeder.prepare();
        next_period();
    }
    rest(strip.periods - periods);
}

/* ---- The fetcher and the taker ------------------------------------------- */

/* The error line's words [inks][CHUNK] of a chunk go to lanes in turn. */
struct Word {
    int rank, step; /* the ink's among those that are diffused */

    __device__ explicit Word(int i) : rank(i / CHUNK), step(i % CHUNK)
    {
    }

    /* The page's error line, from column 0. */
    __device__ uint32_t *line(const ht_gpu_plan &plan,
                              const ht_gpu_band &band) const
    {
        return band.line + (size_t)(plan.first + rank) * plan.width;
    }
};

/* Errors that the first rows of a chunk inherit, each from the word of its
 * column when that is for the strip. */
template <bool LOOKS> struct Inheritance {
    static constexpr int ERRORS = LOOKS ? 4 : 1; /* that a lane asks for */
    uint32_t word[ERRORS];

    /* Asks for those from `at` on, of the chunk that begins with `first`. */
    __device__ void load(const ht_gpu_plan &plan, const ht_gpu_band &band,
                         const Strip &strip, int first, int at)
    {
#pragma unroll
        for (int a = 0; a < ERRORS; a++) {
            const Word w(at + a * LANES);
            const int column = first + w.step - w.rank * LAG;

            word[a] = strip.number << 16;
            if (w.rank < (int)plan.inks && (unsigned)column < plan.width)
                word[a] = load_relaxed(w.line(plan, band) + column);
        }
    }

    __device__ bool late(uint32_t number) const
    {
        bool any = false;

#pragma unroll
        for (int a = 0; a < ERRORS; a++)
            any |= word[a] - (number << 16) > 0xffff;
        return __any_sync(ALL, any);
    }

    /* Puts them where the first team looks; whether some is large. */
    __device__ bool put(Shared &shared, const ht_gpu_plan &plan, int first,
                        int at) const
    {
        bool large = false;

#pragma unroll
        for (int a = 0; a < ERRORS; a++) {
            const Word w(at + a * LANES);
            const int error = (int16_t)word[a];

            large |= abs(error) > LARGE;
            if (w.rank < (int)plan.inks)
                shared.line[0][w.rank][(first + w.step) & (RING - 1)] =
                    error + NO_ERROR;
        }
        return large;
    }
};

/* Brings the errors above the chunk that begins with step `first`; `line` has
 * asked for the first of them the period before. True if some is large. */
template <bool LOOKS>
__device__ bool bring(Shared &shared, Inheritance<LOOKS> &line,
                      const ht_gpu_plan &plan, const ht_gpu_band &band,
                      const Strip &strip, int first)
{
    const int self = threadIdx.x % LANES;
    const int count = LOOKS ? (int)plan.inks * CHUNK : CHUNK;
    bool large = false;

    for (int at = self; at - self < count; at += line.ERRORS * LANES) {
        if (at != self)
            line.load(plan, band, strip, first, at);
        for (unsigned spins = 1; line.late(strip.number); spins++) {
            if (spins % 1024 == 0 && *(const volatile int *)band.stop)
                shared.stopped = true;
            __syncwarp();
            if (*(volatile bool *)&shared.stopped)
                break;
            line.load(plan, band, strip, first, at);
        }
        large |= line.put(shared, plan, first, at);
    }
    return large;
}

/* The fetcher's part of a strip. Only the errors of a band's first strip may be
 * large: they may come from elsewhere. */
template <bool LOOKS>
__device__ void fetch_strip(Shared &shared, const ht_gpu_plan &plan,
                            const ht_gpu_band &band, const Strip &strip)
{
    const int self = threadIdx.x % LANES, chunks = chunks_of(strip, 0);
    Inheritance<LOOKS> line;

    line.load(plan, band, strip, 0, self);
    next_period();
    for (int n = 0; n < chunks; n++) {
        bool large = bring(shared, line, plan, band, strip, n * CHUNK);

        if (strip.in_band == 0)
            shared.large[n % 2] = __any_sync(ALL, large);
        line.load(plan, band, strip, (n + 1) * CHUNK, self);
        next_period();
    }
    rest(2);
}

/* The taker's part of a strip: takes away the errors that the last row has
 * completed in each chunk. */
template <bool LOOKS>
__device__ void take_strip(const Shared &shared, const ht_gpu_plan &plan,
                           const ht_gpu_band &band, const Strip &strip)
{
    const float(*line)[RING] = shared.line[strip.teams];
    const int self = threadIdx.x % LANES;
    const int count = LOOKS ? (int)plan.inks * CHUNK : CHUNK;
    const int last_lag =
        strip.last_row * LAG + 1 + (strip.teams - 1) * strip.team_pad;
    const int to_place = line_lag(strip.team_rows) / CHUNK * CHUNK;

    rest((strip.teams - 1) * strip.team_lag + 3);
    for (int n = 0; n < strip.chunks; n++) {
        for (int i = self; i < count; i += LANES) {
            const Word w(i);
            const int step = n * CHUNK + w.step;
            const int column = step - last_lag - w.rank * LAG;

            /* The low half of MAGIC is 0. */
            float error = line[w.rank][(step - to_place) & (RING - 1)] +
                          (2 * MAGIC - EXTRA);
            if ((unsigned)column < plan.width)
                store_relaxed(
                    w.line(plan, band) + column,
                    error_word((int)__float_as_uint(error), strip.number + 1));
        }
        next_period();
    }
}

/* ---- The printers ------------------------------------------------------- */

/* Puts a lane's dots together to words. */
struct Printer {
    const Lane lane;
    uint32_t before; /* the 32 dots put last, leftmost in the top bit */

    /* Puts the dots of columns x..x+31, which are the next: the page's word
     * that begins in the 32 before is whole now. Others may write to that,
     * too. Beyond the page there may be dots that are none. */
    __device__ void put(int x, uint32_t dots)
    {
        const int inside = min(max(lane.width - x, 0), 32);
        const int bit = lane.dots_bit + x;

        dots &= __funnelshift_lc(0, ALL, 32 - inside);
        uint32_t word = __funnelshift_r(dots, before, bit & 31);
        if (word != 0 && lane.dots != NULL)
            atomicOr(lane.dots + (bit >> 5), __byte_perm(word, 0, 0x0123));
        before = dots;
    }
};

static_assert(2 * CHUNK == 32, "printers put two chunks' dots at a time");

/* A printer's part of a strip: a team's dots. */
__device__ void print_strip(const Shared &shared, const ht_gpu_plan &plan,
                            const ht_gpu_band &band, const Strip &strip,
                            int team)
{
    const int self = threadIdx.x % LANES, begin = team * strip.team_lag + 3;
    Printer printer = {place_lane(plan, band, strip, team, self), 0};
    uint32_t dots = 0;

    rest(begin);
    for (int n = 0; n < strip.chunks; n++) {
        dots = dots << CHUNK | shared.dots[team][n % 2][self];
        if (n % 2 == 1)
            printer.put((n - 1) * CHUNK - printer.lane.lag, dots);
        next_period();
    }
    const int pairs = strip.chunks / 2;
    printer.put(pairs * 2 * CHUNK - printer.lane.lag, dots << CHUNK);
    printer.put((pairs + 1) * 2 * CHUNK - printer.lane.lag, 0);
    rest(strip.periods - begin - strip.chunks);
}

} // namespace

#endif
