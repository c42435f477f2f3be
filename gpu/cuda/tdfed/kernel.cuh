/*
 * kernel.cuh - TDFED's kernel, what the diffuser does: the chain from pixel to
 * pixel, doc/dev/halftone.md "A pixel". The __global__ function around it,
 * which gives warps their roles, is in diffuse.cuh.
 *
 * A lane walks along a row, some columns behind the lane of the row above: what
 * it needs of it comes by shuffle, DELAY pixels before its use, off the chain.
 * Where inks meet, together.cuh, there are other ways.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HT_GPU_TDFED_KERNEL_CUH
#define HT_GPU_TDFED_KERNEL_CUH

#include "gpu/cuda/line.cuh"
#include "gpu/cuda/tdfed/targets.cuh"
#include "gpu/cuda/tdfed/lookup.cuh"

namespace
{

constexpr int NONE = -1; /* no stage */

/* The chain: what later pixels have got so far from the pixels of a lane. x is
 * the column of the last pixel, counted in scan direction. */
template <int DELAY> struct Chain {
    int left;       /* what x + 1 gets in this row */
    int e;          /* x's error, not yet spread over the next row, */
    Spread weights; /* and the weights to spread it with */
    int down, behind_down, ahead_down; /* the rest of it, and noise, where they
                                          go */
    /* Sums so far of the next row's x + 1, x, .. x - 3. */
    int b0, b1, b2, b3, b4;
    int out;              /* sum of the next row's x - 4, which is complete */
    int inherited[DELAY]; /* sent by the row above, the oldest first */
    /* A bit a pixel, that of x the lowest: it took the larger of its sizes, or
     * if K::MISSES it did not. */
    uint32_t took;

    __device__ bool zero() const
    {
        int any = left | e | down | b0 | b1 | b2 | b3 | b4 | out;

#pragma unroll
        for (int i = 0; i < DELAY; i++)
            any |= inherited[i];
        return any == 0;
    }
};

/* Appends a value to a queue and returns its first, which leaves it. */
template <int LENGTH> __device__ int pass(int (&queue)[LENGTH], int value)
{
    int first = queue[0];

#pragma unroll
    for (int i = 1; i < LENGTH; i++)
        queue[i - 1] = queue[i];
    queue[LENGTH - 1] = value;
    return first;
}

/* The lanes and errors that a lane gets from. Shares that it does not get are
 * multiplied by 0, which costs nothing where the product is added to something.
 */
struct Neighbours {
    int has_above; /* 1; 0: a first row, which inherits from the sweep before */
    int top_at;    /* bytes from a stage to what the row inherits from the sweep
                      before */
    bool is_last;  /* row of the sweep, which leaves errors to the next sweep */
};

/* The parameters of a kernel. */
template <bool DEEP_, int CHUNK_, bool PACKED_, int TEAMS_, int INKS_ = 0,
          bool SIZES_ = false>
