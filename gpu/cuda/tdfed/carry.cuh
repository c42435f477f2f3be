/*
 * carry.cuh - TDFED's warps that carry: the feeder brings the pixels of each
 * chunk to the diffuser, feed_task(); keepers bring the errors of the sweep
 * before, word by word from the error line (line.cuh), and take the chunk's
 * errors to that line and its dots to the page, keep_task().
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HT_GPU_TDFED_CARRY_CUH
#define HT_GPU_TDFED_CARRY_CUH

#include "gpu/cuda/line.cuh"
#include "gpu/cuda/tdfed/targets.cuh"
#include "gpu/cuda/tdfed/lookup.cuh"
#include "gpu/cuda/tdfed/nearness.cuh"

namespace
{

/* Distance by which samples are prefetched. Every 4 chunks are 16 or 32 levels,
 * so no line of 128 bytes is left out. */
constexpr int PREFETCH_SWEEPS = 2;
constexpr int PREFETCH_COLUMNS = 512;
constexpr int PREFETCH_EVERY = 4;

/* ns between looks for errors that are late, where teams share a
 * multiprocessor; where inks meet, a look is longer, and so are chunks. */
constexpr unsigned NAP = 20, NAP_TOGETHER = 300;

constexpr int ERRORS = 4; /* words of the line that a lane loads at a time */

/* ---- Carrying: pixels --------------------------------------------------- */

/* Writes each pixel's Word: which entry is its own by level and view. `self`:
 * the lane, for its copy. */
template <bool DEEP, int CHUNK, class Sizes>
__device__ void find_entries(uint4 (&words)[CHUNK / 4],
                             const Samples<DEEP, CHUNK> &in, const Sizes &sizes,
                             int copies, int self)
{
    const uint32_t size = copies * ENTRY;
    const uint32_t copy = (self & (copies - 1)) * ENTRY;
    const uint32_t strides = size | size * HT_LEVELS << 16;
    const uint32_t pattern = __brev(in.pattern);

#pragma unroll
    for (int i = 0; i < CHUNK; i += 4) {
        /* Views as bytes, then each beside its level: an offset is a sum of
         * two products. */
        uint32_t views = spread_bits(pattern >> i);
        uint32_t levels = sizes.levels(in.level[i / 4], i / 4);
        uint32_t left = __byte_perm(levels, views, 0x5140);
        uint32_t right = __byte_perm(levels, views, 0x7362);
        uint32_t at[4] = {
            __dp2a_lo(strides, left, copy), __dp2a_hi(strides, left, copy),
            __dp2a_lo(strides, right, copy), __dp2a_hi(strides, right, copy)};

        if (DEEP)
#pragma unroll
            for (int k = 0; k < 4; k++)
                at[k] = sizes.word(i / 4, k, (int)at[k],
                                   in.tone[(i + k) / 2] >> k % 2 * 16 & 0xffff);
        words[i / 4] = {at[0], at[1], at[2], at[3]};
    }
}

/* Raises a pixel's threshold and, unless that is done later, holds it. */
template <class K> __device__ void raise(Pixel &pixel, int by)
{
    const int least = /* threshold 0 */
        (K::DEEP ? 0 : -pixel.tone) - !K::SIZES;

    if (K::MEETS)
        pixel.limit += by;
    else
        pixel.limit = max(min(pixel.limit + by, least + HT_ONE), least);
}

/* Takes a pixel's feedback away. */
template <class K> __device__ void no_feedback(Pixel &pixel)
{
    if (!K::MISSES)
        pixel.limit -= 2 * (int16_t)pixel.feedback;
    pixel.feedback = 0;
}

/* Gives the pixel at an end of the segment an entry of its own, if it lies in
 * the chunk whose first pixel has position `begin`: shares that would leave the
 * segment stay undivided, the first pixel has no feedback, and the last
 * threshold is raised. `edge`: 0..EDGES-2
 * from the segment's first pixel, EDGES-1 the last. */
