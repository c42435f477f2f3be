/*
 * carry.cuh - Floyd-Steinberg's warps that carry: feeders bring a team its
 * samples, printers take its dots to the page; the fetcher brings the errors of
 * the sweep before, word by word from the error line (gpu/line.cuh), and the
 * taker takes errors to that line.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HT_GPU_FLOYD_CARRY_CUH
#define HT_GPU_FLOYD_CARRY_CUH

#include "gpu/floyd/targets.cuh"
#include "gpu/line.cuh"

namespace
{

constexpr int PREFETCH_COLUMNS = 512; /* how far ahead samples are prefetched */

/* ---- The feeders -------------------------------------------------------- */

/* A feeder, which fills every second chunk of a team: it prepares one in the
 * period in which the other feeder puts its own into a stage. */
template <bool DEEP, bool LOOKS> struct Feeder {
    Lane lane;
    int from; /* column of the samples that are on their way */
    Samples<DEEP> samples;
    Around around;
    Targets targets;
    uint32_t noise_line; /* of the lane's row */
    int content;
    bool ruled; /* the stage may have rules that are not 0 */

    __device__ void store(Row *rows, const float *numbers) const
    {
        float4 *to = (float4 *)rows[lane.index];

#pragma unroll
        for (int i = 0; i < CHUNK; i += 4)
            to[i / 4] = {numbers[i], numbers[i + 1], numbers[i + 2],
                         numbers[i + 3]};
    }

    __device__ void load()
    {
        samples.load(lane, from);
        around.load(lane, from);
    }

    /* Prepares the chunk whose samples have come, and asks for those of this
     * feeder's next one. */
    __device__ void prepare()
    {
        const bool ends = from <= lane.width && from + CHUNK >= lane.width;
        bool special = false, bottom = false;

        samples.arrange(lane, from);
        targets = around.find(lane, from, samples.toned(), special, bottom);
        special |= samples.some_special();
        content = __any_sync(ALL, special) ? SPECIAL : 0;
        content |= __any_sync(ALL, bottom) ? BOTTOM : 0;
        content |= __any_sync(ALL, !samples.white()) ? INKED : 0;
        content |= __any_sync(ALL, ends) ? ENDED : 0;
        from += FEEDERS * CHUNK;
        load();
        prefetch(from + PREFETCH_COLUMNS);
    }

    /* Returns Stage::rule of pixel i. */
    __device__ float rule_at(int i) const
    {
        const int x = from - FEEDERS * CHUNK + i;

        if (needs_limit(targets, i))
            return limit(targets, i, samples.tone_of(i), noise_line, x);
        return rule_of<LOOKS>(samples.level_of(i));
    }

    /* Puts the prepared chunk into its stage. Rules stay as they are if all are
     * 0 now and were. */
    __device__ void put(Stage &stage)
    {
        const bool special = content & (SPECIAL | BOTTOM);
        float tone[CHUNK];

#pragma unroll
        for (int i = 0; i < CHUNK; i++)
            tone[i] = samples.tone_of(i);
        store(stage.tone, tone);
        if (LOOKS || special || ruled) {
            float rule[CHUNK];

#pragma unroll
            for (int i = 0; i < CHUNK; i++)
                rule[i] = rule_at(i);
            store(stage.rule, rule);
        }
        stage.targets[lane.index] = targets;
        ruled = special;
        stage.content = content;
    }

    /* Prefetches the levels from a column on, once for each 128 bytes. */
    __device__ void prefetch(int column) const
    {
        const uint8_t *at = lane.level + column;

        if (((uint32_t)(uintptr_t)at & 127) < FEEDERS * CHUNK &&
            column < lane.width)
            prefetch_line(at);
    }
};

/* The part of feeder `index` of a team, of a sweep. */
template <bool DEEP, bool LOOKS>
__device__ void feed_sweep(Shared &shared, const ht_gpu_plan &plan,
                           const ht_gpu_band &band, const Sweep &sweep,
                           int team, int index)
{
    const int begin = team * sweep.team_lag + index;
    const int chunks = chunks_of(sweep, team);
    Feeder<DEEP, LOOKS> feeder;
    int periods = begin;

    feeder.lane = find_lane(plan, band, sweep, team, (int)threadIdx.x % LANES);
    feeder.from = index * CHUNK - feeder.lane.lag;
    feeder.ruled = true;
    feeder.noise_line = ht_noise_line(
        band.row + sweep.in_band + team * sweep.team_rows + feeder.lane.row,
        plan.first + feeder.lane.rank);
    for (int column = 0; column < PREFETCH_COLUMNS; column += FEEDERS * CHUNK)
        feeder.prefetch(feeder.from + column);
    feeder.load();
    feeder.prepare();
    rest(begin);
    for (int n = index; n < chunks; n += FEEDERS, periods += FEEDERS) {
        feeder.put(shared.stage[team][index]);
        next_period();
        feeder.prepare();
        next_period();
    }
    rest(sweep.periods - periods);
}

/* ---- The fetcher and the taker ------------------------------------------- */

/* A word of the error lines of a chunk, [inks][CHUNK], which lanes take in
 * turn. */
struct Word {
    int rank, step; /* of the ink, and of the column */

    __device__ explicit Word(int i) : rank(i / CHUNK), step(i % CHUNK)
    {
    }

    /* Returns the ink's error line, from column 0. */
    __device__ uint32_t *line(const ht_gpu_plan &plan,
                              const ht_gpu_band &band) const
    {
        return band.line + (size_t)(plan.first + rank) * plan.width;
    }
};

/* Words of the error lines that first rows inherit in a chunk; some may still
 * be for an earlier sweep. */