struct Kind {
    static constexpr int INKS = INKS_; /* that meet, at most; 0: none do */
    static constexpr bool MEETS = INKS > 0;
    static constexpr bool DEEP = DEEP_;   /* samples have 16 bits */
    static constexpr bool SIZES = SIZES_; /* drops have several */
    static_assert(DEEP || !SIZES, "several sizes need tones");
    static constexpr int CHUNK = CHUNK_;
    static constexpr bool PACKED = PACKED_; /* its tables are, lookup.cuh */
    static constexpr int TEAMS = TEAMS_;    /* of a block */
    /* A warp of its own finds the wishes of nearness.cuh; else the feeder
     * does, which takes longer for a chunk than the diffuser. */
    static constexpr bool WISHES = MEETS && TEAMS == 1;
    static constexpr int WARPS = 2 + WISHES + STAGES; /* of a team */
    static constexpr int THREADS = WARPS * LANES;
    /* Pixels from a shuffle to the use of its number. A longer way makes lags
     * longer. */
    static constexpr int DELAY = MEETS ? 1 : 3;
    static constexpr int AHEAD = /* pixels from an entry's load to its use */
        MEETS ? 2 : 4;
    /* Columns that are one stretch of instructions, where inks meet: few, since
     * instruction caches are small and a crowd's teams share them. */
    static constexpr int STRETCH = TEAMS == 1 ? 8 : 4;
    static constexpr Lags LAGS = MEETS ? lags_together(INKS) : lags_of(DELAY);
    /* Blocks that must fit on a multiprocessor: bounds a thread's registers. */
    static constexpr int BLOCKS = TEAMS > 1 || (MEETS && !PACKED) ||
                                          (SIZES && (MEETS || !PACKED))
                                      ? 1
                                      : 3;
    using Stage = ::Stage<CHUNK, MEETS>;
    using Shared = ::Shared<CHUNK, INKS, SIZES>;
    using Word = ::Word<DEEP, SIZES>;
    static constexpr int QUARTERS = Shared::QUARTERS;
    /* Copies of the entries that a crowd has room for if inks meet; 0: as many
     * as the device has room for. */
    static constexpr int COPIES = PACKED ? 0 : TEAMS == 1 ? 8 : MEETS ? 4 : 0;
    using Tables = ::Tables<PACKED, TEAMS, COPIES>;
    /* Chain::took has misses: what a comparison yields. */
    static constexpr bool MISSES = MEETS || SIZES;
};

/* Returns the error of a white or solid pixel, whose tone is its dot's: three
 * quarters of what it got, clamped to half a dot, rounded towards 0. */
__device__ int forced_error(int got)
{
    constexpr int half = HT_ONE / 2;
    /* Half a dot is added, so that rounding is of positive numbers; and 1 more
     * to a negative one, whose rounding down so becomes rounding up. */
    int held =
        __viaddmin_s32_relu(got, half + (int)((unsigned)got >> 31), HT_ONE);

    return (held * 3 - half * 3) >> 2;
}

/* Returns the error of a pixel that got so much, `e` if it is toned (`forced`
 * is 0, else -1). Not a choice but a product: for a choice the compiler makes a
 * branch at each pixel, between which it cannot mix the instructions of
 * several. */
__device__ int error_of(int forced, int e, int got)
{
    return e + (e - forced_error(got)) * forced;
}

/* The pixels that a lane has loaded ahead, beyond the end of their chunk if the
 * next one is full. */
