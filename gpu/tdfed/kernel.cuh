/*
 * kernel.cuh - the diffusing warp: the chain from pixel to pixel,
 * doc/halftone.md "A pixel".
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HT_GPU_TDFED_KERNEL_CUH
#define HT_GPU_TDFED_KERNEL_CUH

#include "gpu/line.cuh"
#include "gpu/tdfed/lookup.cuh"

namespace
{

constexpr int AHEAD = 4; /* pixels that entries are fetched ahead */
constexpr int BEFORE = -HT_LEAST_BEFORE; /* added: it is never less than 0 */
constexpr int FAR = 1 << 24;             /* beyond what inks put too much */
constexpr int NONE = -1;                 /* in the place of a stage */

/* What a lane carries from pixel to pixel. */
template <int DELAY> struct Chain {
    int left;               /* to the next pixel of the row */
    int e;                  /* the error of this one, not yet shared below, */
    Spread weights;         /* and how it will be */
    int b0, b1, b2, b3, b4; /* to the next row's columns +1, 0, .. -3 */
    int out;                /* to the column that is complete, -4 */
    int before;             /* what the inks up to this one have put too much */
    int inherited[DELAY];   /* what the row above has sent, the oldest first, */
    int looked[DELAY];      /* and the ink before */

    __device__ bool zero() const
    {
        int any = left | e | b0 | b1 | b2 | b3 | b4 | out | before;

#pragma unroll
        for (int i = 0; i < DELAY; i++)
            any |= inherited[i] | looked[i];
        return any == 0;
    }
};

/* Puts `value` at the end of a queue and returns its first. */
template <int LENGTH> __device__ int pass(int (&queue)[LENGTH], int value)
{
    int first = queue[0];

#pragma unroll
    for (int i = 1; i < LENGTH; i++)
        queue[i - 1] = queue[i];
    queue[LENGTH - 1] = value;
    return first;
}

/* Whose errors and dots a lane sees. What it does not see is multiplied by 0,
 * which costs nothing where the product is added to something. */
struct Neighbours {
    int above;     /* the lane */
    int has_above; /* 1; 0: a first row, which inherits from the strip before */
    int top_at;    /* bytes from a stage to what the row inherits of that */
    int ink_rows;  /* lanes to the ink before */
    bool is_last;  /* row of the strip, which leaves errors to the next one */
    int shift, highest; /* hold what the inks before have put too much to
                           its range, BEFORE added; to BEFORE if none is */
};

/* What kind of pixels a kernel does. */
template <bool DEEP_, bool LOOKS_, int CHUNK_, bool PACKED_, int TEAMS_>
struct Kind {
    static constexpr bool DEEP = DEEP_;   /* samples have 16 bits */
    static constexpr bool LOOKS = LOOKS_; /* inks look at each other */
    static constexpr int CHUNK = CHUNK_;
    static constexpr bool PACKED = PACKED_; /* its tables are */
    static constexpr int TEAMS = TEAMS_;    /* of a block */
    /* Pixels from a shuffle to the use: the longer way costs lag, and pays only
     * where one ink leaves little else to do. */
    static constexpr int DELAY = LOOKS ? 2 : MOST_DELAY;
    /* Blocks that shall fit on a multiprocessor. */
    static constexpr int BLOCKS = TEAMS > 1 ? 1 : 3;
    using Stage = ::Stage<CHUNK>;
    using Shared = ::Shared<CHUNK>;
    using Tables = ::Tables<PACKED, TEAMS>;
};

/* R(e, w). */
__device__ int share(int e, int weight)
{
    return (e * weight + (1 << (HT_WEIGHT_BITS - 1))) >> HT_WEIGHT_BITS;
}

/* The error of a white or solid pixel, whose tone is its dot's: three quarters
 * of what it got, held to half a dot, rounded towards 0. */
