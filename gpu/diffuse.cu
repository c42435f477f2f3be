/*
 * diffuse.cu - error diffusion on the GPU, doc/halftone.md "A pixel".
 *
 * A block does a strip of rows of some segments, all inks, chunk by chunk of
 * columns. One of its warps diffuses: a lane walks along a row, some columns
 * behind the lane of the row above and the ink before, so that what it needs
 * of them comes by shuffle, off the chain from pixel to pixel. The other warps
 * carry, two for each chunk on the way: a feeder fetches what its pixels need
 * to where the diffusing warp finds it; a keeper brings the errors that the
 * strip before has left, and takes away errors and dots.
 *
 * Strips hand the error on through the line in device memory, word by word:
 * an error shares its word with the number of the strip that it is for, so a
 * reader that finds the right number has the right error, and neither needs a
 * fence or a flag. A block takes strips by ticket, in order, and each waits
 * only for strips of smaller tickets, which some block has: no number of
 * resident blocks can deadlock.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "gpu/band.h"
#include "halftone/internal.h"

namespace {

constexpr int LANES = 32;
constexpr unsigned ALL = 0xffffffffu;
constexpr int STAGES = 3; /* chunks on the way at the same time */
constexpr int WARPS = 1 + 2 * STAGES;
constexpr int CHUNK = 16;   /* columns */
constexpr int DELAY = 2;    /* pixels from a shuffle to the use */
constexpr int ROW_LAG = HT_GPU_REACH + 1 + DELAY; /* columns */
constexpr int INK_LAG = 1 + DELAY;                /* columns */
constexpr int REACH = HT_GPU_REACH;
constexpr int PREFETCH_STRIPS = 2;
constexpr int PREFETCH_COLUMNS = 1024;
constexpr int AHEAD = 4; /* words of the line that a lane asks for at once */

static_assert(HT_GPU_PAD >= LANES * (ROW_LAG + INK_LAG) +
                                (STAGES + 2) * CHUNK,
              "lanes that have not begun or have ended read in the padding");

/* ---- What the warps share ------------------------------------------------- */

/* What a pixel needs, ready for use. */
struct Threshold {
    int threshold; /* t - 1 - a */
    int tone;
    int right; /* weight (0,+1) */
    int avoid;
};
struct Weights {
    int minus1;        /* weight (1,-1) */
    int other;         /* weight of another column of the next row: */
    int plus1, minus2; /* all ones: it is +1, -2; else it is -3 */
};

/* A chunk, filled by its feeder and its keeper, diffused, and emptied by the
 * keeper. */
struct alignas(16) Stage {
    Threshold threshold[CHUNK][LANES];
    Weights weights[CHUNK][LANES];
    /* The last lane of a stream has what the first row inherits. The rows'
     * length spreads four words of each lane over all banks. */
    int inherited[LANES][CHUNK + 4];
    int below[LANES][CHUNK + 4]; /* for the next row, three columns back */
    uint32_t dots[LANES];        /* from the top bit of the low half */
    int forced;                  /* some pixel is white or solid */
    int inked;                   /* some is not white */
    int inherits;                /* some error is inherited */
};

struct Shared {
    Stage stage[STAGES];
    uint4 entries[HT_GPU_ENTRIES];
    uint32_t pattern[HT_PATTERN_BYTES / 4]; /* leftmost in the top bit */
    uint32_t ticket;
    int diffuser; /* the warp that diffuses */
    bool stopped;
};

/* Named barriers of the diffusing warp and the two that carry a stage: it is
 * full, it is done. Number 0 is the block's. */
__device__ void arrive(int barrier)
{
    asm volatile("bar.arrive %0, %1;" ::"r"(barrier), "n"(3 * LANES)
                 : "memory");
}

__device__ void wait(int barrier)
{
    asm volatile("bar.sync %0, %1;" ::"r"(barrier), "n"(3 * LANES) : "memory");
}

