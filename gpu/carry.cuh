/*
 * carry.cuh - the warps that carry: samples to the diffusing warp, errors
 * from the strip before and to the next, dots to the page.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HT_GPU_CARRY_CUH
#define HT_GPU_CARRY_CUH

#include "gpu/entries.cuh"

namespace
{

constexpr int PREFETCH_STRIPS = 2;
constexpr int PREFETCH_COLUMNS = 512;
constexpr unsigned NAP = 20; /* ns between looks for errors that are late,
                                where teams share a multiprocessor */
constexpr int ERRORS = 4; /* words of the line that a lane asks for at once */

/* ---- Carrying: samples -------------------------------------------------- */

/* Words from any address. */
template <int WORDS> struct Unaligned {
    uint32_t word[WORDS + 1];
    unsigned shift; /* bytes */

    __device__ void load(const void *from)
    {
        uintptr_t at = (uintptr_t)from;
        const uint32_t *aligned = (const uint32_t *)(at & ~(uintptr_t)3);

        shift = at & 3;
#pragma unroll
        for (int i = 0; i <= WORDS; i++)
            word[i] = __ldg(aligned + i);
    }

    /* The words, or the same backwards in units of 1 or 2 bytes. */
    __device__ void get(bool backwards, int unit, uint32_t *to) const
    {
        uint32_t order = !backwards ? 0x3210 : unit == 1 ? 0x0123 : 0x1032;
        uint32_t selector = order + 0x1111 * shift;

#pragma unroll
        for (int i = 0; i < WORDS; i++) {
            uint32_t low = backwards ? word[WORDS - 1 - i] : word[i];
            uint32_t high = backwards ? word[WORDS - i] : word[i + 1];
            to[i] = __byte_perm(low, high, selector);
        }
    }
};

/* The lowest four bits, each in a byte of its own. */
__device__ uint32_t spread_bits(uint32_t bits)
{
    return (bits & 0xf) * 0x00204081u & 0x01010101u;
}

/* The samples of a lane's chunk, on their way and then in scan order. */
template <bool DEEP, int CHUNK> struct Samples {
    Unaligned<CHUNK / 4> level_words;
    Unaligned<DEEP ? CHUNK / 2 : 1> tone_words;
    uint32_t level[CHUNK / 4];
    uint32_t tone[DEEP ? CHUNK / 2 : 1];
    uint32_t pattern; /* from the top bit */

    __device__ void load(const Lane &lane, int begin)
    {
        int x = lane.column(begin) - (lane.step < 0 ? CHUNK - 1 : 0);

        level_words.load(lane.level + x);
        if (DEEP)
            tone_words.load(lane.tone + x);
    }

    __device__ void arrange(const Lane &lane, const uint32_t *pattern_words,
                            int begin)
    {
        bool left = lane.step < 0;

        level_words.get(left, 1, level);
        if (DEEP)
            tone_words.get(left, 2, tone);

        int x = lane.column(begin) - (left ? CHUNK - 1 : 0);
        unsigned at = (unsigned)(x + lane.pattern_shift) % HT_PATTERN_SIZE;
        const uint32_t *row = pattern_words + lane.pattern_row;
        uint32_t bits =
            __funnelshift_l(row[(at / 32 + 1) % 4], row[at / 32], at % 32);
        pattern = (left ? __brev(bits >> (32 - CHUNK)) : bits) ^ lane.invert;
    }

    /* What lies outside the segment is white. */
    __device__ void cut(const Lane &lane, int begin)
    {
        int from = min(max(-begin, 0), CHUNK);
        int to = min(max(lane.length - begin, from), CHUNK);
        uint32_t inside = (uint32_t)((1ull << to) - (1ull << from));

#pragma unroll
        for (int i = 0; i < CHUNK; i += 4)
            level[i / 4] &= spread_bits(inside >> i) * 0xff;
        if (DEEP)
#pragma unroll
            for (int i = 0; i < CHUNK; i += 2)
                tone[i / 2] &= ((inside >> i & 3) * 0x8001 & 0x10001) * 0xffff;
    }

    __device__ bool all_white() const
    {
        uint32_t any = 0;

#pragma unroll
        for (int i = 0; i < CHUNK / 4; i++)
            any |= level[i];
        return any == 0;
    }

    /* Whether some byte is 0 or 255: all its bits are the same. */
    __device__ bool some_forced() const
    {
        uint32_t others = 0x80808080u;

#pragma unroll
        for (int i = 0; i < CHUNK / 4; i++) {
            uint32_t changes = (level[i] ^ level[i] >> 1) & 0x7f7f7f7fu;
            others &= changes + 0x7f7f7f7fu;
        }
        return others != 0x80808080u;
    }
};