template <class K>
__device__ void set_edge(typename K::Stage &stage,
                         const typename K::Tables &tables, const Lane &lane,
                         int begin, int edge)
{
    int position = edge < EDGES - 1 ? edge : max(lane.length - 1, EDGES - 1);
    if (position < begin || position >= begin + K::CHUNK ||
        position >= lane.length)
        return;

    int &word = stage.entry[lane.index][position - begin];
    int to = tables.edge_offset(edge, lane.index);
    Pixel pixel;
    Spread spread;

    const int from = K::Word::offset(word);
    tables.read(from, pixel, spread);
    int target = position + spread.column();
    if (position == lane.length - 1) {
        pixel.right = 0;
        if (!is_forced<K>(pixel))
            raise<K>(pixel, ht_raise(tables.level_of(from)));
    }
    if (position < 1) {
        spread.minus1 = 0;
        if (!is_forced<K>(pixel))
            no_feedback<K>(pixel);
    }
    if (!lane.has(target))
        spread.other = 0;
    tables.write(to, pixel, spread);
    word = K::Word::moved(word, to);
}

/* Calls set_edge() for all ends of the segment that lie in the chunk. */
template <class K>
__device__ void set_edges(typename K::Stage &stage,
                          const typename K::Tables &tables, const Lane &lane,
                          int begin)
{
    if (__any_sync(ALL, begin < EDGES - 1 && begin + K::CHUNK > 0))
        for (int edge = 0; edge < EDGES - 1; edge++)
            set_edge<K>(stage, tables, lane, begin, edge);
    set_edge<K>(stage, tables, lane, begin, EDGES - 1);
}

/* ---- Carrying: the error line ------------------------------------------- */

/*
 * The columns of the line that a lane carries: the same one of a chunk, of
 * ERRORS strips at a time. The lanes of half a warp, or with chunks of 32
 * columns of a whole warp, carry a strip together: neighbouring words.
 */
template <int CHUNK> struct Strips {
    static constexpr int BESIDE = LANES / CHUNK, COUNT = BESIDE * ERRORS;
    static_assert(LANES % CHUNK == 0 && LANES % (MOST_ROWS * COUNT) == 0,
                  "these are all columns, and no lane's strip is beyond");
    int line[ERRORS], length[ERRORS]; /* as in Lane, of each strip */
    int position[ERRORS]; /* of the lane's column in chunk 0, for a strip's
                             first row */

    /* Finds the lane's columns of strips first..first+COUNT-1; a strip has
     * `rows` lanes. */
    __device__ void find(const Lane &lane, int rows, int first)
    {
#pragma unroll
        for (int a = 0; a < ERRORS; a++) {
            int strip = first + a * BESIDE + lane.index / CHUNK;
            int top = strip * rows;

            line[a] = __shfl_sync(ALL, lane.line, top);
            length[a] = __shfl_sync(ALL, lane.length, top);
            position[a] =
                lane.index % CHUNK - __shfl_sync(ALL, lane.top_lag, top);
        }
    }

    __device__ bool has(int a, int position) const
    {
        return (unsigned)position < (unsigned)length[a];
    }
};