template <class K> struct Ahead {
    const typename K::Tables &tables;
    const Spans<K::SIZES> &spans;
    const int self;
    const int top_at; /* Neighbours::top_at */
    Flags flags;      /* of the chunk that begins next, */
    int4 top;         /* and what the row inherits at its first columns */
    int4 word;        /* words of the pixels to load next */
    Pixel pixel[K::AHEAD];
    Spread spread[K::AHEAD];
    Span span[K::SIZES ? K::AHEAD : 1];
    SpanEnds ends[K::SIZES ? K::AHEAD : 1];

    __device__ Ahead(const typename K::Tables &tables,
                     const Spans<K::SIZES> &spans, int self, int top_at)
        : tables(tables), spans(spans), self(self), top_at(top_at)
    {
    }

    /* Returns what the row inherits from the sweep before at columns i..i+3 of
     * a chunk; 0 but for first rows. */
    __device__ int4 top_of(const typename K::Stage &stage, int i) const
    {
        return *(const int4 *)((const char *)&stage + top_at +
                               i * (int)sizeof(int));
    }

    /* Loads the flags and first words of a full chunk. */
    __device__ void begin(const typename K::Stage &stage)
    {
        flags = stage.flags;
        word = *(const int4 *)stage.entry[self];
        if constexpr (!K::MEETS)
            top = top_of(stage, 0);
    }

    /* Loads the parameters of pixel i mod 4 of the four whose words it has. */
    __device__ void fetch(int i)
    {
        const int at = word_of(word, i);
        Pixel &p = pixel[i % K::AHEAD];

        tables.read(K::Word::offset(at), p, spread[i % K::AHEAD]);
        if (K::DEEP) {
            p.tone = K::Word::tone(at);
            if (!K::MEETS && !K::SIZES)
                p.limit -= p.tone;
        }
        if constexpr (K::SIZES) {
            const int number = K::Word::span(at);

            span[i % K::AHEAD] = spans.span[number];
            ends[i % K::AHEAD] = spans.ends[number];
        }
    }

    /* Return what the pixel's span says, where drops have several sizes. */
    __device__ const Span &span_at(int i) const
    {
        return span[K::SIZES ? i % K::AHEAD : 0];
    }

    __device__ const SpanEnds &ends_at(int i) const
    {
        return ends[K::SIZES ? i % K::AHEAD : 0];
    }

    /* Fetches pixel i of a chunk; after the last of four also loads the next
     * four words. */
    __device__ void fetch(const typename K::Stage &stage, int i)
    {
        fetch(i);
        if (i % 4 == 3 && i + 1 < K::CHUNK)
            word = *(const int4 *)&stage.entry[self][i + 1];
    }

    /* Loads the first pixels of a full chunk, when no chunk before it could. */
    __device__ void begin_anew(const typename K::Stage &stage)
    {
        begin(stage);
#pragma unroll
        for (int i = 0; i < K::AHEAD; i++)
            fetch(stage, i);
    }
};

/* Holds a sum to 16 bits. */
__device__ int held_16(int sum)
{
    return max(min(sum, INT16_MAX), INT16_MIN);
}

/* Spreads the error of the last pixel over the next row, and moves the sums on
 * by a column. ASIDE: some of it may go aside. */
template <bool ASIDE, int DELAY> __device__ void spread_error(Chain<DELAY> &c)
{
    const Spread &w = c.weights;
    int m1 = share(c.e, w.minus1), other = share(c.e, w.other);
    int rest = c.e - c.left - m1;

    c.out = __dp2a_lo(other, w.far, c.b4);
    c.b4 = c.b3;
    c.b3 = __dp2a_hi(other, w.columns, c.b2);
    c.b2 = c.b1 + m1;
    if (ASIDE) {
        c.out = held_16(c.out);
        c.b2 += c.behind_down;
        c.b1 = c.b0 + c.down;
        c.b0 = __dp2a_lo(other, w.columns, c.ahead_down);
    } else {
        c.b1 = c.b0 - other + rest;
        c.b0 = __dp2a_lo(other, w.columns, 0);
    }
}

/* The diffuser's way along a task's chunks. */
template <class K> struct Walk {
    typename K::Shared &shared;
    Passages &passages;
    int at;      /* stage of this chunk, */
    int quarter; /* and its quarter of lights */
    int more;    /* chunks of the task behind it */

    __device__ typename K::Stage &stage() const
    {
        return shared.stage[at];
    }

    __device__ typename K::Stage &next() const
    {
        return shared.stage[next_stage(at)];
    }

    /* Returns the words of targets.cuh for pixels i..i+3 of this chunk. */
    __device__ int4 targets(int self, int i) const
    {
        return *(const int4 *)&shared.targets[at][self][i];
    }

    /* Returns whether there is a next chunk and it is known to be full. */
    __device__ bool next_is_full() const
    {
        int next = next_stage(at);

        return passed(shared.full[next], odd_at(passages, next)) & (more > 0);
    }

    /* Goes on to the next chunk, which is full. */
    __device__ void go_on()
    {
        at = next_stage(at);
        quarter = (quarter + 1) % K::QUARTERS;
        more--;
        count_passage(passages, at);
    }
};

/* Hands a chunk over to its keeper, with what its last four columns leave in
 * `below`. */
