/*
 * together.cuh - TDFED's diffuser where inks meet: doc/dev/halftone.md "Inks
 * together", whose letters are in brackets here.
 *
 * The light that the inks before reflect at a pixel goes from ink to ink by
 * shuffle. What a row leaves for the next one goes through lines, Stage::line
 * and Shared::light, since that row is too far behind for a shuffle: its first
 * ink needs the light of this row's last ink. A and M, which depend on tones
 * alone, come in words of nearness.cuh.
 *
 * Dots and what follows from them are the chain, which decides how long a page
 * takes; all else fills its gaps. So a threshold is compared with LIMIT_BITS
 * fraction bits: R(s, v) then is a product and a mask, without a shift.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HT_GPU_TDFED_TOGETHER_CUH
#define HT_GPU_TDFED_TOGETHER_CUH

#include "gpu/cuda/tdfed/kernel.cuh"
#include "gpu/cuda/tdfed/nearness.cuh"

namespace
{

/* Columns of a line that are read and written at once. */
constexpr int GROUP = 4;

/* As Chain, of inks together. x is the last pixel. */
struct Meeting {
    int left;        /* what x + 1 gets of the company (left_k) */
    int kept[GROUP]; /* what the last pixels leave below (V) */
    int sent;        /* to the next ink, of x: L */
    int queued;      /* received, for x + 1 */
    int rest;        /* of the light that x leaves below */
    int shine;       /* what x - 1 has left below (U') */

    __device__ bool zero() const
    {
        int any = left | (sent ^ HT_ONE) | (queued ^ HT_ONE) | rest | shine;

#pragma unroll
        for (int i = 0; i < GROUP; i++)
            any |= kept[i];
        return any == 0;
    }
};

/* Place of a lane among the inks. */
struct Party {
    int absorbs; /* (f) */
    int behind;  /* ~0; 0: its ink is the first */
    int rank, row;
    int segment;       /* of the task */
    int light_row;     /* its row of Lights::light */
    int light_ahead;   /* columns that it writes light ahead */
    int heir;          /* the lane whose line it writes */
    bool ends;         /* the last row of the sweep, or none of it */
    bool leaves_light; /* the last ink of a row of the sweep */
};

template <class K>
__device__ Party find_party(const ht_gpu_plan &plan, const Lane &lane,
                            int last_row)
{
    const int inks = (int)plan.inks, rows = (int)plan.rows;
    const bool beyond = lane.row > last_row, ends = lane.row == last_row;
    const int segment = lane.strip / inks;

    return {rules_of(plan, lane.ink).absorbs,
            lane.rank > 0 ? ~0 : 0,
            lane.rank,
            lane.row,
            segment,
            segment * rows + lane.row,
            ends ? 0 : K::LAGS.row - K::LAGS.ink * inks,
            beyond ? lane.index
            : ends ? lane.index - lane.row
                   : lane.index + 1,
            beyond || ends,
            lane.rank == inks - 1 && !beyond};
}

/* Adds two numbers, and holds the sum. */
__device__ int held_sum(int a, int b)
{
    return max(__viaddmin_s32(a, b, HT_ONE - 1), 1 - HT_ONE);
}

/* ---- Lines -------------------------------------------------------------- */

/* A word of Stage::line: the error in its low half, the company above it. */
struct Inherited {
    int word;

    __device__ int error_and(int sum) const
    {
        return __dp2a_lo(word, 0x0001, sum);
    }

    __device__ int company_and(int sum) const
    {
        return __dp2a_lo(word, 0x0100, sum);
    }
};

__device__ int inherited_word(int error, int company)
{
    return (int)__byte_perm((uint32_t)error, (uint32_t)company, 0x5410);
}

/* Places of a lane's lines, in a chunk's stage and quarter and in the next
 * ones, as bytes in Shared. The next one's are less the bytes of a chunk, so
 * that a column beyond the chunk counts on. */