/* ---- Carrying: pixels --------------------------------------------------- */

/* Says where the pixels' entries are. */
template <bool DEEP, int CHUNK>
__device__ void fill_entries(Stage<CHUNK> &stage,
                             const Samples<DEEP, CHUNK> &in, int copies,
                             int self)
{
    const uint32_t size = copies * ENTRY;
    const uint32_t copy = (self & (copies - 1)) * ENTRY;
    const uint32_t sizes = size | size * HT_LEVELS << 16;
    const uint32_t pattern = __brev(in.pattern);

#pragma unroll
    for (int i = 0; i < CHUNK; i += 4) {
        /* The pattern's bits as bytes, and each beside its level. */
        uint32_t dots = spread_bits(pattern >> i);
        uint32_t left = __byte_perm(in.level[i / 4], dots, 0x5140);
        uint32_t right = __byte_perm(in.level[i / 4], dots, 0x7362);
        uint32_t at[4] = {
            __dp2a_lo(sizes, left, copy), __dp2a_hi(sizes, left, copy),
            __dp2a_lo(sizes, right, copy), __dp2a_hi(sizes, right, copy)};

        if (DEEP)
#pragma unroll
            for (int k = 0; k < 4; k++)
                at[k] |= (in.tone[(i + k) / 2] >> k % 2 * 16 & 0xffff)
                         << PLACE_BITS;
        *(uint4 *)&stage.entry[self][i] = {at[0], at[1], at[2], at[3]};
    }
}

/* Gives the pixel of one of the segment's ends an entry of its own, if it lies
 * in the chunk: shares that would leave the segment are not split off. */
template <int CHUNK, class Tables>
__device__ void keep_in(Stage<CHUNK> &stage, const Tables &tables,
                        const Lane &lane, int begin, int edge)
{
    int place = edge < EDGES - 1 ? edge : max(lane.length - 1, EDGES - 1);
    if (place < begin || place >= begin + CHUNK || place >= lane.length)
        return;

    int &word = stage.entry[lane.index][place - begin];
    int from = word & ((1 << PLACE_BITS) - 1);
    int to = tables.edge_place(edge, lane.index);
    Pixel pixel;
    Spread spread;

    tables.read(from, pixel, spread);
    int target = place + spread.column();
    if (place == lane.length - 1)
        pixel.right = 0;
    if (place < 1)
        spread.minus1 = 0;
    if (!lane.has(target))
        spread.other = 0;
    tables.write(to, pixel, spread);
    word += to - from;
}

template <int CHUNK, class Tables>
__device__ void keep_ends_in(Stage<CHUNK> &stage, const Tables &tables,
                             const Lane &lane, int begin)
{
    if (__any_sync(ALL, begin < EDGES - 1 && begin + CHUNK > 0))
        for (int edge = 0; edge < EDGES - 1; edge++)
            keep_in(stage, tables, lane, begin, edge);
    keep_in(stage, tables, lane, begin, EDGES - 1);
}

/* ---- Carrying: the error line ------------------------------------------- */

/* The lanes of a stream carry its errors together: each lane those of columns
 * row, row + rows.. of a chunk, ERRORS at a time. */
static_assert(SEGMENT_CHUNK % (ERRORS * MOST_ROWS) == 0 &&
                  ROW_CHUNK % (ERRORS * MOST_ROWS) == 0,
              "these are all columns");

/* What keepers of a strip carry. */
struct Carried {
    const Lane &lane;
    uint32_t *line;  /* of the band */
    int rows;        /* lanes of a stream */
    int last_row;    /* that the strip has */
    uint32_t number; /* of the strip */
};

/* What first rows inherit, as far as it has come. */
struct Inheritance {
    uint32_t word[ERRORS];