/* A task's part of the error line, for the keeper of a stage. */
template <class K, bool = K::MEETS> struct Carrier {
    using Some = Strips<K::CHUNK>;
    static constexpr int ROW = sizeof(Row<K::CHUNK>) / sizeof(int);
    static constexpr int COUNT = Some::COUNT; /* lines carried at a time, */
    int count;                                /* of so many */
    const Lane &lane;
    const int rows, last_row;
    uint32_t *line;        /* band.line */
    const uint32_t sweep;  /* of the task's sweep */
    const int column_step; /* +1 or -1: scan direction */
    const int down; /* columns that complete errors of the last row are behind
                       the first row's pixels */
    int *const top;
    const int step; /* from a strip's row in `top` to that of the next */
    Some some;
    uint32_t word[ERRORS]; /* of the line that first rows inherit; some may
                              still be an earlier sweep's */

    /* For the keeper of stage `stage`. */
    __device__ Carrier(typename K::Shared &shared, int stage,
                       const ht_gpu_plan &plan, const ht_gpu_band &band,
                       const Task &task, const Lane &lane)
        : count((int)(plan.segments * plan.inks)), lane(lane),
          rows((int)plan.rows), last_row((int)task.rows - 1), line(band.line),
          sweep(task.sweep), column_step(task.left ? -1 : 1),
          down(last_row * K::LAGS.row + HT_GPU_REACH),
          top(&shared.stage[stage]
                   .error[lane.index / K::CHUNK * rows][lane.index % K::CHUNK]),
          step(Some::BESIDE * rows * ROW)
    {
    }

    /* Turns to strips first..first+COUNT-1. */
    __device__ void find(int first)
    {
        some.find(lane, rows, first);
    }

    /* Loads the words of the chunk whose first column has position `begin`.
     * Columns outside a segment inherit 0. */
    __device__ void load(int begin)
    {
#pragma unroll
        for (int a = 0; a < ERRORS; a++) {
            int position = begin + some.position[a];
            const uint32_t *from =
                line + (some.line[a] + column_step * position);

            word[a] = sweep << 16;
            if (some.has(a, position))
                word[a] = load_relaxed(from);
        }
    }

    /* Returns whether some lane's word is still for an earlier sweep. */
    __device__ bool late() const
    {
        uint32_t different = 0;

#pragma unroll
        for (int a = 0; a < ERRORS; a++)
            different |= word[a] ^ sweep << 16;
        return __any_sync(ALL, different > 0xffff);
    }

    /* Stores the errors in the stage, for strips from `first` on. Returns a
     * number that is not 0 if one of them is not. */
    __device__ int put(int first, int) const
    {
        int *to = top + first * rows * ROW;
        int any = 0;

#pragma unroll
        for (int a = 0; a < ERRORS; a++) {
            int error = (int16_t)word[a];

            any |= error;
            to[a * step] = error;
        }
        return any;
    }

    /* Stores a chunk's errors of the last rows in the line, for the next
     * sweep, of strips from `first` on. */
    __device__ void pass_on(int first, int begin) const
    {
        const int *error = top + (first * rows + last_row) * ROW;
        uint32_t left[ERRORS];

#pragma unroll
        for (int a = 0; a < ERRORS; a++)
            left[a] = error_word(error[a * step], sweep + 1);
#pragma unroll
        for (int a = 0; a < ERRORS; a++) {
            int position = begin + some.position[a] - down;
            uint32_t *to = line + (some.line[a] + column_step * position);

            if (some.has(a, position))
                store_relaxed(to, left[a]);
        }
    }
};

/* Waits until all errors of a chunk have come from the sweep before. Gives up
 * when *stop, the host's, is not 0, and sets `stopped`, which ends the waiting
 * of the whole team. `nap`: ns that it sleeps between looks, or 0. */
template <class K>
__device__ void await(Carrier<K> &carrier, int begin, const int *stop,
                      bool &stopped, unsigned nap)
{
    for (unsigned spins = 1; carrier.late(); spins++) {
        if (spins % 1024 == 0 && *(const volatile int *)stop)
            stopped = true;
        if (*(volatile bool *)&stopped)
            break;
        if (nap > 0)
            __nanosleep(nap);
        carrier.load(begin);
    }
}

/* ---- Carrying: dots ----------------------------------------------------- */

/* Adds a chunk's dots, the last one in bit 0, to the lane's row; other lanes
 * may add to the same words. BITS: of a pixel, 1 or 2. */
template <int CHUNK, int BITS>
__device__ void put_dots(const Lane &lane, int begin, uint32_t dots)
{
    int x = lane.column(begin);

    static_assert(CHUNK * BITS <= 32, "a word has them");
    if (lane.dots == NULL)
        return;
    if (lane.step < 0) {
        dots = __brev(dots);
        if (BITS == 2)
            dots = (dots & 0x55555555u) << 1 | (dots >> 1 & 0x55555555u);
        x -= CHUNK - 1;
    } else {
        dots <<= 32 - BITS * CHUNK;
    }
    int bit = lane.dots_bit + BITS * x;
    uint32_t head = __byte_perm(dots >> (bit & 31), 0, 0x0123);
    uint32_t tail = __byte_perm(__funnelshift_r(0, dots, bit & 31), 0, 0x0123);
    if (head != 0)
        atomicOr(lane.dots + (bit >> 5), head);
    if (tail != 0)
        atomicOr(lane.dots + (bit >> 5) + 1, tail);
}

