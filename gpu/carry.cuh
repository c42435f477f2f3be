/*
 * carry.cuh - the warps that carry: samples to the diffusing warp, errors
 * from the strip before and to the next, dots to the page.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HT_GPU_CARRY_CUH
#define HT_GPU_CARRY_CUH

#include "gpu/stage.cuh"

namespace
{

constexpr int PREFETCH_STRIPS = 2;
constexpr int PREFETCH_COLUMNS = 512;
constexpr unsigned NAP = 200; /* ns between looks for errors that are late */
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

/* The samples of a lane's chunk, on their way and then in scan order. */
template <bool DEEP> struct Samples {
    Unaligned<CHUNK / 4> level_words;
    Unaligned<DEEP ? CHUNK / 2 : 1> tone_words;
    uint32_t level[CHUNK / 4];
    uint32_t tone[DEEP ? CHUNK / 2 : 1];
    uint32_t outside[CHUNK / 4]; /* bytes of all ones: not in the segment */
    uint32_t pattern;            /* from the top bit */

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

#pragma unroll
        for (int i = 0; i < CHUNK / 4; i++)
            outside[i] = 0;
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
#pragma unroll
        for (int i = 0; i < CHUNK; i++) {
            if (begin + i < 0 || begin + i >= lane.length) {
                outside[i / 4] |= 0xffu << i % 4 * 8;
                level[i / 4] &= ~outside[i / 4];
                if (DEEP)
                    tone[i / 2] &= ~(0xffffu << i % 2 * 16);
            }
        }
    }

    __device__ bool all_white() const
    {
        uint32_t any = 0;

#pragma unroll
        for (int i = 0; i < CHUNK / 4; i++)
            any |= level[i];
        return any == 0;
    }

    /* Whether some byte is 0 or 255: incremented, it is 0 or 1. Nothing comes
     * to what lies outside, so its error need not be held. */
    __device__ bool some_forced() const
    {
        uint32_t any = 0;

#pragma unroll
        for (int i = 0; i < CHUNK / 4; i++) {
            uint32_t inside = level[i] | (outside[i] & 0x10101010u);
            uint32_t next =
                ((inside & 0x7f7f7f7fu) + 0x01010101u) ^ (inside & 0x80808080u);
            next &= 0xfefefefeu;
            any |= (next - 0x01010101u) & ~next & 0x80808080u;
        }
        return any != 0;
    }
};

/* ---- Carrying: pixels --------------------------------------------------- */

/* Says where the pixels' entries are. */
template <bool DEEP>
__device__ void fill_entries(Stage &stage, const Samples<DEEP> &in,
                             const Tables &tables, int self)
{
    const uint32_t size = tables.copies * sizeof(Pixel);
    const uint32_t copy = self % tables.copies * sizeof(Pixel);

#pragma unroll
    for (int i = 0; i < CHUNK; i += 4) {
        uint32_t at[4];

#pragma unroll
        for (int k = 0; k < 4; k++) {
            uint32_t level = __byte_perm(in.level[i / 4], 0, 0x4440 + k);
            uint32_t dot_there = in.pattern >> (31 - i - k) & 1;

            at[k] = (level + dot_there * HT_LEVELS) * size + copy;
            if (DEEP)
                at[k] |= (in.tone[(i + k) / 2] >> k % 2 * 16 & 0xffff)
                         << PLACE_BITS;
        }
        *(uint4 *)&stage.entry[self][i] = {at[0], at[1], at[2], at[3]};
    }
}

/* Gives the pixels at the segment's ends entries of their own: shares that
 * would leave the segment are not split off. */
__device__ void keep_in(Stage &stage, const Tables &tables, const Lane &lane,
                        int begin)
{
    for (int edge = 0; edge < EDGES; edge++) {
        int place = edge < EDGES - 1 ? edge : max(lane.length - 1, EDGES - 1);
        if (place < begin || place >= begin + CHUNK || place >= lane.length)
            continue;

        int &word = stage.entry[lane.index][place - begin];
        int from = word & ((1 << PLACE_BITS) - 1);
        int to = (HT_GPU_ENTRIES * tables.copies + edge * LANES + lane.index) *
                 (int)sizeof(Pixel);
        Pixel pixel = *(const Pixel *)(tables.pixel + from);
        Spread spread = *(const Spread *)(tables.spread + from);
        int target = place + spread.column();

        if (place == lane.length - 1)
            pixel.right = 0;
        if (place < 1)
            spread.minus1 = 0;
        if (target < 0 || target >= lane.length)
            spread.other = 0;
        *(Pixel *)(tables.pixel + to) = pixel;
        *(Spread *)(tables.spread + to) = spread;
        word += to - from;
    }
}

/* ---- Carrying: the error line ------------------------------------------- */

/*
 * The errors that first rows inherit in a chunk, which begins at their column
 * `top`: the lanes of a stream fetch them together, a column's when it is for
 * strip `number`.
 */
struct Inheritance {
    uint32_t word[ERRORS];

    /* Asks for columns from, from + rows.. of the chunk. */
    __device__ void load(const Lane &lane, int rows, int top, int from,
                         uint32_t number)
    {
#pragma unroll
        for (int a = 0; a < ERRORS; a++) {
            int i = from + a * rows, place = top + i;
            word[a] = number << 16;
            if (i < CHUNK && place >= 0 && place < lane.length)
                word[a] = load_relaxed(lane.line + lane.step * place);
        }
    }