template <class K>
__device__ void hand_over(typename K::Shared &shared, int stage, int self,
                          const int4 &below)
{
    *(int4 *)&shared.stage[stage].error[self][K::CHUNK - 4] = below;
    arrive(shared.done[stage]);
}

/* Diffuses a pixel: moves the chain on to the next one, but for what the pixel
 * leaves below. `over`: its limit less what it has got, negative for a dot.
 * Returns -1 for a dot, else 0. */
template <bool SOME_FORCED, int DELAY>
__device__ int diffuse_pixel(Chain<DELAY> &c, const Pixel &p, const Spread &w,
                             int forced, int over, int got)
{
    if (SOME_FORCED && forced)
        over = p.tone > 0 ? -1 : 0;
    const int dot = sign_of(over);
    const int most = 2 * HT_ONE - 1;

    /* Clamped before the dot is taken off. Without a dot, got + tone is below
     * the threshold and so below ONE: only the lower clamp can act. With a dot
     * it is above 0: only the upper one can. So, too, what is got need not be
     * held to 16 bits. */
    c.e = max(__viaddmin_s32(got, p.tone, most), -HT_ONE) + dot * HT_ONE;
    if (SOME_FORCED)
        c.e = error_of(forced, c.e, got);
    c.left = share(c.e, p.right);
    c.weights = w;
    return dot;
}

/* diffuse_pixel() for drops of several sizes. `before` plus the share from the
 * left is the pixel's u; `threshold` is T. Returns the drop. */
template <bool SOME_FORCED, int DELAY>
__device__ Drop diffuse_drop(Chain<DELAY> &c, const Pixel &p, const Spread &w,
                             const Span &span, const SpanEnds &ends, int forced,
                             int threshold, int before, int got)
{
    const Drop drop = {sign_of(c.left + (before - threshold)),
                       sign_of(c.left + (before - span.beyond)),
                       sign_of(span.most - before - c.left)};

    c.e = error_of_drop(c.left, before, span, ends, drop.less(span, ends));
    if (SOME_FORCED)
        c.e = error_of(forced, c.e, got);
    c.left = share(c.e, p.right);
    c.weights = w;
    return drop;
}

/* Takes off the weights of targets that are not toned. */
__device__ void keep_to_toned(const TargetWord &targets, Pixel &p, Spread &w)
{
    p.right = targets.says(TARGET_AHEAD) ? p.right : 0;
    w.minus1 = targets.below(-1) ? w.minus1 : 0;
    w.other = targets.takes(w.columns, w.far) ? w.other : 0;
}

/* Returns what is left of an error whose shares are split off. */
template <int DELAY> __device__ int rest_of(const Chain<DELAY> &c)
{
    return c.e - c.left - share(c.e, c.weights.minus1) -
           share(c.e, c.weights.other);
}

/* Gives the rest of a pixel's error on to where there is a toned pixel, and
 * noise below. */
template <int DELAY>
__device__ void give_rest(Chain<DELAY> &c, const TargetWord &targets)
{
    const int rest = rest_of(c);
    const bool ahead = targets.says(REST_AHEAD);
    const bool behind_down = targets.says(REST_BEHIND_DOWN);
    const bool ahead_down = targets.says(REST_AHEAD_DOWN);

    c.left += ahead ? rest : 0;
    c.behind_down = behind_down ? rest : 0;
    c.ahead_down = ahead_down ? rest : 0;
    c.down = (ahead || behind_down || ahead_down ? 0 : rest) +
             (targets.says(NOISE) ? targets.number() : 0);
}

/*
 * Diffuses chunks from walk.at on, until the next one is of another kind
 * (SOME_FORCED: its Flags::forced), not known to be full, or not of this task.
 * Returns whether `ahead` has loaded that one's first pixels.
 *
 * The chain from pixel to pixel is `left`: how long it takes is how long a page
 * takes.
 *
 * Some pixels before a chunk's end this looks whether the next one is full. If
 * so, the last pixels load the first ones of the next. If not, they load pixels
 * of their own chunk, in vain: with no branch, the pixels of a chunk stay one
 * stretch of instructions. The shares that a pixel leaves below are computed
 * while the next one is diffused, in the next chunk, too, so a chunk is handed
 * over there.
 */