__device__ int full(int stage)
{
    return 1 + stage;
}

__device__ int done(int stage)
{
    return 1 + STAGES + stage;
}

/* ---- A lane ------------------------------------------------------------- */

/* Where a lane works: its stream (one ink of a segment), and its row. */
struct Lane {
    int index;
    int row, ink;         /* of the strip, of the page */
    int stream;           /* of the warp */
    int lag;              /* steps before it begins */
    int top_lag, last_lag; /* the same of the stream's first and last row */
    bool works;           /* it has a row and a segment */
    int step;             /* +1 going right, -1 going left */
    int first;            /* column */
    int length;           /* columns; 0: no segment */
    const uint8_t *level; /* of column 0 */
    const int16_t *tone;
    uint32_t *line;       /* the stream's error line, of column `first` */
    uint32_t pattern_row; /* its first word */
    uint32_t invert;      /* all ones: the pattern is inverted */
    int pattern_shift;    /* columns */
    uint32_t *dots;       /* the word that column 0 is in; NULL: not wanted */
    int dots_bit;         /* its bit there, from the left of the first byte */

    __device__ int column(int place) const
    {
        return first + step * place;
    }

    /* Whether columns begin..begin+CHUNK-1 lie inside the segment, away from
     * where shares have to be kept in. */
    __device__ bool interior(int begin) const
    {
        return begin >= REACH && begin + CHUNK < length;
    }
};

/* A strip of a group of segments. */
struct Strip {
    uint64_t row;    /* the first, counted with the pre-roll */
    uint32_t in_band; /* rows of the band before it */
    uint32_t rows;   /* that it has */
    uint32_t number; /* of the page's strips */
    uint32_t group;  /* of segments */
    uint32_t shift;  /* the first cut */
    bool left;       /* it runs from right to left */
};

__device__ Strip find_strip(const ht_gpu_plan &plan, const ht_gpu_band &band,
                            uint32_t ticket)
{
    uint32_t index = ticket / plan.groups;
    Strip strip;

    strip.group = ticket % plan.groups;
    strip.in_band = index * plan.rows;
    strip.row = band.row + strip.in_band;
    strip.rows = min(plan.rows, band.rows - strip.in_band);
    strip.number = band.strip + index;
    uint64_t swath = strip.row >> plan.swath_log2;
    strip.shift = band.shifts[swath - (band.row >> plan.swath_log2)];
    strip.left = swath & 1;
    return strip;
}

/* Columns begin..end-1 of segment `index`; empty if there is none. */
__device__ void find_segment(const ht_gpu_plan &plan, uint32_t shift,
                             uint32_t index, int *begin, int *end)
{
    uint64_t length = plan.segment, width = plan.width;
    uint64_t behind = (shift ? shift : length) + index * length;
    uint64_t from = index == 0 ? 0 : behind - length;

    *begin = (int)min(from, width);
    *end = (int)min(behind, width);
    if (plan.segment == 0)
        *end = index == 0 ? (int)plan.width : *begin;
}

