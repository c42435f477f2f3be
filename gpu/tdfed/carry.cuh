/*
 * carry.cuh - the warps that carry: samples to the diffusing warp, errors
 * from the strip before and to the next, dots to the page.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HT_GPU_TDFED_CARRY_CUH
#define HT_GPU_TDFED_CARRY_CUH

#include "gpu/line.cuh"
#include "gpu/tdfed/lookup.cuh"
#include "gpu/tdfed/samples.cuh"

namespace
{

constexpr int PREFETCH_STRIPS = 2;
constexpr int PREFETCH_COLUMNS = 512;
constexpr int PREFETCH_EVERY = 4; /* chunks */
constexpr unsigned NAP = 20;      /* ns between looks for errors that are late,
                                     where teams share a multiprocessor */
constexpr int ERRORS = 4; /* words of the line that a lane asks for at once */

/* ---- Carrying: pixels --------------------------------------------------- */

/* Says where the pixels' entries are. `inks`: pixels that look at the inks
 * before, unless their levels are middle..255 - middle. */
template <bool DEEP, int CHUNK>
__device__ void
find_entries(uint4 (&words)[CHUNK / 4], const Samples<DEEP, CHUNK> &in,
             const Marks<CHUNK> &inks, uint32_t middle, int copies, int self)
{
    const uint32_t size = copies * ENTRY;
    const uint32_t copy = (self & (copies - 1)) * ENTRY;
    const uint32_t sizes = size | size * HT_LEVELS << 16;
    const uint32_t pattern = __brev(in.pattern);

#pragma unroll
    for (int i = 0; i < CHUNK; i += 4) {
        /* Views as bytes, and each beside its level. */
        uint32_t at_inks = inks.get(i / 4) &
                           ~(within(in.level[i / 4], middle) >> 7) &
                           Marks<CHUNK>::FIRST;
        uint32_t views =
            (spread_bits(pattern >> i) & ~at_inks) * HT_DOT + at_inks * HT_INKS;
        uint32_t left = __byte_perm(in.level[i / 4], views, 0x5140);
        uint32_t right = __byte_perm(in.level[i / 4], views, 0x7362);
        uint32_t at[4] = {
            __dp2a_lo(sizes, left, copy), __dp2a_hi(sizes, left, copy),
            __dp2a_lo(sizes, right, copy), __dp2a_hi(sizes, right, copy)};

        if (DEEP)
#pragma unroll
            for (int k = 0; k < 4; k++)
                at[k] = Word<DEEP>::make(
                    (int)at[k], in.tone[(i + k) / 2] >> k % 2 * 16 & 0xffff);
        words[i / 4] = {at[0], at[1], at[2], at[3]};
    }
}

/* Gives the pixel of one of the segment's ends an entry of its own, if it lies
 * in the chunk: shares that would leave the segment are not split off, and the
 * last threshold is raised. */
template <bool DEEP, int CHUNK, class Tables>
__device__ void keep_in(Stage<CHUNK> &stage, const Tables &tables,
                        const Lane &lane, int begin, int edge)
{
    int place = edge < EDGES - 1 ? edge : max(lane.length - 1, EDGES - 1);
    if (place < begin || place >= begin + CHUNK || place >= lane.length)
        return;

    int &word = stage.entry[lane.index][place - begin];
    int to = tables.edge_place(edge, lane.index);
    Pixel pixel;
    Spread spread;

    const int from = Word<DEEP>::place(word);
    tables.read(from, pixel, spread);
    int target = place + spread.column();
    if (place == lane.length - 1) {
        pixel.right = 0;
        /* What is forced stays so, whatever it is raised by. */
        pixel.limit += ht_raise(tables.level_of(from)) * LIMIT_ONE;
    }
    if (place < 1)
        spread.minus1 = 0;
    if (!lane.has(target))
        spread.other = 0;
    tables.write(to, pixel, spread);
    word = Word<DEEP>::make(to, Word<DEEP>::tone(word));
}

template <bool DEEP, int CHUNK, class Tables>
__device__ void keep_ends_in(Stage<CHUNK> &stage, const Tables &tables,
                             const Lane &lane, int begin)
{
    if (__any_sync(ALL, begin < EDGES - 1 && begin + CHUNK > 0))
        for (int edge = 0; edge < EDGES - 1; edge++)
            keep_in<DEEP>(stage, tables, lane, begin, edge);
    keep_in<DEEP>(stage, tables, lane, begin, EDGES - 1);
}

/* ---- Carrying: the error line ------------------------------------------- */

/* What keepers of a strip carry. */
struct Carried {
    uint32_t *line;  /* of the band */
    uint32_t number; /* of the strip */
    int step;        /* +1 or -1, on the line */
    int down;        /* columns that the last row is behind, with its reach */
};

/*
 * A lane carries the errors of one column of a chunk, of ERRORS streams at the
 * same time: LANES / CHUNK streams by neighbouring lanes, which so ask for
 * neighbouring words.
 */