__device__ int forced_error(int got)
{
    constexpr int half = HT_ONE / 2;
    /* Half a dot is added, and 1 to what is negative, so that to round down is
     * to round it up. */
    int held =
        __viaddmin_s32_relu(got, half + (int)((unsigned)got >> 31), HT_ONE);

    return (held * 3 - half * 3) >> 2;
}

/* Word i of four. */
__device__ int &word_of(int4 &four, int i)
{
    return i % 4 == 0   ? four.x
           : i % 4 == 1 ? four.y
           : i % 4 == 2 ? four.z
                        : four.w;
}

/* What a lane has fetched ahead of the pixels that it diffuses, beyond the
 * end of their chunk. */
template <class K> struct Ahead {
    const typename K::Tables &tables;
    const int self;
    const int top_at; /* as in Neighbours */
    Flags flags;      /* of the chunk that begins next, */
    int4 top;         /* and what the row inherits there */
    int4 word;        /* where the next pixels are */
    Pixel pixel[AHEAD];
    Spread spread[AHEAD];

    __device__ Ahead(const typename K::Tables &tables, int self, int top_at)
        : tables(tables), self(self), top_at(top_at)
    {
    }

    /* What a row inherits at columns i..i+3 of a chunk. */
    __device__ int4 top_of(const typename K::Stage &stage, int i) const
    {
        return *(const int4 *)((const char *)&stage + top_at +
                               i * (int)sizeof(int));
    }

    /* Asks for the first words of a chunk that is full. */
    __device__ void begin(const typename K::Stage &stage)
    {
        flags = stage.flags;
        word = *(const int4 *)stage.entry[self];
        top = top_of(stage, 0);
    }

    /* Asks for pixel i of a chunk. */
    __device__ void fetch(const typename K::Stage &stage, int i)
    {
        const int at = word_of(word, i);
        Pixel &p = pixel[i % AHEAD];

        tables.read(Word<K::DEEP>::place(at), p, spread[i % AHEAD]);
        if (K::DEEP) {
            p.tone = Word<K::DEEP>::tone(at);
            p.limit -= p.tone * LIMIT_ONE;
        }
        if (i % 4 == 3 && i + 1 < K::CHUNK)
            word = *(const int4 *)&stage.entry[self][i + 1];
    }

    /* Asks for the first pixels of a chunk, where none came before. */
    __device__ void begin_anew(const typename K::Stage &stage)
    {
        begin(stage);
#pragma unroll
        for (int i = 0; i < AHEAD; i++)
            fetch(stage, i);
    }
};

/* Spreads the error of the pixel before over the next row. */
template <int DELAY> __device__ void spread_error(Chain<DELAY> &c)
{
    const Spread &w = c.weights;
    int m1 = share(c.e, w.minus1), other = share(c.e, w.other);
    int rest = c.e - c.left - m1;

    c.out = __dp2a_lo(other, w.far, c.b4);
    c.b4 = __dp2a_hi(other, w.far, c.b3);
    c.b3 = __dp2a_hi(other, w.columns, c.b2);
    c.b2 = c.b1 + m1;
    c.b1 = c.b0 - other + rest;
    c.b0 = __dp2a_lo(other, w.columns, 0);
}

/* The walk along a strip's chunks. */
template <int CHUNK> struct Walk {
    Shared<CHUNK> &shared;
    Passages &passages;
    int at;   /* the stage of this chunk */
    int more; /* chunks behind it */

    __device__ Stage<CHUNK> &stage() const
    {
        return shared.stage[at];
    }

    __device__ Stage<CHUNK> &next() const
    {
        return shared.stage[next_stage(at)];
    }

    /* Whether there is a next chunk, and it is known to be full. */
    __device__ bool next_is_full() const
    {
        int next = next_stage(at);

        return passed(shared.full[next], odd_at(passages, next)) & (more > 0);
    }

    /* On to the next chunk, which is full. */
    __device__ void go_on()
    {
        at = next_stage(at);
        more--;
        count_passage(passages, at);
    }
};