__device__ Lane place_lane(const ht_gpu_plan &plan, const ht_gpu_band &band,
                           const Strip &strip)
{
    Lane lane;
    int begin, end;

    lane.index = threadIdx.x % LANES;
    lane.stream = lane.index / plan.rows;
    lane.row = lane.index % plan.rows;
    lane.ink = lane.stream % plan.inks;
    lane.top_lag = DELAY + lane.ink * INK_LAG;
    lane.lag = lane.top_lag + lane.row * ROW_LAG;
    lane.last_lag = lane.top_lag + ((int)strip.rows - 1) * ROW_LAG;
    find_segment(plan, strip.shift,
                 strip.group * plan.segments + lane.stream / plan.inks, &begin,
                 &end);
    bool has_segment =
        lane.stream < plan.segments * plan.inks && begin < end;
    lane.works = has_segment && lane.row < (int)strip.rows;
    lane.length = has_segment ? end - begin : 0;
    lane.step = has_segment && strip.left ? -1 : 1;
    lane.first = !has_segment ? 0 : strip.left ? end - 1 : begin;
    lane.line = band.line + (size_t)lane.ink * plan.width + lane.first;

    size_t row = strip.in_band + (lane.works ? lane.row : 0);
    size_t plane = row * band.row_step * plan.inks + lane.ink;
    lane.level = band.level + plane * plan.width;
    lane.tone = band.tone + plane * plan.width;

    uint32_t pattern_row = (uint32_t)strip.row + lane.row + lane.ink / 2 * 79;
    lane.pattern_row = pattern_row % HT_PATTERN_SIZE * (HT_PATTERN_SIZE / 32);
    lane.pattern_shift = lane.ink / 2 * 37 + 4 * HT_GPU_PAD;
    lane.invert = lane.ink % 2 ? ALL : 0;

    size_t byte = (row * plan.inks + lane.ink) * ((plan.width + 7) / 8);
    lane.dots = lane.works && band.dots != NULL
                    ? (uint32_t *)band.dots + byte / 4
                    : NULL;
    lane.dots_bit = byte % 4 * 8;
    return lane;
}

/* Chunks until the last lane has left its segment. */
__device__ int count_chunks(const ht_gpu_plan &plan, const Lane &lane)
{
    int longest = __reduce_max_sync(ALL, lane.length);
    int lag = DELAY + ((int)plan.rows - 1) * ROW_LAG +
              ((int)plan.inks - 1) * INK_LAG;

    return (longest + REACH + lag + CHUNK - 1) / CHUNK;
}

/* ---- Diffusing ------------------------------------------------------------ */

/* What a lane carries from pixel to pixel. */
struct Chain {
    int left;             /* to the next pixel of the row */
    int b0, b1, b2, b3;   /* to the next row's columns +1, 0, -1, -2 */
    int out;              /* to its column -3, complete */
    int before;           /* dots minus tones of the inks up to this one */
    int inherited[DELAY]; /* what the row above has sent, */
    int looked[DELAY];    /* and the ink before */

    __device__ bool zero() const
    {
        return (left | b0 | b1 | b2 | b3 | out | before | inherited[0] |
                inherited[1] | looked[0] | looked[1]) == 0;
    }
};

static_assert(DELAY == 2, "Chain::zero() looks at two");

/* Whose errors and dots a lane sees. */
struct Neighbours {
    int above;     /* the lane; of a first row, the stream's last */
    int ink_rows;  /* lanes to the ink before */
    bool last_row; /* sends what the first row inherits */
    int behind;    /* 1: there is an ink before */
};

__device__ int held(int value, int limit)
{
    return max(-limit, min(value, limit));
}

/* R(e, w). */
__device__ int share(int e, int weight)
{
#ifdef WIDE
    return (int)(((long long)e * (weight << 17) + 0x80000000ll) >> 32);
#else
    return (e * weight + (1 << (HT_WEIGHT_BITS - 1))) >> HT_WEIGHT_BITS;
#endif
}

/* White and solid: three quarters of what is held to half a dot. */
__device__ int forced_error(int e)
{
    int three = 3 * held(e, HT_ONE / 2);

    return (three + (three >> 31 & 3)) >> 2;
}

/*
 * Diffuses a chunk: the chain from pixel to pixel is `left`. SOME_FORCED: some
 * pixel is white or solid. LOOKS: inks look at each other.
 */