template <int CHUNK> struct Streams {
    static constexpr int BESIDE = LANES / CHUNK, COUNT = BESIDE * ERRORS;
    static_assert(LANES % CHUNK == 0 && LANES % (MOST_ROWS * COUNT) == 0,
                  "these are all columns, and no lane's stream is beyond");
    int line[ERRORS], length[ERRORS]; /* as in Lane */
    int place[ERRORS]; /* of the lane's column in chunk 0, in first rows */

    /* Streams first..first+COUNT-1, of which lanes have `rows` each. */
    __device__ void find(const Lane &lane, int rows, int first)
    {
#pragma unroll
        for (int a = 0; a < ERRORS; a++) {
            int stream = first + a * BESIDE + lane.index / CHUNK;
            int top = stream * rows;

            line[a] = __shfl_sync(ALL, lane.line, top);
            length[a] = __shfl_sync(ALL, lane.length, top);
            place[a] = lane.index % CHUNK - __shfl_sync(ALL, lane.top_lag, top);
        }
    }

    __device__ bool has(int a, int place) const
    {
        return (unsigned)place < (unsigned)length[a];
    }
};

/* What first rows inherit, as far as it has come. */
struct Inheritance {
    uint32_t word[ERRORS];

    /* Asks for the errors of the chunk that begins at column `begin`. Where a
     * segment has none they are 0. */
    template <int CHUNK>
    __device__ void load(const Carried &carried, const Streams<CHUNK> &streams,
                         int begin)
    {
#pragma unroll
        for (int a = 0; a < ERRORS; a++) {
            int place = begin + streams.place[a];
            const uint32_t *from =
                carried.line + (streams.line[a] + carried.step * place);

            word[a] = carried.number << 16;
            if (streams.has(a, place))
                word[a] = load_relaxed(from);
        }
    }

    /* Whether some of them is still for an earlier strip. */
    __device__ bool late(const Carried &carried) const
    {
        uint32_t different = 0;

#pragma unroll
        for (int a = 0; a < ERRORS; a++)
            different |= word[a] ^ carried.number << 16;
        return __any_sync(ALL, different > 0xffff);
    }

    /* Puts them at to[0], to[step]..; some bits of the result are ones if some
     * error is not 0. */
    __device__ int put(int *to, int step) const
    {
        int any = 0;

#pragma unroll
        for (int a = 0; a < ERRORS; a++) {
            int error = (int16_t)word[a];

            any |= error;
            to[a * step] = error;
        }
        return any;
    }
};

/* Waits until the errors of a chunk are there, or the host gives up. */
template <int CHUNK>
__device__ void await(Inheritance &inherited, const Carried &carried,
                      const Streams<CHUNK> &streams, int begin, const int *stop,
                      bool &stopped, bool nap)
{
    for (unsigned spins = 1; inherited.late(carried); spins++) {
        if (spins % 1024 == 0 && *(const volatile int *)stop)
            stopped = true;
        if (*(volatile bool *)&stopped)
            break;
        if (nap)
            __nanosleep(NAP);
        inherited.load(carried, streams, begin);
    }
}

/* Passes the last rows' errors of a chunk on to the next strip: error[0],
 * error[step].. are those of the streams. */
template <int CHUNK>
__device__ void pass_on(const int *error, int step, const Carried &carried,
                        const Streams<CHUNK> &streams, int begin)
{
    uint32_t word[ERRORS];

#pragma unroll
    for (int a = 0; a < ERRORS; a++)
        word[a] = error_word(error[a * step], carried.number + 1);
#pragma unroll
    for (int a = 0; a < ERRORS; a++) {
        int place = begin + streams.place[a] - carried.down;
        uint32_t *to = carried.line + (streams.line[a] + carried.step * place);

        if (streams.has(a, place))
            store_relaxed(to, word[a]);
    }
}

/* ---- Carrying: dots ----------------------------------------------------- */

/* Adds a lane's dots to its row, which others write to, too. */
template <int CHUNK>
__device__ void put_dots(const Lane &lane, int begin, uint32_t dots)
{
    int x = lane.column(begin);

    if (lane.dots == NULL)
        return;
    if (lane.step < 0) {
        dots = __brev(dots);
        x -= CHUNK - 1;
    } else {
        dots <<= 32 - CHUNK;
    }
    int bit = lane.dots_bit + x;
    uint32_t head = __byte_perm(dots >> (bit & 31), 0, 0x0123);
    uint32_t tail = __byte_perm(__funnelshift_r(0, dots, bit & 31), 0, 0x0123);
    if (head != 0)
        atomicOr(lane.dots + (bit >> 5), head);
    if (tail != 0)
        atomicOr(lane.dots + (bit >> 5) + 1, tail);
}

/* ---- A strip ------------------------------------------------------------ */

/* Calls the samples of a later chunk of the row. */
__device__ void prefetch_chunk(const Lane &lane, int begin)
{
    if (lane.works && begin < lane.length)
        prefetch_line(lane.level + lane.column(begin));
}