template <class K> struct Places {
    static constexpr int SPAN = K::CHUNK * sizeof(int);
    static constexpr int RING = K::QUARTERS * SPAN;
    static constexpr int AHEAD = K::LAGS.row - HT_GPU_REACH;
    static_assert(AHEAD <= K::CHUNK && AHEAD % GROUP == 0,
                  "what is written at once is in one stage");
    int here, next; /* where it writes its heir's line */
    int light, lit; /* where it writes light, and the first column's place in
                       that, which is a ring */
    int ring, inherits; /* where its light is, and the first column's in that */

    __device__ Places(const typename K::Shared &shared, int stage, int quarter,
                      const Party &party, int self)
    {
        const int ahead = party.ends ? 0 : AHEAD * (int)sizeof(int);
        const auto &to = shared.stage[stage],
                   &behind = shared.stage[next_stage(stage)];

        here = bytes(shared, to.line[party.heir]) + ahead;
        next = party.ends
                   ? here
                   : bytes(shared, behind.line[party.heir]) + ahead - SPAN;

        const int light_ahead = party.light_ahead * (int)sizeof(int);
        const int row_below =
            bytes(shared, shared.light[party.light_row + !party.ends]);

        ring = bytes(shared, shared.light[party.light_row]);
        inherits = quarter * SPAN - K::LAGS.ink * party.rank * (int)sizeof(int);
        light = party.ends ? bytes(shared, to.light[party.segment]) : row_below;
        lit = party.ends ? 0 : quarter * SPAN + light_ahead;
    }

    __device__ static int bytes(const typename K::Shared &shared, const int *at)
    {
        return (int)((const char *)at - (const char *)&shared);
    }

    /* Returns the light that the row inherits at columns i..i+3. */
    __device__ int4 light_at(const typename K::Shared &shared, int i) const
    {
        const char *const base = (const char *)&shared + ring;
        const int at = inherits + i * (int)sizeof(int);
        const int2 two = *(const int2 *)(base + (at & (RING - 1)));
        const int2 more =
            *(const int2 *)(base + ((at + (int)sizeof two) & (RING - 1)));

        return {two.x, two.y, more.x, more.y};
    }

    /* Writes what the pixels leave at columns i..i+3. */
    __device__ void leave(typename K::Shared &shared, int i,
                          const int4 &left) const
    {
        *(int4 *)((char *)&shared + (i + AHEAD < K::CHUNK ? here : next) +
                  i * (int)sizeof(int)) = left;
    }

    /* Writes the light that is known at steps i and i + 1. */
    __device__ void leave_light(typename K::Shared &shared, int i,
                                const Party &party, int2 shine) const
    {
        static_assert(K::LAGS.row % 2 == 0 && K::LAGS.ink % 2 == 0,
                      "two columns are in the same quarter");
        const int at = (lit + i * (int)sizeof(int)) & (RING - 1);

        if (party.leaves_light)
            *(int2 *)((char *)&shared + light + at) = shine;
    }
};

/* Returns whether a lane inherits nothing in a chunk. */
template <class K>
__device__ bool inherits_nothing(const typename K::Shared &shared,
                                 const typename K::Stage &stage,
                                 const Places<K> &places, int self)
{
    int any = 0;

#pragma unroll
    for (int i = 0; i < K::CHUNK; i += 4) {
        const int4 line = *(const int4 *)&stage.line[self][i];
        const int4 light = places.light_at(shared, i);

        any |= line.x | line.y | line.z | line.w | light.x | light.y | light.z |
               light.w;
    }
    return any == 0;
}

/* Begins a task, whose first chunk has this stage and quarter: rows but the
 * first inherit nothing before what the row above leaves. */
template <class K>
__device__ void clear_lines(typename K::Shared &shared, int stage, int quarter,
                            const Lane &lane, const Party &party)
{
    int *const light = shared.light[party.light_row];

#pragma unroll
    for (int i = 0; i < K::CHUNK; i += 4) {
        const int4 nothing = {};

        if (lane.row > 0)
            *(int4 *)&shared.stage[stage].line[lane.index][i] = nothing;
        if (lane.row > 0 && lane.rank == 0)
            *(int4 *)&light[quarter * K::CHUNK + i] = nothing;
        if (lane.rank == 0)
            *(int4 *)&light[(quarter + K::QUARTERS - 1) % K::QUARTERS *
                                K::CHUNK +
                            i] = nothing;
    }
    __syncwarp();
}

/* ---- A pixel ------------------------------------------------------------ */

constexpr int LIMIT_BITS = 14;
constexpr int LIMIT_SHARE = LIMIT_BITS + 1; /* of R()s twice their size */
static_assert(LIMIT_SHARE == HT_WEIGHT_BITS,
              "R(s, v) twice is a product without its fraction bits");
static_assert(HT_COMPANY_ON * 8 == 5 << HT_WEIGHT_BITS,
              "what goes on of the company is 5/8");

/* State of an ink at a pixel, before its dot is chosen. */
struct Encounter {
    int reflected; /* (L) */
    int absorbed;  /* (q) */
    int welcome;   /* (s) */
    int company;   /* (v) */
    int limit;     /* (t), LIMIT_BITS fraction bits */
};