template <bool LOOKS, bool SOME_FORCED>
__device__ void diffuse_chunk(Stage &stage, int self, const Neighbours &next_to,
                              Chain &chain)
{
    uint32_t dots = 0;
    Chain c = chain;
    int4 inherited, below;
    Threshold threshold[2] = {stage.threshold[0][self],
                              stage.threshold[1][self]};
    Weights weights[2] = {stage.weights[0][self], stage.weights[1][self]};

#pragma unroll
    for (int i = 0; i < CHUNK; i++) {
        const Threshold t = threshold[i % 2];
        const Weights w = weights[i % 2];

        if (i + 2 < CHUNK) {
            threshold[i % 2] = stage.threshold[i + 2][self];
            weights[i % 2] = stage.weights[i + 2][self];
        }
        if (i % 4 == 0)
            inherited = *(const int4 *)&stage.inherited[self][i];

        /* From the lanes above and of the ink before; to those below and of
         * the ink behind. */
        int inherits = c.inherited[i % 2], before = c.looked[i % 2];
        int top = i % 4 == 0   ? inherited.x
                  : i % 4 == 1 ? inherited.y
                  : i % 4 == 2 ? inherited.z
                               : inherited.w;
        c.inherited[i % 2] = __shfl_sync(
            ALL, next_to.last_row ? top : c.out, next_to.above);
        if (LOOKS)
            c.looked[i % 2] = __shfl_up_sync(ALL, c.before, next_to.ink_rows);

        int limit = t.threshold - inherits;
        if (LOOKS)
            limit += share(held(before, HT_ONE), t.avoid);
        bool dot = c.left > limit;

        /* A pixel without a dot lies below the threshold and so below a whole
         * dot, one with a dot above nothing: each is held on one side. */
        int u = c.left + inherits + t.tone;
        int e = dot ? min(u - HT_ONE, HT_ONE) : max(u, -HT_ONE);
        if (SOME_FORCED && (t.threshold == HT_GPU_WHITE ||
                            t.threshold == HT_GPU_SOLID))
            e = forced_error(e);

        c.left = share(e, t.right);
        int m1 = share(e, w.minus1), other = share(e, w.other);
        int p1 = other & w.plus1, m2 = other & w.minus2;
        int m3 = other - p1 - m2;
        c.out = c.b3 + m3;
        c.b3 = c.b2 + m2;
        c.b2 = c.b1 + m1;
        c.b1 = c.b0 + (e - c.left - m1) - other;
        c.b0 = p1;

        if (i % 4 == 0)
            below.x = c.out;
        else if (i % 4 == 1)
            below.y = c.out;
        else if (i % 4 == 2)
            below.z = c.out;
        else
            below.w = c.out;
        if (i % 4 == 3)
            *(int4 *)&stage.below[self][i - 3] = below;

        if (LOOKS)
            c.before = before * next_to.behind +
                       (dot ? HT_ONE - t.tone : -t.tone);
        if (dot)
            dots |= 1u << (CHUNK - 1 - i);
    }
    stage.dots[self] = dots;
    chain = c;
}

/* The diffusing warp's part of a strip. */
template <bool LOOKS>
__device__ void diffuse_strip(Shared &shared, const ht_gpu_plan &plan,
                              const Lane &lane, int chunks)
{
    const int self = lane.index, rows = (int)plan.rows;
    const Neighbours next_to = {
        lane.row > 0 ? self - 1 : self + rows - 1, rows,
        lane.row == rows - 1, lane.ink > 0};
    Chain chain = {};
    int turn = 0;

    for (int n = 0; n < chunks; n++) {
        Stage &stage = shared.stage[turn];

        wait(full(turn));
        bool forced = stage.forced;
        if (!forced) {
            diffuse_chunk<LOOKS, false>(stage, self, next_to, chain);
        } else if (stage.inked || stage.inherits ||
                   __any_sync(ALL, lane.works && !chain.zero())) {
            diffuse_chunk<LOOKS, true>(stage, self, next_to, chain);
        } else {
            /* Nothing comes and nothing leaves. */
#pragma unroll
            for (int i = 0; i < CHUNK; i += 4)
                *(int4 *)&stage.below[self][i] = {};
            stage.dots[self] = 0;
        }
        arrive(done(turn));
        turn = turn + 1 < STAGES ? turn + 1 : 0;
    }
}