    __device__ bool late(uint32_t number) const
    {
        bool any = false;

#pragma unroll
        for (int a = 0; a < ERRORS; a++)
            any |= (word[a] >> 16) != (number & 0xffff);
        return __any_sync(ALL, any);
    }
};

/* Puts them where they are diffused; `line` has asked for the first of them.
 * True if some error is not 0. */
__device__ bool fill_inherited(Inheritance &line, Stage &stage, Shared &shared,
                               const Lane &lane, int rows, int top,
                               uint32_t number, const int *stop)
{
    int any = 0;

    for (int from = lane.row; from - lane.row < CHUNK; from += ERRORS * rows) {
        if (from != lane.row)
            line.load(lane, rows, top, from, number);
        for (unsigned spins = 1; line.late(number); spins++) {
            if (spins % 1024 == 0 && *(const volatile int *)stop)
                shared.stopped = true;
            if (*(volatile bool *)&shared.stopped)
                break;
            __nanosleep(NAP);
            line.load(lane, rows, top, from, number);
        }
#pragma unroll
        for (int a = 0; a < ERRORS; a++) {
            int i = from + a * rows, error = (int16_t)line.word[a];
            any |= error;
            if (i < CHUNK)
                stage.error[lane.index - lane.row][i] = error;
        }
    }
    return any != 0;
}

/* Passes the last row's errors on to the next strip. */
__device__ void pass_on(const Stage &stage, const Lane &lane, int rows,
                        int last_row, int begin, uint32_t number)
{
    const int last = lane.index - lane.row + last_row;

    for (int from = lane.row; from - lane.row < CHUNK; from += ERRORS * rows) {
#pragma unroll
        for (int a = 0; a < ERRORS; a++) {
            int i = from + a * rows, place = begin + i - HT_GPU_REACH;
            if (i < CHUNK && place >= 0 && place < lane.length)
                store_relaxed(lane.line + lane.step * place,
                              __byte_perm((uint32_t)stage.error[last][i],
                                          number + 1, 0x5410));
        }
    }
}

/* ---- Carrying: dots ----------------------------------------------------- */

/* Adds a lane's dots to its row, which others write to, too. */
__device__ void put_dots(const Lane &lane, int begin, uint32_t dots)
{
    int x = lane.column(begin);

    if (dots == 0 || lane.dots == NULL)
        return;
    if (lane.step < 0) {
        dots = __brev(dots) >> (32 - CHUNK);
        x -= CHUNK - 1;
    }
    int bit = lane.dots_bit + x;
    uint64_t wide = (uint64_t)dots << (64 - CHUNK) >> (bit & 31);
    uint32_t head = __byte_perm((uint32_t)(wide >> 32), 0, 0x0123);
    uint32_t tail = __byte_perm((uint32_t)wide, 0, 0x0123);
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
                                           band.row_step * plan.inks *
                                           plan.width;
    int lines = min(lane.length, PREFETCH_COLUMNS) / 128;

    for (int i = 0; i <= lines && lane.works; i++)
        prefetch_line(next + lane.column(i * 128));
}

/* The feeder's part of a strip. */
template <bool DEEP>
__device__ void feed_strip(Shared &shared, const Tables &tables,
                           const ht_gpu_plan &plan, const ht_gpu_band &band,
                           const Lane &lane, int chunks)
{
    Samples<DEEP> samples;
    int turn = 0;

    samples.load(lane, -lane.lag);
    prefetch_strip(plan, band, lane);
    for (int n = 0; n < chunks + STAGES; n++, turn = next_stage(turn)) {
        Stage &stage = shared.stage[turn];
        int begin = n * CHUNK - lane.lag;

        if (n >= STAGES)
            wait(done(turn));
        if (n >= chunks)
            continue;
        bool edge = __any_sync(ALL, lane.length > 0 && !lane.interior(begin));
        samples.arrange(lane, shared.pattern, begin);
        samples.load(lane, begin + CHUNK);
        prefetch_chunk(lane, begin + PREFETCH_COLUMNS);
        if (edge)
            samples.cut(lane, begin);
        fill_entries(stage, samples, tables, lane.index);
        if (edge)
            keep_in(stage, tables, lane, begin);
        stage.flags.forced =
            __any_sync(ALL, lane.works && samples.some_forced());
        stage.flags.inked = __any_sync(ALL, lane.works && !samples.all_white());
        arrive(full(turn));
    }
}

/* A keeper's part of a strip: the chunks of its stage. */
__device__ void keep_strip(Shared &shared, const ht_gpu_plan &plan,
                           const ht_gpu_band &band, const Strip &strip,
                           const Lane &lane, int chunks, int turn)
{
    Stage &stage = shared.stage[turn];
    const int rows = (int)plan.rows;
    Inheritance line;

    for (int n = turn; n < chunks + STAGES; n += STAGES) {
        int from = n * CHUNK, past = from - STAGES * CHUNK;
        int top = from - lane.top_lag;

        if (n < chunks)
            line.load(lane, rows, top, lane.row, strip.number);
        if (past >= 0) {
            wait(done(turn));
            if (lane.length > 0)
                pass_on(stage, lane, rows, (int)strip.rows - 1,
                        past - lane.last_lag, strip.number);
            put_dots(lane, past - lane.lag, stage.dots[lane.index]);
            __syncwarp();
        }
        if (n >= chunks)
            break;
        bool inherits = fill_inherited(line, stage, shared, lane, rows, top,
                                       strip.number, band.stop);
        stage.flags.inherits = __any_sync(ALL, lane.works && inherits);
        arrive(full(turn));
    }
}

} // namespace

#endif