/* Looks at a pixel; `reflected` is L, `light` U, `limit` the threshold before
 * the push. */
__device__ Encounter meet_inks(const Party &party, int reflected,
                               const Wish &wish, int company, int light,
                               int limit)
{
    constexpr int half = 1 << (HT_WEIGHT_BITS - 1);
    constexpr int fraction = (1 << LIMIT_SHARE) - 1;
    Encounter found;

    found.reflected = reflected;
    found.absorbed = share(reflected, party.absorbs);
    const int missing = wish.missing(reflected);
    found.welcome = missing + (missing >> 1);
    found.company = company;
    /* R(2 q, U) = (q U + 2^13) >> 14 */
    const int lit = (found.absorbed * light + half / 2) & ~(fraction >> 1);
    const int met = (found.welcome * company + half) & ~fraction;
    found.limit = __viaddmin_s32_relu(limit * (1 << LIMIT_BITS) - 2 * lit, met,
                                      HT_ONE << LIMIT_BITS);
    return found;
}

/* As found.limit, less lo of the pixel's span: (R(t, 2 D) << LIMIT_BITS) less
 * the fraction by which a drop may be below it. */
__device__ int limit_in_span(int limit, const Span &span)
{
    constexpr int whole = 1 << LIMIT_BITS;
    static_assert(HT_ONE == whole, "R(t, 2 D) is rounded by half of it");

    return (limit >> LIMIT_BITS) * -span.minus_wide + whole / 2 - (whole - 1);
}

/* Gives on the company and the light that this leaves: `blank` is 0 for a dot,
 * of several sizes the larger of the pixel's choice, else -1. The ink of an
 * untoned pixel keeps no company. */
template <bool SOME_FORCED>
__device__ void part(Meeting &m, const Encounter &found, int blank, bool toned,
                     int &kept)
{
    const int with = held_sum(found.company, found.welcome);
    int v = blank * (with - found.company) + with;

    if (SOME_FORCED && !toned)
        v = 0;
    m.left = (5 * v + 4) >> 3;
    kept = v - m.left;
    m.sent = found.reflected - (found.absorbed & ~blank);
}

/* Gives the light on, of the last ink's pixel: half of it to the column
 * behind. */
template <bool SOME_FORCED>
__device__ void give_light(Meeting &m, const Wish &wish, int light)
{
    int more = held_sum(wish.unwanted(m.sent), light);

    if (SOME_FORCED && wish.alone())
        more = 0;
    m.shine = m.rest + (more >> 1);
    m.rest = more - (more >> 1);
}

/* ---- A chunk ------------------------------------------------------------ */

/* Holds what a lane inherits and wishes at the next GROUP columns. */
struct Given {
    int4 line, wishes, lights;

    /* Loads all but the lights, at columns i..i+3 of a chunk. */
    template <class Stage>
    __device__ void load(const Stage &stage, int self, int i)
    {
        line = *(const int4 *)&stage.line[self][i];
        wishes = *(const int4 *)&stage.wishes[self][i];
    }
};