    /* Asks for the errors at place, place + rows.. of the segment. Where it
     * has none they are 0. */
    __device__ void load(const Carried &carried, int place)
    {
#pragma unroll
        for (int a = 0; a < ERRORS; a++, place += carried.rows) {
            const uint32_t *from = carried.line + carried.lane.line_at(place);

            word[a] = carried.number << 16;
            if (carried.lane.has(place))
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

    /* Puts them at to[0], to[rows]..; some bits of the result are ones if some
     * error is not 0. */
    __device__ int put(int *to, int rows) const
    {
        int any = 0;

#pragma unroll
        for (int a = 0; a < ERRORS; a++) {
            int error = (int16_t)word[a];

            any |= error;
            to[a * rows] = error;
        }
        return any;
    }
};

/* Waits until the errors from `place` on are there, or the host gives up. */
__device__ void await(Inheritance &inherited, const Carried &carried, int place,
                      const int *stop, bool &stopped, bool nap)
{
    for (unsigned spins = 1; inherited.late(carried); spins++) {
        if (spins % 1024 == 0 && *(const volatile int *)stop)
            stopped = true;
        if (*(volatile bool *)&stopped)
            break;
        if (nap)
            __nanosleep(NAP);
        inherited.load(carried, place);
    }
}

/* Passes the last row's errors of a chunk on to the next strip; the first is
 * that of `place`. */
template <int CHUNK>
__device__ void pass_on(const Stage<CHUNK> &stage, const Carried &carried,
                        int place)
{
    const Lane &lane = carried.lane;
    const int rows = carried.rows, last = lane.index - lane.row;
    const int *error = &stage.error[last + carried.last_row][lane.row];

    place += lane.row;
    for (int from = 0; from < CHUNK; from += ERRORS * rows) {
        uint32_t word[ERRORS];

#pragma unroll
        for (int a = 0; a < ERRORS; a++)
            word[a] = error_word(error[from + a * rows], carried.number + 1);
#pragma unroll
        for (int a = 0; a < ERRORS; a++, place += rows) {
            uint32_t *to = carried.line + lane.line_at(place);

            if (lane.has(place))
                store_relaxed(to, word[a]);
        }
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

/* The feeder's part of a strip. */
template <bool DEEP, int CHUNK, class Tables>
__device__ void feed_strip(Shared<CHUNK> &shared, const Tables &tables,
                           const ht_gpu_plan &plan, const ht_gpu_band &band,
                           const Lane &lane, int chunks, Passages &passages)
{
    Samples<DEEP, CHUNK> samples;
    int turn = 0;

    samples.load(lane, -lane.lag);
    prefetch_strip(plan, band, lane);
    for (int n = 0; n < chunks + STAGES; n++, turn = next_stage(turn)) {
        Stage<CHUNK> &stage = shared.stage[turn];
        int begin = n * CHUNK - lane.lag;

        if (n >= STAGES)
            pass_gate(shared.done, passages, turn);
        if (n >= chunks)
            continue;
        bool edge =
            __any_sync(ALL, lane.length > 0 && !lane.interior(begin, CHUNK));
        samples.arrange(lane, shared.pattern, begin);
        samples.load(lane, begin + CHUNK);
        prefetch_chunk(lane, begin + PREFETCH_COLUMNS);
        bool forced = samples.some_forced();
        if (edge)
            samples.cut(lane, begin);
        fill_entries(stage, samples, tables.copies(), lane.index);
        if (edge)
            keep_ends_in(stage, tables, lane, begin);
        stage.flags.forced = __any_sync(ALL, lane.works && forced);
        stage.flags.inked = __any_sync(ALL, lane.works && !samples.all_white());
        arrive(shared.full[turn]);
    }
}

/* A keeper's part of a strip: the chunks of stage `turn`. */
template <int CHUNK>
__device__ void keep_strip(Shared<CHUNK> &shared, const ht_gpu_plan &plan,
                           const ht_gpu_band &band, const Strip &strip,
                           const Lane &lane, int chunks, int turn, bool nap,
                           Passages &passages)
{
    Stage<CHUNK> &stage = shared.stage[turn];
    const Carried carried = {lane, band.line, (int)plan.rows,
                             (int)strip.rows - 1, strip.number};
    Inheritance inherited;

    for (int n = turn; n < chunks + STAGES; n += STAGES) {
        int past = (n - STAGES) * CHUNK;
        int top = n * CHUNK - lane.top_lag + lane.row;
        int any = 0;

        if (n < chunks)
            inherited.load(carried, top);
        if (past >= 0) {
            pass_gate(shared.done, passages, turn);
            pass_on(stage, carried, past - lane.last_lag - HT_GPU_REACH);
            put_dots<CHUNK>(lane, past - lane.lag, stage.dots[lane.index]);
            __syncwarp();
        }
        if (n >= chunks)
            break;
        for (int from = 0; from < CHUNK; from += ERRORS * carried.rows) {
            if (from > 0)
                inherited.load(carried, top + from);
            await(inherited, carried, top + from, band.stop, shared.stopped,
                  nap);
            any |= inherited.put(&stage.error[lane.index - lane.row][lane.row] +
                                     from,
                                 carried.rows);
        }
        /* Lanes without a row of a short strip carry some of its errors, too.
         */
        stage.flags.inherits = __any_sync(ALL, any != 0);
        arrive(shared.full[turn]);
    }
}

} // namespace

#endif