/* ---- A task ------------------------------------------------------------ */

/* Prefetches samples of a later chunk of the row. */
__device__ void prefetch_chunk(const Lane &lane, int begin)
{
    if (lane.works && begin < lane.length)
        prefetch_line(lane.level + lane.column(begin));
}

/* Prefetches the samples of the task that this team is likely to take next. */
__device__ void prefetch_task(const ht_gpu_plan &plan, const ht_gpu_band &band,
                              const Lane &lane)
{
    const uint8_t *next = lane.level + (size_t)PREFETCH_SWEEPS * plan.rows *
                                           band.row_step * plan.planes *
                                           plan.width;
    int lines = min(lane.length, PREFETCH_COLUMNS) / 128;

    for (int i = 0; i <= lines && lane.works; i++)
        prefetch_line(next + lane.column(i * 128));
}

/* Waits until a stage that is to be filled is done, unless it never was full.
 * `filled`: stages that the warp has filled without waiting for them, at most
 * STAGES; updated. */
__device__ void await_stage(Gate &done, int stage, int &filled,
                            Passages &passages)
{
    if (filled >= STAGES)
        pass_gate(done, passages, stage);
    else
        filled++;
}

/* The feeder's part of a task, whose first chunk goes to stage `turn`. Returns
 * when the last chunk is full, which the diffuser may still have to do.
 * `filled`: as await_stage() has it. */
template <class K>
__device__ void feed_task(typename K::Shared &shared,
                          const typename K::Tables &tables,
                          const uint32_t *pattern, const ht_gpu_plan &plan,
                          const ht_gpu_band &band, const Lane &lane, int chunks,
                          int turn, int &filled, Passages &passages)
{
    constexpr int CHUNK = K::CHUNK;
    Samples<K::DEEP, CHUNK> samples;
    SpanWords<CHUNK> spans;
    Targets<CHUNK> targets;
    Wishing wishing(plan, lane);

    samples.open(lane);
    if (K::SIZES)
        spans.open(lane);
    targets.open(lane);
    prefetch_task(plan, band, lane);
    for (int n = 0; n < chunks; n++, turn = next_stage(turn)) {
        typename K::Stage &stage = shared.stage[turn];
        int begin = n * CHUNK - lane.lag; /* position of the first pixel */
        uint4 words[CHUNK / 4];

        bool edge =
            __any_sync(ALL, lane.length > 0 && !lane.interior(begin, CHUNK));
        samples.arrange();
        samples.look_at(lane, pattern, begin);
        samples.ask(lane);
        if (K::SIZES) {
            spans.arrange();
            spans.ask(lane);
        }
        if (n % PREFETCH_EVERY == 0)
            prefetch_chunk(lane, begin + PREFETCH_COLUMNS);
        targets.arrange(lane, samples);
        bool forced = targets.any_flat() || samples.any_flat();
        if (edge) {
            samples.cut(lane, begin);
            if (K::SIZES)
                spans.cut(lane, begin);
        }
        const auto sizes = sizes_of<K>(shared, spans);
        find_entries(words, samples, sizes, tables.copies(), lane.index);

        await_stage(shared.done[turn], turn, filled, passages);
#pragma unroll
        for (int i = 0; i < CHUNK / 4; i++)
            *(uint4 *)&stage.entry[lane.index][4 * i] = words[i];
        if constexpr (K::MEETS && !K::WISHES)
            wishing.write(stage.wishes[lane.index], samples, sizes, lane, begin,
                          edge);
        if (edge)
            set_edges<K>(stage, tables, lane, begin);
        /* Ink below may bring noise. */
        const bool white = targets.all_white() && samples.all_white();
        forced = targets.goes_on(__any_sync(ALL, lane.works && forced),
                                 (int)plan.inks);
        if (forced)
            targets.write(shared.targets[turn][lane.index], lane, samples,
                          sizes, band.entries, begin);
        stage.flags.forced = forced;
        stage.flags.inked = __any_sync(ALL, lane.works && !white);
        arrive(shared.full[turn]);
    }
}