template <bool LOOKS> struct Inheritance {
    static constexpr int ERRORS =
        LOOKS ? 4 : 1; /* words that a lane loads at a time */
    uint32_t word[ERRORS];

    /* Loads the words from number `at` on, of the chunk whose first step is
     * `first`. */
    __device__ void load(const ht_gpu_plan &plan, const ht_gpu_band &band,
                         const Sweep &sweep, int first, int at)
    {
#pragma unroll
        for (int a = 0; a < ERRORS; a++) {
            const Word w(at + a * LANES);
            const int column = first + w.step - w.rank * LAG;

            word[a] = sweep.number << 16;
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

    /* Stores the errors where the first team reads them; returns whether one is
     * above LARGE, but for the page's last column. */
    __device__ bool put(Shared &shared, const ht_gpu_plan &plan, int first,
                        int at) const
    {
        bool large = false;

#pragma unroll
        for (int a = 0; a < ERRORS; a++) {
            const Word w(at + a * LANES);
            const int error = (int16_t)word[a];

            large |= abs(error) > LARGE &&
                     first + w.step - w.rank * LAG + 1 != (int)plan.width;
            if (w.rank < (int)plan.inks)
                shared.line[0][w.rank][(first + w.step) & (RING - 1)] =
                    error + NO_ERROR;
        }
        return large;
    }
};

/* Brings the errors above the chunk whose first step is `first`, and waits for
 * those that are late, until the host gives up; `line` has loaded the first
 * ones the period before. Returns what put() does. */
template <bool LOOKS>
__device__ bool bring(Shared &shared, Inheritance<LOOKS> &line,
                      const ht_gpu_plan &plan, const ht_gpu_band &band,
                      const Sweep &sweep, int first)
{
    const int self = threadIdx.x % LANES;
    const int count = LOOKS ? (int)plan.inks * CHUNK : CHUNK;
    bool large = false;

    for (int at = self; at - self < count; at += line.ERRORS * LANES) {
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

/* The fetcher's part of a sweep. */
template <bool LOOKS>
__device__ void fetch_sweep(Shared &shared, const ht_gpu_plan &plan,
                            const ht_gpu_band &band, const Sweep &sweep)
{
    const int self = threadIdx.x % LANES, chunks = chunks_of(sweep, 0);
    Inheritance<LOOKS> line;

    line.load(plan, band, sweep, 0, self);
    next_period();
    for (int n = 0; n < chunks; n++) {
        bool large = bring<LOOKS>(shared, line, plan, band, sweep, n * CHUNK);

        shared.large[n % 2] = __any_sync(ALL, large);
        line.load(plan, band, sweep, (n + 1) * CHUNK, self);
        next_period();
    }
    rest(2);
}

/* The taker's part of a sweep: stores in the error lines what the last row has
 * completed, a chunk each period. */
template <bool LOOKS>
__device__ void take_sweep(const Shared &shared, const ht_gpu_plan &plan,
                           const ht_gpu_band &band, const Sweep &sweep)
{
    const float(*line)[RING] = shared.line[sweep.teams];
    const int self = threadIdx.x % LANES;
    const int count = LOOKS ? (int)plan.inks * CHUNK : CHUNK;
    const int last_lag =
        sweep.last_row * LAG + 1 + (sweep.teams - 1) * sweep.team_pad;
    const int to_place = line_lag(sweep.team_rows) / CHUNK * CHUNK;

    rest((sweep.teams - 1) * sweep.team_lag + 3);
    for (int n = 0; n < sweep.chunks; n++) {
        for (int i = self; i < count; i += LANES) {
            const Word w(i);
            const int step = n * CHUNK + w.step;
            const int column = step - last_lag - w.rank * LAG;

            /* MAGIC above its value, whose low half is 0, an error has its
             * integer in the low half. */
            float error = line[w.rank][(step - to_place) & (RING - 1)] +
                          (2 * MAGIC - EXTRA);
            if ((unsigned)column < plan.width)
                store_relaxed(
                    w.line(plan, band) + column,
                    error_word((int)__float_as_uint(error), sweep.number + 1));
        }
        next_period();
    }
}

/* ---- The printers ------------------------------------------------------- */

/* Puts a lane's dots together to the page's words. */
struct Printer {
    const Lane lane;
    uint32_t before; /* the 32 dots before, the leftmost in bit 31 */

    /* Adds the dots of columns x..x+31, which are the next 32: now the word of
     * the page that begins among the 32 before is whole, and stored. Other
     * lanes may add to the same word. Dots outside the page are left out. */
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

/* The printer's part of a sweep: the dots of a team. */
__device__ void print_sweep(const Shared &shared, const ht_gpu_plan &plan,
                            const ht_gpu_band &band, const Sweep &sweep,
                            int team)
{
    const int self = threadIdx.x % LANES, begin = team * sweep.team_lag + 3;
    Printer printer = {find_lane(plan, band, sweep, team, self), 0};
    uint32_t dots = 0;

    rest(begin);
    for (int n = 0; n < sweep.chunks; n++) {
        dots = dots << CHUNK | shared.dots[team][n % 2][self];
        if (n % 2 == 1)
            printer.put((n - 1) * CHUNK - printer.lane.lag, dots);
        next_period();
    }
    const int pairs = sweep.chunks / 2;
    printer.put(pairs * 2 * CHUNK - printer.lane.lag, dots << CHUNK);
    printer.put((pairs + 1) * 2 * CHUNK - printer.lane.lag, 0);
    rest(sweep.periods - begin - sweep.chunks);
}

} // namespace

#endif