template <class K, bool SOME_FORCED>
__device__ bool diffuse_chunks(Walk<K> &walk, const Neighbours &next_to,
                               const Above<K> &above, Ahead<K> &ahead,
                               Chain<K::DELAY> &chain)
{
    constexpr int CHUNK = K::CHUNK, AHEAD = K::AHEAD;
    Chain<K::DELAY> c = chain;
    int done = NONE; /* stage of a chunk that is to be handed over, */
    int4 below = {}; /* and what the last four columns leave */
    int last = -(int)(c.took & 1); /* c.took's number for x */
    int2 four = above.four(c.took, 0), next_four = {};
    bool ready, again;

    do {
        typename K::Stage &stage = walk.stage();
        const typename K::Stage *next = &stage;
        int4 top = ahead.top, next_top = {}, words = {};
        uint32_t dots = 0; /* if these are not Chain::took */

#pragma unroll
        for (int i = 0; i < CHUNK; i++) {
            Pixel p = ahead.pixel[i % AHEAD];
            Spread w = ahead.spread[i % AHEAD];
            [[maybe_unused]] const Span span = ahead.span_at(i);
            [[maybe_unused]] const SpanEnds ends = ahead.ends_at(i);

            spread_error<SOME_FORCED>(c);
            word_of(below, i + 3) = c.out;
            if (i > 0 && i % 4 == 0 && next_to.is_last)
                *(int4 *)&stage.error[ahead.self][i - 4] = below;
            if (i == 0 && done != NONE)
                hand_over<K>(walk.shared, done, ahead.self, below);

            /* From the row above. */
            int sent = pass(c.inherited, __shfl_sync(ALL, c.out, above.lane));
            if (i % 4 == 0)
                next_four = above.four(c.took, 4);
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

            int limit = above.limit(p, four, i, last);
            const int inherits = sent * next_to.has_above + word_of(top, i);
            const int got = c.left + inherits;
            const int forced = SOME_FORCED ? is_forced<K>(p) : 0;
            TargetWord targets = {};
            if constexpr (K::SIZES)
                limit = low_of(span) + part_of_span(span, limit);
            if constexpr (SOME_FORCED) {
                if (i % 4 == 0)
                    words = walk.targets(ahead.self, i);
                targets.word = word_of(words, i);
                keep_to_toned(targets, p, w);
                if (targets.says(THRESHOLD))
                    limit = K::SIZES ? targets.number()
                                     : targets.number() - 1 - p.tone;
            }
            if constexpr (K::SIZES) {
                const Drop drop = diffuse_drop<SOME_FORCED>(
                    c, p, w, span, ends, forced, limit, inherits + p.tone, got);
                dots = drop.add_to(dots, ends);
                last = drop.low;
            } else {
                last = diffuse_pixel<SOME_FORCED>(
                    c, p, w, forced, limit - inherits - c.left, got);
                if (SOME_FORCED)
                    dots = dots * 2 - (uint32_t)last;
            }
            if constexpr (SOME_FORCED) {
                last = K::MISSES ? last | forced : last & ~forced;
                give_rest(c, targets);
            }
            c.took = __funnelshift_l((uint32_t)last, c.took, 1);
            if (i % 4 == 3) {
                top = next_top;
                four = next_four;
            }
        }
        stage.dots[ahead.self] = K::SIZES || SOME_FORCED
                                     ? dots
                                     : c.took & (uint32_t)((1ull << CHUNK) - 1);
        done = walk.at;
        again = ready && ahead.flags.of_kind(SOME_FORCED);
        if (again)
            walk.go_on();
    } while (again);
    below.w = __dp2a_lo(share(c.e, c.weights.other), c.weights.far, c.b4);
    if (SOME_FORCED)
        below.w = held_16(below.w);
    hand_over<K>(walk.shared, done, ahead.self, below);
    if (!SOME_FORCED) {
        c.down = rest_of(c);
        c.behind_down = c.ahead_down = 0;
    }
    chain = c;
    return ready;
}