/* The wisher's part of a task, where inks meet and the feeder leaves it to
 * another warp: brings the wishes of nearness.cuh, as feed_task() does the
 * pixels. */
template <class K>
__device__ void wish_task(typename K::Shared &shared, const ht_gpu_plan &plan,
                          const Lane &lane, int chunks, int turn, int &filled,
                          Passages &passages)
{
    constexpr int CHUNK = K::CHUNK;
    Samples<K::DEEP, CHUNK> samples;
    SpanWords<CHUNK> spans;
    Wishing wishing(plan, lane);

    samples.open(lane);
    if (K::SIZES)
        spans.open(lane);
    for (int n = 0; n < chunks; n++, turn = next_stage(turn)) {
        const int begin = n * CHUNK - lane.lag;
        const bool edge =
            __any_sync(ALL, lane.length > 0 && !lane.interior(begin, CHUNK));

        samples.arrange();
        samples.ask(lane);
        if (K::SIZES) {
            spans.arrange();
            spans.ask(lane);
        }
        if (edge) {
            samples.cut(lane, begin);
            if (K::SIZES)
                spans.cut(lane, begin);
        }
        await_stage(shared.done[turn], turn, filled, passages);
        wishing.write(shared.stage[turn].wishes[lane.index], samples,
                      sizes_of<K>(shared, spans), lane, begin, edge);
        arrive(shared.full[turn]);
    }
}

/* The feeder's last part, and the wisher's: waits for the stages that it has
 * filled and not waited for, so that no gate is half passed when the block
 * ends. `turn`: the stage of the next chunk. */
template <class Shared>
__device__ void pass_last_gates(Shared &shared, int turn, int filled,
                                Passages &passages)
{
    for (; filled > 0; filled--) {
        int last = (turn + STAGES - filled) % STAGES;

        pass_gate(shared.done[last], passages, last);
    }
}

/* The part of the keeper of stage `mine`, of a task whose first chunk has
 * number `turn`: of each chunk in its stage it brings the errors in, and when
 * that is done takes errors and dots out. */
template <class K>
__device__ void keep_task(typename K::Shared &shared, Carrier<K> carrier,
                          const ht_gpu_band &band, const Lane &lane, int chunks,
                          int turn, int mine, Passages &passages)
{
    constexpr int CHUNK = K::CHUNK, COUNT = Carrier<K>::COUNT;
    typename K::Stage &stage = shared.stage[mine];
    const bool all = carrier.count <= COUNT; /* in one round */

    carrier.find(0);
    for (int n = (mine + TURN - turn) % STAGES; n < chunks + STAGES;
         n += STAGES) {
        /* Steps with which the chunk begins, and the one that is done. */
        int begin = n * CHUNK, past = begin - STAGES * CHUNK;
        int any = 0;

        if (n < chunks && all)
            carrier.load(begin);
        if (past >= 0) {
            pass_gate(shared.done[mine], passages, mine);
            for (int first = 0; first < carrier.count; first += COUNT) {
                if (!all)
                    carrier.find(first);
                carrier.pass_on(first, past);
            }
            put_dots<CHUNK, 1 + K::SIZES>(lane, past - lane.lag,
                                          stage.dots[lane.index]);
            __syncwarp();
        }
        if (n >= chunks)
            break;
        for (int first = 0; first < carrier.count; first += COUNT) {
            if (!all) {
                carrier.find(first);
                carrier.load(begin);
            }
            await(carrier, begin, band.stop, shared.stopped,
                  K::TEAMS == 1 ? 0
                  : K::MEETS    ? NAP_TOGETHER
                                : NAP);
            any |= carrier.put(first, (turn + n) % K::QUARTERS);
        }
        /* Lanes that have no row in a short sweep carry some of its errors,
         * too: all lanes count. */
        stage.flags.inherits = __any_sync(ALL, any != 0);
        arrive(shared.full[mine]);
    }
}

} // namespace

#endif