/* ---- Carrying: samples ------------------------------------------------------ */

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
        uint32_t bits = __funnelshift_l(row[(at / 32 + 1) % 4], row[at / 32],
                                        at % 32);
        pattern = (left ? __brev(bits >> (32 - CHUNK)) : bits) ^ lane.invert;
    }

    /* What lies outside the segment is white. */
    __device__ void cut(const Lane &lane, int begin)
    {
#pragma unroll
        for (int i = 0; i < CHUNK; i++) {
            if (i % 4 == 0)
                outside[i / 4] = 0;
            if (begin + i < 0 || begin + i >= lane.length) {
                outside[i / 4] |= 0xffu << i % 4 * 8;
                if (DEEP)
                    tone[i / 2] &= ~(0xffffu << i % 2 * 16);
            }
            if (i % 4 == 3)
                level[i / 4] &= ~outside[i / 4];
        }
    }

    __device__ bool all_white() const
    {
        return (level[0] | level[1] | level[2] | level[3]) == 0;
    }

    /* Whether some byte is 0 or 255: incremented, it is 0 or 1. Nothing comes
     * to what lies outside, so its error need not be held. */
    __device__ bool some_forced() const
    {
        uint32_t any = 0;

#pragma unroll
        for (int i = 0; i < CHUNK / 4; i++) {
            uint32_t inside = level[i] | (outside[i] & 0x10101010u);
            uint32_t next = ((inside & 0x7f7f7f7fu) + 0x01010101u) ^
                            (inside & 0x80808080u);
            next &= 0xfefefefeu;
            any |= (next - 0x01010101u) & ~next & 0x80808080u;
        }
        return any != 0;
    }
};

/* All ones where the top bit of byte `BYTE` is set. */
template <int BYTE> __device__ int mask_of(uint32_t word)
{
    int mask;

    asm("prmt.b32 %0, %1, 0, %2;" : "=r"(mask)
        : "r"(word), "n"(0x1111 * (8 + BYTE)));
    return mask;
}

/* What a pixel of level and pattern as in the entry needs; `looks` is all
 * ones if the ink looks at others. */
__device__ void unpack(const uint4 &entry, uint32_t looks, Threshold &t,
                       Weights &w)
{
    t.threshold = (int16_t)entry.x;
    t.tone = (int)entry.x >> 16;
    t.right = entry.y & 0xffff;
    t.avoid = entry.y >> 16 & looks;
    w.minus1 = entry.z >> 16;
    w.other = entry.z & 0xffff;
    w.plus1 = mask_of<0>(entry.w);
    w.minus2 = mask_of<1>(entry.w);
}

/* Shares that would leave the segment from column `place` are not split off. */
__device__ void keep_in(const Lane &lane, int place, Threshold &t, Weights &w)
{
    int to = place + (w.plus1 ? 1 : w.minus2 ? -2 : -3);

    if (place == lane.length - 1)
        t.right = 0;
    if (place < 1)
        w.minus1 = 0;
    if (to < 0 || to >= lane.length)
        w.other = 0;
}

/* Puts what the pixels need where they are diffused. EDGE: some segment
 * begins or ends here. */
template <bool DEEP, bool EDGE>
__device__ void fill_stage(Stage &stage, const uint4 *entries,
                           const Samples<DEEP> &in, const Lane &lane,
                           int begin)
{
    constexpr int BATCH = 8; /* look-ups on the way at the same time */
    const uint32_t looks = lane.ink > 0 ? ALL : 0;

#pragma unroll
    for (int from = 0; from < CHUNK; from += BATCH) {
        uint4 entry[BATCH];

#pragma unroll
        for (int b = 0; b < BATCH; b++) {
            int i = from + b;
            uint32_t level = __byte_perm(in.level[i / 4], 0, 0x4440 + i % 4);
            uint32_t dot_there = in.pattern >> (31 - i) & 1;
            entry[b] = entries[level + HT_LEVELS * dot_there];
        }
#pragma unroll
        for (int b = 0; b < BATCH; b++) {
            int i = from + b;
            Threshold t;
            Weights w;

            unpack(entry[b], looks, t, w);
            if (EDGE)
                keep_in(lane, begin + i, t, w);
            if (DEEP) {
                t.tone = (int16_t)(in.tone[i / 2] >> i % 2 * 16);
                t.threshold -= t.tone;
            }
            stage.threshold[i][lane.index] = t;
            stage.weights[i][lane.index] = w;
        }
    }
}