/* As diffuse_chunks(), where inks meet. */
template <class K, bool SOME_FORCED>
__device__ bool diffuse_together(Walk<K> &walk, const Party &party,
                                 const Above<K> &above, int ink_rows,
                                 Ahead<K> &ahead, Chain<K::DELAY> &chain,
                                 Meeting &meeting)
{
    constexpr int CHUNK = K::CHUNK, STRETCH = K::STRETCH;
    Chain<K::DELAY> c = chain;
    Meeting m = meeting;
    int last = -(int)(c.took & 1); /* c.took's number for x */
    int2 four = above.four(c.took, 0), next_four = {};
    Given given = {};
    bool ready = false, again;

    given.load(walk.stage(), ahead.self, 0);
    given.lights =
        Places<K>(walk.shared, walk.at, walk.quarter, party, ahead.self)
            .light_at(walk.shared, 0);
    do {
        const Places<K> places(walk.shared, walk.at, walk.quarter, party,
                               ahead.self);
        typename K::Stage &stage = walk.stage();
        uint32_t dots = 0; /* if these are not those that Chain::took lacks */

#pragma unroll 1
        for (int at = 0; at < CHUNK; at += STRETCH) {
            const typename K::Stage *next = &stage; /* to load words of */
            int4 line, lights, wishes, words = {}, left;
            int2 shine;
            bool full = false;

#pragma unroll
            for (int i = 0; i < STRETCH; i++) {
                if (i == 0)
                    full = walk.next_is_full() & (at + STRETCH == CHUNK);
                if (i == STRETCH - GROUP) {
                    ready = __all_sync(ALL, full);
                    next = ready ? &walk.next() : &stage;
                    ahead.flags = next->flags;
                }
                if (i % GROUP == 0) {
                    line = given.line;
                    lights = given.lights;
                    wishes = given.wishes;
                    if constexpr (SOME_FORCED)
                        words = walk.targets(ahead.self, at + i);
                    next_four = above.four(c.took, GROUP);
                }
                Pixel p = ahead.pixel[i % K::AHEAD];
                Spread w = ahead.spread[i % K::AHEAD];
                [[maybe_unused]] const Span span = ahead.span_at(i);
                [[maybe_unused]] const SpanEnds ends = ahead.ends_at(i);
                const int reflected =
                    (m.queued & party.behind) | (HT_ONE & ~party.behind);

                m.queued = __shfl_up_sync(ALL, m.sent, ink_rows);
                if (i % GROUP + K::AHEAD == GROUP)
                    ahead.word =
                        i + GROUP < STRETCH
                            ? *(const int4 *)&stage
                                   .entry[ahead.self]
                                         [at + i / GROUP * GROUP + GROUP]
                            : *(const int4 *)&next
                                   ->entry[ahead.self][(at + STRETCH) % CHUNK];
                ahead.fetch(i + K::AHEAD);

                TargetWord targets = {};
                if constexpr (SOME_FORCED) {
                    targets.word = word_of(words, i);
                    keep_to_toned(targets, p, w);
                }
                const int forced = SOME_FORCED ? is_forced<K>(p) : 0;
                const Inherited inherits = {word_of(line, i)};
                const Wish wish = {word_of(wishes, i)};
                Encounter found = meet_inks(
                    party, reflected, wish, inherits.company_and(m.left),
                    word_of(lights, i), above.limit(p, four, i, last));
                if (SOME_FORCED && !K::SIZES && targets.says(THRESHOLD))
                    found.limit = targets.number() * (1 << LIMIT_BITS);

                const int before = inherits.error_and(p.tone);
                int blank;
                [[maybe_unused]] Drop drop;
                if constexpr (K::SIZES) {
                    int limit = limit_in_span(found.limit, span);
                    if (SOME_FORCED && targets.says(THRESHOLD))
                        limit = (targets.number() - low_of(span)) *
                                (1 << LIMIT_BITS);
                    drop = {sign_of((c.left + (before - low_of(span))) *
                                        (1 << LIMIT_BITS) -
                                    limit),
                            sign_of(c.left + (before - span.beyond)),
                            sign_of(span.most - before - c.left)};
                    /* White pixels, also those beyond a segment in chunks
                     * that are not SOME_FORCED, have no dot. */
                    blank = (drop.low & ~forced) | sign_of(span.high - 1);
                    c.e = error_of_drop(c.left, before, span, ends,
                                        drop.less(span, ends));
                } else {
                    /* Clamped before the dot is taken off, as in
                     * diffuse_pixel(). */
                    const int u =
                        __viaddmin_s32(c.left, before, 2 * HT_ONE - 1);
                    blank = sign_of(u * (1 << LIMIT_BITS) - found.limit);
                    if (SOME_FORCED && forced)
                        blank = p.tone > 0 ? 0 : -1;
                    c.e = max(u, -HT_ONE) - HT_ONE - blank * HT_ONE;
                }
                if (SOME_FORCED)
                    c.e = error_of(forced, c.e, inherits.error_and(c.left));
                c.left = share(c.e, p.right);
                c.weights = w;
                if (SOME_FORCED)
                    give_rest(c, targets);
                spread_error<SOME_FORCED>(c);
                int &kept = m.kept[i % GROUP];
                word_of(left, i) = inherited_word(c.out, kept);
                part<SOME_FORCED>(m, found, blank, !SOME_FORCED || !forced,
                                  kept);
                if (i % 2 == 0)
                    shine.x = m.shine;
                give_light<SOME_FORCED>(m, wish, word_of(lights, i));
                if (i % 2 == 0) {
                    shine.y = m.shine;
                    places.leave_light(walk.shared, at + i, party,
                                       {hidden(shine.x), hidden(shine.y)});
                }
                if constexpr (K::SIZES)
                    dots = drop.add_to(dots, ends);
                else if (SOME_FORCED)
                    dots = dots * 2 - (uint32_t)blank;
                last = blank;
                if (SOME_FORCED)
                    last |= forced;
                c.took = __funnelshift_l((uint32_t)last, c.took, 1);
                if (i % GROUP == GROUP - 1) {
                    four = next_four;
                    __syncwarp(); /* what the next columns inherit is there, and
                                     the first row has read what this is written
                                     over */
                    given.load(i + 1 < STRETCH ? stage : *next, ahead.self,
                               (at + i + 1) % CHUNK);
                    given.lights = places.light_at(walk.shared, at + i + 1);
                    places.leave(walk.shared, at + i - (GROUP - 1), left);
                }
            }
        }
        stage.dots[ahead.self] =
            K::SIZES ? dots
                     : ~(SOME_FORCED ? dots : c.took) & ((1u << CHUNK) - 1);
        arrive(walk.shared.done[walk.at]);
        again = ready && ahead.flags.of_kind(SOME_FORCED);
        if (again)
            walk.go_on();
    } while (again);
    chain = c;
    meeting = m;
    return ready;
}