/* Passes over a chunk to which nothing comes and of which nothing is left: no
 * errors, no dots. */
template <class K>
__device__ void leave_blank(Walk<K> &walk, Chain<K::DELAY> &chain, int self)
{
    typename K::Stage &stage = walk.stage();

#pragma unroll
    for (int i = 0; i < K::CHUNK; i += 4)
        *(int4 *)&stage.error[self][i] = {};
    stage.dots[self] = 0;
    chain.took = K::MISSES ? ~0u : 0;
    arrive(walk.shared.done[walk.at]);
}

/* Finds a lane's neighbours: lanes are [segments][inks][rows]. */
template <class K>
__device__ Neighbours find_neighbours(const Lane &lane, int last_row)
{
    const bool has_above = lane.row > 0;
    using Stage = typename K::Stage;
    const size_t top_at =
        offsetof(Stage, error) + lane.index * sizeof(Row<K::CHUNK>);

    return {opaque(has_above),
            (int)(has_above ? offsetof(Stage, none[NONE_AT]) : top_at),
            lane.row == last_row};
}

/* Stores in the error line what the last row leaves at its last columns, which
 * no chunk has room for: `position` is the first of these. The lane is beyond
 * its segment's end, where it has no error, so these errors are complete. */
__device__ void pass_on_rest(const int4 &left, const ht_gpu_band &band,
                             const Task &task, const Lane &lane, int position)
{
    const int rest[HT_GPU_REACH] = {held_16(left.x), held_16(left.y),
                                    held_16(left.z), held_16(left.w)};

#pragma unroll
    for (int i = 0; i < HT_GPU_REACH; i++)
        if (lane.row + 1 == (int)task.rows && lane.has(position + i))
            store_relaxed(band.line + lane.line_at(position + i),
                          error_word(rest[i], task.sweep + 1));
}

/* The diffuser's part of a task of `chunks` chunks, the first of which has
 * number `turn`. */
template <class K>
__device__ void
diffuse_task(typename K::Shared &shared, const typename K::Tables &tables,
             const ht_gpu_band &band, const Task &task, const Lane &lane,
             int chunks, int turn, Passages &passages)
{
    const Neighbours next_to = find_neighbours<K>(lane, (int)task.rows - 1);
    const Above<K> above(shared.dots_above, lane);
    Chain<K::DELAY> chain = {};
    Ahead<K> ahead(tables, shared, lane.index, next_to.top_at);
    Walk<K> walk = {shared, passages, turn % STAGES, turn % K::QUARTERS,
                    chunks - 1};

    pass_gate(shared.full[walk.at], passages, walk.at);
    ahead.begin_anew(walk.stage());
    for (;;) {
        bool begun = false;

        if (ahead.flags.may_be_blank() &&
            !__any_sync(ALL, lane.works && !chain.zero()))
            leave_blank(walk, chain, lane.index);
        else if (ahead.flags.forced)
            begun = diffuse_chunks<K, true>(walk, next_to, above, ahead, chain);
        else
            begun =
                diffuse_chunks<K, false>(walk, next_to, above, ahead, chain);
        if (walk.more == 0)
            break;
        if (!begun)
            wait(shared.full[next_stage(walk.at)],
                 odd_at(passages, next_stage(walk.at)));
        walk.go_on();
        if (!begun)
            ahead.begin_anew(walk.stage());
    }
    pass_on_rest({chain.b3, chain.b2, chain.b1, chain.b0}, band, task, lane,
                 chunks * K::CHUNK - lane.lag - HT_GPU_REACH);
}

} // namespace

#endif