/* ---- Carrying: the error line ------------------------------------------------ */

__device__ uint32_t load_relaxed(const uint32_t *word)
{
    uint32_t value;

    asm volatile("ld.relaxed.gpu.global.u32 %0, [%1];"
                 : "=r"(value)
                 : "l"(word)
                 : "memory");
    return value;
}

__device__ void store_relaxed(uint32_t *word, uint32_t value)
{
    asm volatile("st.relaxed.gpu.global.u32 [%0], %1;"
                 :
                 : "l"(word), "r"(value)
                 : "memory");
}

/*
 * The errors that first rows inherit in a chunk, which begins at their column
 * `top`: the lanes of a stream fetch them together, a column's when it is for
 * strip `number`.
 */
struct Inheritance {
    uint32_t word[AHEAD];

    /* Asks for columns from, from + rows.. of the chunk. */
    __device__ void load(const Lane &lane, int rows, int top, int from,
                         uint32_t number)
    {
#pragma unroll
        for (int a = 0; a < AHEAD; a++) {
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
        for (int a = 0; a < AHEAD; a++)
            any |= (word[a] >> 16) != (number & 0xffff);
        return __any_sync(ALL, any);
    }
};

/* Puts them where they are diffused; `line` has asked for the first of them.
 * True if some error is not 0. */
__device__ bool fill_inherited(Inheritance &line, Stage &stage,
                               Shared &shared, const Lane &lane, int rows,
                               int top, uint32_t number, const int *stop)
{
    int any = 0;

    for (int from = lane.row; from - lane.row < CHUNK; from += AHEAD * rows) {
        if (from != lane.row)
            line.load(lane, rows, top, from, number);
        for (unsigned spins = 1; line.late(number); spins++) {
            if (spins % 1024 == 0 && *(const volatile int *)stop)
                shared.stopped = true;
            if (*(volatile bool *)&shared.stopped)
                break;
            line.load(lane, rows, top, from, number);
        }
#pragma unroll
        for (int a = 0; a < AHEAD; a++) {
            int i = from + a * rows, error = (int16_t)line.word[a];
            any |= error;
            if (i < CHUNK)
                stage.inherited[lane.index - lane.row + rows - 1][i] = error;
        }
    }
    return any != 0;
}

/* Passes the last row's errors on to the next strip. */
__device__ void pass_on(const Stage &stage, const Lane &lane, int rows,
                        int last_row, int begin, uint32_t number)
{
    const int last = lane.index - lane.row + last_row;

    for (int from = lane.row; from - lane.row < CHUNK; from += AHEAD * rows) {
#pragma unroll
        for (int a = 0; a < AHEAD; a++) {
            int i = from + a * rows, place = begin + i - REACH;
            if (i < CHUNK && place >= 0 && place < lane.length)
                store_relaxed(lane.line + lane.step * place,
                              __byte_perm(stage.below[last][i], number + 1,
                                          0x5410));
        }
    }
}

/* ---- Carrying: dots ----------------------------------------------------------- */

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

/* ---- A strip ---------------------------------------------------------------- */

/* Calls the samples of the next strip that this block is likely to do. */
__device__ void prefetch_strip(const ht_gpu_plan &plan,
                               const ht_gpu_band &band, const Lane &lane, int turn)
{
    const uint8_t *next = lane.level + (size_t)PREFETCH_STRIPS * plan.rows *
                                           band.row_step * plan.inks *
                                           plan.width;
    int lines = min(lane.length, PREFETCH_COLUMNS) / 128;

    for (int i = turn; i <= lines && lane.works; i += STAGES)
        asm volatile("prefetch.global.L2 [%0];" ::"l"(
            next + lane.column(i * 128)));
}

/* A feeder's part of a strip: the chunks of its stage. */
template <bool DEEP>
__device__ void feed_strip(Shared &shared, const ht_gpu_plan &plan,
                           const ht_gpu_band &band, const Lane &lane,
                           int chunks, int turn)
{
    Stage &stage = shared.stage[turn];
    Samples<DEEP> samples;

    if (turn < chunks)
        samples.load(lane, turn * CHUNK - lane.lag);
    prefetch_strip(plan, band, lane, turn);
    for (int n = turn; n < chunks + STAGES; n += STAGES) {
        if (n >= STAGES)
            wait(done(turn));
        if (n >= chunks)
            break;

        int begin = n * CHUNK - lane.lag;
        bool edge = __any_sync(ALL, lane.length > 0 && !lane.interior(begin));
        samples.arrange(lane, shared.pattern, begin);
        if (edge) {
            samples.cut(lane, begin);
            fill_stage<DEEP, true>(stage, shared.entries, samples, lane,
                                   begin);
        } else {
            fill_stage<DEEP, false>(stage, shared.entries, samples, lane,
                                    begin);
        }
        bool forced = __any_sync(ALL, lane.works && samples.some_forced());
        bool inked = __any_sync(ALL, lane.works && !samples.all_white());
        stage.forced = forced || !inked;
        stage.inked = inked;
        arrive(full(turn));
        samples.load(lane, begin + STAGES * CHUNK);
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
        int top = from - lane.top_lag + DELAY;

        if (n < chunks)
            line.load(lane, rows, top, lane.row, strip.number);
        if (past >= 0) {
            wait(done(turn));
            if (lane.length > 0)
                pass_on(stage, lane, rows, (int)strip.rows - 1,
                        past - lane.last_lag, strip.number);
            put_dots(lane, past - lane.lag, stage.dots[lane.index]);
        }
        if (n >= chunks)
            break;
        bool inherits = fill_inherited(line, stage, shared, lane, rows, top,
                                       strip.number, band.stop);
        stage.inherits = __any_sync(ALL, lane.works && inherits);
        arrive(full(turn));
    }
}

/* ---- The kernel --------------------------------------------------------------- */

/* The hardware gives warps to the four schedulers in turn: the diffusing
 * warps of a multiprocessor's blocks shall not share one, and if there is only
 * this block have one for themselves. */
__device__ int choose_diffuser()
{
    unsigned slot;

    asm volatile("mov.u32 %0, %%warpid;" : "=r"(slot));
    return (WARPS - slot / WARPS - slot) % 4;
}

__device__ void begin_block(Shared &shared, const ht_gpu_band &band)
{
    const uint32_t *pattern = (const uint32_t *)band.pattern;
    const uint4 *entries = (const uint4 *)band.entries;

    for (int i = threadIdx.x; i < HT_GPU_ENTRIES; i += blockDim.x)
        shared.entries[i] = entries[i];
    for (int i = threadIdx.x; i < HT_PATTERN_BYTES / 4; i += blockDim.x)
        shared.pattern[i] = __byte_perm(pattern[i], 0, 0x0123);
    if (threadIdx.x == 0) {
        shared.diffuser = choose_diffuser();
        shared.stopped = false;
    }
}

template <bool DEEP, bool LOOKS>
__global__ __launch_bounds__(WARPS *LANES) void diffuse(
    const __grid_constant__ ht_gpu_plan plan,
    const __grid_constant__ ht_gpu_band band, uint32_t tickets)
{
    extern __shared__ uint4 memory[];
    Shared &shared = *(Shared *)memory;
    uint32_t next = 0;

    if (threadIdx.x == 0)
        next = atomicAdd(band.ticket, 1);
    begin_block(shared, band);
    for (;;) {
        if (threadIdx.x == 0)
            shared.ticket = next;
        __syncthreads();
        uint32_t ticket = shared.ticket;
        if (ticket >= tickets || shared.stopped)
            return;
        if (threadIdx.x == 0)
            next = atomicAdd(band.ticket, 1);

        Strip strip = find_strip(plan, band, ticket);
        Lane lane = place_lane(plan, band, strip);
        int chunks = count_chunks(plan, lane);
        int role = ((int)threadIdx.x / LANES - shared.diffuser + WARPS) % WARPS;
        if (role == 0)
            diffuse_strip<LOOKS>(shared, plan, lane, chunks);
        else if (role <= STAGES)
            feed_strip<DEEP>(shared, plan, band, lane, chunks, role - 1);
        else
            keep_strip(shared, plan, band, strip, lane, chunks,
                       role - 1 - STAGES);
        __syncthreads();
    }
}

/* A power of two, at most `most`. */
uint32_t power_of_two(uint32_t most)
{
    uint32_t power = 1;

    while (power * 2 <= most)
        power *= 2;
    return power;
}

using Kernel = void (*)(ht_gpu_plan, ht_gpu_band, uint32_t);

Kernel kernel_for(const struct ht_gpu_plan *plan)
{
    if (plan->bits == 8)
        return plan->inks == 1 ? diffuse<false, false> : diffuse<false, true>;
    return plan->inks == 1 ? diffuse<true, false> : diffuse<true, true>;
}

} // namespace