/* Hands a chunk over; `below` is what its last columns leave. */
template <int CHUNK>
__device__ void hand_over(Shared<CHUNK> &shared, int stage, int self,
                          const int4 &below)
{
    *(int4 *)&shared.stage[stage].error[self][CHUNK - 4] = below;
    arrive(shared.done[stage]);
}

/*
 * Diffuses chunks until one is of another kind, or not full yet, or the last.
 * The chain from pixel to pixel is `left`. SOME_FORCED: pixels are white or
 * solid.
 *
 * Near a chunk's end this looks whether the next one is full. If so, it fetches
 * the first pixels of that, and at the end returns true. If not, it does the
 * same with pixels of its own, for nothing: with no branch, the pixels of a
 * chunk stay one stretch of instructions. What a pixel leaves below is left to
 * the next pixel, in the next chunk, too, so that no chunk waits for it.
 */
template <class K, bool SOME_FORCED>
__device__ bool diffuse_chunks(Walk<K::CHUNK> &walk, const Neighbours &next_to,
                               Ahead<K> &ahead, Chain<K::DELAY> &chain)
{
    constexpr int CHUNK = K::CHUNK;
    Chain<K::DELAY> c = chain;
    int done = NONE; /* the stage of a chunk that is to be handed over, */
    int4 below = {}; /* and what the last four columns leave */
    bool ready, again;

    do {
        typename K::Stage &stage = walk.stage();
        const typename K::Stage *next = &stage;
        int4 top = ahead.top, next_top = {};
        uint32_t dots = 0;

#pragma unroll
        for (int i = 0; i < CHUNK; i++) {
            const Pixel p = ahead.pixel[i % AHEAD];
            const Spread w = ahead.spread[i % AHEAD];

            spread_error(c);
            word_of(below, i + 3) = c.out;
            if (i > 0 && i % 4 == 0 && next_to.is_last)
                *(int4 *)&stage.error[ahead.self][i - 4] = below;
            if (i == 0 && done != NONE)
                hand_over(walk.shared, done, ahead.self, below);

            /* From the lanes above and of the ink before; to those below and
             * of the ink behind. */
            int sent =
                pass(c.inherited, __shfl_sync(ALL, c.out, next_to.above));
            int before = 0; /* BEFORE added */
            if (K::LOOKS)
                before = __viaddmin_s32_relu(
                    pass(c.looked,
                         __shfl_up_sync(ALL, c.before, next_to.ink_rows)),
                    next_to.shift, next_to.highest);
            if (i + AHEAD < CHUNK)
                ahead.fetch(stage, i + AHEAD);
            else
                ahead.fetch(*next, i + AHEAD - CHUNK);
            if (i + AHEAD + 3 == CHUNK)
                ready = walk.next_is_full();
            if (i + AHEAD + 1 == CHUNK) {
                ready = __all_sync(ALL, ready);
                next = ready ? &walk.next() : &stage;
                ahead.begin(*next);
            }
            if (i % 4 == 0 && i + 4 < CHUNK)
                next_top = ahead.top_of(stage, i + 4);

            const int limit = p.limit + p.avoid * before;
            const int inherits = sent * next_to.has_above + word_of(top, i);
            const int got = c.left + inherits;
            const int dot = sign_of(limit - got * LIMIT_ONE);

            /* A pixel without a dot lies below the threshold and so below a
             * whole dot, one with a dot above nothing: what holds the one does
             * nothing to the other. */
            c.e = max(__viaddmin_s32(got, p.tone, 2 * HT_ONE), -HT_ONE) +
                  dot * HT_ONE;
            if (SOME_FORCED && p.forced())
                c.e = forced_error(got);
            c.left = share(c.e, p.right);
            c.weights = w;
            if (i % 4 == 3)
                top = next_top;
            if (K::LOOKS)
                c.before = before - BEFORE - c.e;
            dots = dots * 2 - (uint32_t)dot;
        }
        stage.dots[ahead.self] = dots;
        done = walk.at;
        again = ready && ahead.flags.of_kind(SOME_FORCED);
        if (again)
            walk.go_on();
    } while (again);
    below.w = __dp2a_lo(share(c.e, c.weights.other), c.weights.far, c.b4);
    hand_over(walk.shared, done, ahead.self, below);
    chain = c;
    return ready;
}