/* As leave_blank(), where inks meet. */
template <class K>
__device__ void leave_blank_together(Walk<K> &walk, Chain<K::DELAY> &chain,
                                     const Places<K> &places,
                                     const Party &party, int self)
{
    __syncwarp(); /* all have found that they inherit nothing */
#pragma unroll
    for (int i = 0; i < K::CHUNK; i += 2)
        places.leave_light(walk.shared, i, party, {0, 0});
#pragma unroll
    for (int i = 0; i < K::CHUNK; i += 4)
        places.leave(walk.shared, i, {});
    walk.stage().dots[self] = 0;
    chain.took = ~0u;
    arrive(walk.shared.done[walk.at]);
}

/* As pass_on_rest(), with the company. */
__device__ void pass_on_company(const Meeting &m, const ht_gpu_plan &plan,
                                const ht_gpu_band &band, const Task &task,
                                const Lane &lane, int position)
{
    static_assert(GROUP == HT_GPU_REACH, "errors and company are as late");
    uint32_t *const line = band.line + (size_t)(plan.planes - 1) * plan.width;

#pragma unroll
    for (int i = 0; i < GROUP; i++)
        if (lane.rank > 0 && lane.row + 1 == (int)task.rows &&
            lane.has(position + i))
            store_relaxed(line + lane.line_at(position + i),
                          error_word(m.kept[i], task.sweep + 1));
}

/* As diffuse_task(), where inks meet. */
template <class K>
__device__ void diffuse_task_together(typename K::Shared &shared,
                                      const typename K::Tables &tables,
                                      const ht_gpu_plan &plan,
                                      const ht_gpu_band &band, const Task &task,
                                      const Lane &lane, int chunks, int turn,
                                      Passages &passages)
{
    const Party party = find_party<K>(plan, lane, (int)task.rows - 1);
    const Above<K> above(shared.dots_above, lane);
    Chain<K::DELAY> chain = {};
    Meeting meeting = {};
    Ahead<K> ahead(tables, shared, lane.index, 0);
    Walk<K> walk = {shared, passages, turn % STAGES, turn % K::QUARTERS,
                    chunks - 1};

    meeting.sent = meeting.queued = HT_ONE;
    pass_gate(shared.full[walk.at], passages, walk.at);
    clear_lines<K>(shared, walk.at, walk.quarter, lane, party);
    ahead.begin_anew(walk.stage());
    for (;;) {
        const Places<K> places(shared, walk.at, walk.quarter, party,
                               lane.index);
        bool begun = false;

        __syncwarp(); /* what the rows have left for this chunk is there */
        if (ahead.flags.may_be_blank() &&
            !__any_sync(ALL, lane.works &&
                                 !(chain.zero() && meeting.zero() &&
                                   inherits_nothing<K>(shared, walk.stage(),
                                                       places, lane.index))))
            leave_blank_together<K>(walk, chain, places, party, lane.index);
        else if (ahead.flags.forced)
            begun = diffuse_together<K, true>(
                walk, party, above, (int)plan.rows, ahead, chain, meeting);
        else
            begun = diffuse_together<K, false>(
                walk, party, above, (int)plan.rows, ahead, chain, meeting);
        if (walk.more == 0)
            break;
        if (!begun)
            wait(shared.full[next_stage(walk.at)],
                 odd_at(passages, next_stage(walk.at)));
        walk.go_on();
        if (!begun)
            ahead.begin_anew(walk.stage());
    }
    const int position = chunks * K::CHUNK - lane.lag - HT_GPU_REACH;
    pass_on_rest({chain.b4, chain.b3, chain.b2, chain.b1}, band, task, lane,
                 position);
    pass_on_company(meeting, plan, band, task, lane, position);
}

} // namespace

#endif