void ht_gpu_plan_make(struct ht_gpu_plan *plan, uint32_t width, uint32_t inks,
                      uint32_t bits, uint32_t swath, uint32_t segment)
{
    const uint32_t most = power_of_two(LANES / inks);

    *plan = {};
    plan->width = width;
    plan->inks = inks;
    plan->bits = bits;
    plan->segment = segment;
    plan->rows = swath == 0 ? most : min(swath, most);
    plan->segments = segment > 0 ? LANES / (plan->rows * inks) : 1;
    plan->groups = 1;
    if (segment > 0) {
        uint32_t cut = (width + segment - 1) / segment + 1;
        plan->groups = (cut + plan->segments - 1) / plan->segments;
    }
    while (plan->swath_log2 < 31 && 1u << plan->swath_log2 != swath)
        plan->swath_log2++;

    /* A serpentine strip begins where the one before ends, and so overlaps
     * with it only in other segments; Floyd-Steinberg's follow each other at
     * a distance. */
    uint32_t distance = plan->rows * ROW_LAG + inks * INK_LAG + 2 * CHUNK;
    plan->blocks = swath == 0 ? width / distance + 2 : 2 * plan->groups;
}

uint32_t ht_gpu_strips(const struct ht_gpu_plan *plan, uint32_t rows)
{
    return (rows + plan->rows - 1) / plan->rows;
}

cudaError_t ht_gpu_prepare(const struct ht_gpu_plan *plan)
{
    return cudaFuncSetAttribute((const void *)kernel_for(plan),
                                cudaFuncAttributeMaxDynamicSharedMemorySize,
                                sizeof(Shared));
}

cudaError_t ht_gpu_diffuse(const struct ht_gpu_plan *plan,
                           const struct ht_gpu_band *band,
                           cudaStream_t stream)
{
    uint32_t tickets = ht_gpu_strips(plan, band->rows) * plan->groups;
    uint32_t blocks = min(tickets, plan->blocks);

    kernel_for(plan)<<<blocks, WARPS * LANES, sizeof(Shared),
                       stream>>>(*plan, *band, tickets);
    return cudaGetLastError();
}