/* Calls the samples of the next strip that this block is likely to do. */
__device__ void prefetch_strip(const ht_gpu_plan &plan, const ht_gpu_band &band,
                               const Lane &lane)
{
    const uint8_t *next = lane.level + (size_t)PREFETCH_STRIPS * plan.rows *
                                           band.row_step * plan.planes *
                                           plan.width;
    int lines = min(lane.length, PREFETCH_COLUMNS) / 128;

    for (int i = 0; i <= lines && lane.works; i++)
        prefetch_line(next + lane.column(i * 128));
}

/* The feeder's part of a strip, from stage `turn` on. It does not wait at the
 * end for the others; `filled`: stages that it has filled before, with those of
 * other strips. */
template <class K>
__device__ void
feed_strip(typename K::Shared &shared, const typename K::Tables &tables,
           const uint32_t *pattern, const ht_gpu_plan &plan,
           const ht_gpu_band &band, const Lane &lane, int chunks, int turn,
           int &filled, Passages &passages)
{
    constexpr int CHUNK = K::CHUNK;
    Samples<K::DEEP, CHUNK> samples;
    InksBefore<CHUNK, lags_of(K::DELAY).ink> before = {};

    samples.open(lane);
    prefetch_strip(plan, band, lane);
    for (int n = 0; n < chunks; n++, turn = next_stage(turn)) {
        Stage<CHUNK> &stage = shared.stage[turn];
        int begin = n * CHUNK - lane.lag;
        uint4 words[CHUNK / 4];

        bool edge =
            __any_sync(ALL, lane.length > 0 && !lane.interior(begin, CHUNK));
        samples.arrange(lane, pattern, begin);
        samples.ask(lane);
        if (n % PREFETCH_EVERY == 0)
            prefetch_chunk(lane, begin + PREFETCH_COLUMNS);
        Marks<CHUNK> own = samples.between(), inks = {0};
        bool forced = !own.all();
        if (edge) {
            samples.cut(lane, begin);
            own = samples.between();
        }
        if constexpr (K::LOOKS)
            inks = before.pass_on(own, lane, plan);
        find_entries(words, samples, inks, plan.middle, tables.copies(),
                     lane.index);

        if (filled >= STAGES)
            pass_gate(shared.done[turn], passages, turn);
        else
            filled++;
#pragma unroll
        for (int i = 0; i < CHUNK / 4; i++)
            *(uint4 *)&stage.entry[lane.index][4 * i] = words[i];
        if (edge)
            keep_ends_in<K::DEEP>(stage, tables, lane, begin);
        stage.flags.forced = __any_sync(ALL, lane.works && forced);
        stage.flags.inked = __any_sync(ALL, lane.works && !samples.all_white());
        arrive(shared.full[turn]);
    }
}

/* A keeper's part of a strip, of which chunk 0 is in stage `turn`: the chunks
 * of stage `mine`. */
template <class K>
__device__ void keep_strip(typename K::Shared &shared, const ht_gpu_plan &plan,
                           const ht_gpu_band &band, const Strip &strip,
                           const Lane &lane, int chunks, int turn, int mine,
                           Passages &passages)
{
    constexpr int CHUNK = K::CHUNK, COUNT = Streams<CHUNK>::COUNT;
    constexpr int ROW = sizeof(Row<CHUNK>) / sizeof(int);
    Stage<CHUNK> &stage = shared.stage[mine];
    const int rows = (int)plan.rows, last_row = (int)strip.rows - 1;
    const int streams = (int)(plan.segments * plan.inks);
    const bool all = streams <= COUNT; /* at the same time */
    const Carried carried = {band.line, strip.number, strip.left ? -1 : 1,
                             last_row * lags_of(K::DELAY).row + HT_GPU_REACH};
    int *const top =
        &stage.error[lane.index / CHUNK * rows][lane.index % CHUNK];
    const int step = Streams<CHUNK>::BESIDE * rows * ROW;
    Streams<CHUNK> some;
    Inheritance inherited;

    some.find(lane, rows, 0);
    for (int n = mine < turn ? mine - turn + STAGES : mine - turn;
         n < chunks + STAGES; n += STAGES) {
        int begin = n * CHUNK, past = begin - STAGES * CHUNK;
        int any = 0;

        if (n < chunks && all)
            inherited.load(carried, some, begin);
        if (past >= 0) {
            pass_gate(shared.done[mine], passages, mine);
            for (int first = 0; first < streams; first += COUNT) {
                if (!all)
                    some.find(lane, rows, first);
                pass_on(top + (first * rows + last_row) * ROW, step, carried,
                        some, past);
            }
            put_dots<CHUNK>(lane, past - lane.lag, stage.dots[lane.index]);
            __syncwarp();
        }
        if (n >= chunks)
            break;
        for (int first = 0; first < streams; first += COUNT) {
            if (!all) {
                some.find(lane, rows, first);
                inherited.load(carried, some, begin);
            }
            await(inherited, carried, some, begin, band.stop, shared.stopped,
                  K::TEAMS > 1);
            any |= inherited.put(top + first * rows * ROW, step);
        }
        /* Lanes without a row of a short strip carry some of its errors, too.
         */
        stage.flags.inherits = __any_sync(ALL, any != 0);
        arrive(shared.full[mine]);
    }
}

} // namespace

#endif