/* Nothing comes and nothing leaves. */
template <int CHUNK> __device__ void leave_blank(Walk<CHUNK> &walk, int self)
{
    Stage<CHUNK> &stage = walk.stage();

#pragma unroll
    for (int i = 0; i < CHUNK; i += 4)
        *(int4 *)&stage.error[self][i] = {};
    stage.dots[self] = 0;
    arrive(walk.shared.done[walk.at]);
}

/* Lanes are [segments][inks][rows]. */
template <class K>
__device__ Neighbours find_neighbours(const Lane &lane, int rows, int last_row)
{
    const bool has_above = lane.row > 0, behind = lane.rank > 0;
    using Stage = typename K::Stage;
    const size_t top_at =
        offsetof(Stage, error) + lane.index * sizeof(Row<K::CHUNK>);

    return {has_above ? lane.index - 1 : lane.index,
            opaque(has_above),
            (int)(has_above ? offsetof(Stage, none[NONE_AT]) : top_at),
            rows,
            lane.row == last_row,
            behind ? BEFORE : FAR,
            behind ? BEFORE + HT_ONE - 1 : BEFORE};
}

/* Passes on what the last row leaves to its last columns, which lie behind the
 * last chunk: from `place` on. The lane has left its segment, where it has no
 * error, and so these are complete. */
template <int DELAY>
__device__ void pass_on_rest(const Chain<DELAY> &c, const ht_gpu_band &band,
                             const Strip &strip, const Lane &lane, int place)
{
    const int rest[HT_GPU_REACH] = {c.b3, c.b2, c.b1, c.b0};

#pragma unroll
    for (int i = 0; i < HT_GPU_REACH; i++)
        if (lane.row + 1 == (int)strip.rows && lane.has(place + i))
            store_relaxed(band.line + lane.line_at(place + i),
                          error_word(rest[i], strip.number + 1));
}

/* The diffusing warp's part of a strip, from stage `turn` on. */
template <class K>
__device__ void diffuse_strip(typename K::Shared &shared,
                              const typename K::Tables &tables,
                              const ht_gpu_plan &plan, const ht_gpu_band &band,
                              const Strip &strip, const Lane &lane, int chunks,
                              int turn, Passages &passages)
{
    const Neighbours next_to =
        find_neighbours<K>(lane, (int)plan.rows, (int)strip.rows - 1);
    Chain<K::DELAY> chain = {};
    Ahead<K> ahead(tables, lane.index, next_to.top_at);
    Walk<K::CHUNK> walk = {shared, passages, turn, chunks - 1};

    pass_gate(shared.full[turn], passages, turn);
    ahead.begin_anew(walk.stage());
    for (;;) {
        bool begun = false;

        if (ahead.flags.may_be_blank() &&
            !__any_sync(ALL, lane.works && !chain.zero()))
            leave_blank(walk, lane.index);
        else if (ahead.flags.forced)
            begun = diffuse_chunks<K, true>(walk, next_to, ahead, chain);
        else
            begun = diffuse_chunks<K, false>(walk, next_to, ahead, chain);
        if (walk.more == 0)
            break;
        if (!begun)
            wait(shared.full[next_stage(walk.at)],
                 odd_at(passages, next_stage(walk.at)));
        walk.go_on();
        if (!begun)
            ahead.begin_anew(walk.stage());
    }
    pass_on_rest(chain, band, strip, lane,
                 chunks * K::CHUNK - lane.lag - HT_GPU_REACH);
}

} // namespace

#endif
