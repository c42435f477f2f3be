/*
 * together.cuh - TDFED's diffuser where inks meet: doc/dev/halftone.md "Inks
 * together", whose letters are in brackets here.
 *
 * What the inks before have at a pixel goes from ink to ink by shuffle, as
 * Company. What a row leaves for the next one goes through Stage::line, since
 * that row is too far behind for a shuffle: its first ink needs the light of
 * this row's last ink.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HT_GPU_TDFED_TOGETHER_CUH
#define HT_GPU_TDFED_TOGETHER_CUH

#include "gpu/tdfed/kernel.cuh"

namespace
{

/* What an ink tells the next one about a pixel. Of three inks: itself, the one
 * before it, and black or, where four inks at most meet, the one before that.
 */
struct Company {
    int tone[PARTNERS]; /* 0 if not toned */
    int drop[PARTNERS]; /* 0 if not toned; else half a unit of a share, less
                           DROP if there is a dot */
    Wishes wishes;      /* (O, M), unless the feeder finds them */
    int reflected;      /* (L) */
    int light;          /* (U) */
    int toned;          /* (Q), where not all are */
};

constexpr int HALF = 1 << (HT_WEIGHT_BITS - 1);
constexpr int DROP = HT_ONE << HT_WEIGHT_BITS; /* a dot, as a share */

/* As Chain, of inks together. x is the last pixel. */
struct Meeting {
    int left[PARTNERS];    /* what x + 1 gets of each pair (left_p), */
    int overlap[PARTNERS]; /* and what x leaves below (V') */
    Company sent;          /* to the next ink, of x */
    Company queued;        /* received, for x + 1 */
    int rest;              /* of the light that x leaves below */
    int shine;             /* what x - 1 has left below (U') */
    int begin;             /* position of the chunk's first pixel */

    __device__ bool zero() const
    {
        int any = sent.light | sent.toned | queued.light | queued.toned | rest |
                  shine | (sent.reflected ^ HT_ONE) |
                  (queued.reflected ^ HT_ONE) |
                  (sent.wishes.packed() ^ NO_WISHES) |
                  (queued.wishes.packed() ^ NO_WISHES);

#pragma unroll
        for (int k = 0; k < PARTNERS; k++)
            any |= left[k] | overlap[k] | sent.drop[k] | queued.drop[k];
        return any == 0;
    }
};

/* What a lane is among the inks. */
struct Party {
    Rules rules;
    int behind;           /* ~0; 0: its ink's turn is the first */
    int has[PARTNERS];    /* ~0: it has that partner; 0. What it knows of one
                             that it has not has no meaning; but nothing comes
                             of that, as their overlap stays 0. */
    bool is_black;        /* it is black, a partner of all */
    int rank;             /* its turn */
    int length;           /* of the segment */
    bool ends;            /* the last row of the sweep, or none of it */
    bool leaves_light;    /* the last ink of a row of the sweep */
    int heir, light_heir; /* lanes whose lines it writes */
    int light_ahead;      /* columns that it writes light ahead */
};

template <class K>
__device__ Party find_party(const ht_gpu_plan &plan, const Lane &lane,
                            int last_row)
{
    const bool black = plan.first == 0 && ht_inks_kept(plan.planes) > 0;
    const int inks = (int)plan.inks, rows = (int)plan.rows;
    const bool beyond = lane.row > last_row, ends = lane.row == last_row;
    const int heir = beyond ? lane.index
                     : ends ? lane.index - lane.row
                            : lane.index + 1;
    Party party = {rules_of(plan, lane.ink),
                   lane.rank > 0 ? ~0 : 0,
                   {},
                   black && lane.rank == 0,
                   lane.rank,
                   lane.length,
                   beyond || ends,
                   lane.rank == inks - 1 && !beyond,
                   heir,
                   heir - (inks - 1) * rows,
                   ends ? 0 : K::LAGS.row - K::LAGS.ink * inks};

    for (int k = 0; k < PARTNERS; k++)
        party.has[k] = lane.rank > k && (k + 1 < PARTNERS || black) ? ~0 : 0;
    return party;
}

/* Adds to an overlap or to light, and holds the sum. */
__device__ int held_sum(int a, int b)
{
    return max(__viaddmin_s32(a, b, HT_ONE - 1), 1 - HT_ONE);
}

/* Receives what the ink before has sent. */
template <class K, bool SOME_FORCED>
__device__ void receive(Company &c, const Company &sent, int ink_rows)
{
#pragma unroll
    for (int k = 0; k < PARTNERS; k++) {
        c.tone[k] = __shfl_up_sync(ALL, sent.tone[k], ink_rows);
        c.drop[k] = __shfl_up_sync(ALL, sent.drop[k], ink_rows);
    }
    if (!K::FED) {
        c.wishes.near = __shfl_up_sync(ALL, sent.wishes.near, ink_rows);
        c.wishes.wanted = __shfl_up_sync(ALL, sent.wishes.wanted, ink_rows);
    }
    c.reflected = __shfl_up_sync(ALL, sent.reflected, ink_rows);
    c.light = __shfl_up_sync(ALL, sent.light, ink_rows);
    if (SOME_FORCED)
        c.toned = __shfl_up_sync(ALL, sent.toned, ink_rows);
}

/* Makes of what a lane has received what it finds at a pixel: no ink before the
 * first one, which finds the light that the row inherits. */
__device__ void find_company(Company &c, const Party &party, int light)
{
    c.wishes = party.behind ? c.wishes : Wishes{0, HT_ONE};
    c.reflected = (c.reflected & party.behind) | (HT_ONE & ~party.behind);
    c.light = party.behind ? c.light : light;
    c.toned &= party.behind;
}

/* What an ink finds at a pixel. */
struct Encounter {
    int welcome[PARTNERS]; /* (s) */
    int overlap[PARTNERS]; /* (v) */
    int absorbed;          /* (q) */
    int push;
};

/* Looks at a pixel, in whose wishes the ink itself already is. `lines`: what
 * the row inherits. */
__device__ Encounter meet_inks(const Party &party, const Company &c,
                               const Meeting &m, const int (&lines)[LINES])
{
    Encounter found;
    int sum = 0;

    found.absorbed = share(c.reflected, party.rules.absorbs);
#pragma unroll
    for (int k = 0; k < PARTNERS; k++) {
        const int inherits = k == 0 ? lines[1] & party.behind : lines[k + 1];

        found.welcome[k] =
            (c.tone[k] * c.wishes.near + c.drop[k]) >> HT_WEIGHT_BITS;
        found.overlap[k] = held_sum(m.left[k], inherits);
        sum += share(found.welcome[k], found.overlap[k]);
    }
    found.push =
        4 * share((sum >> 1) - share(found.absorbed, c.light), c.wishes.near);
    return found;
}

/* Gives the overlaps on: to the next pixel, unless this is the segment's last
 * one, and below. */
template <bool SOME_FORCED>
__device__ void give_overlaps(Meeting &m, const Party &party, const Company &c,
                              const Encounter &found, int dot, bool toned,
                              bool last)
{
    const int kept = last ? 0 : 2;

#pragma unroll
    for (int k = 0; k < PARTNERS; k++) {
        int v =
            held_sum(found.overlap[k], found.welcome[k] & dot & party.has[k]);

        if (SOME_FORCED && !(toned && (c.drop[k] & party.has[k])))
            v = 0;
        m.overlap[k] = v >> kept;
        m.left[k] = v - m.overlap[k];
    }
}

/* Adds the ink to the company, for the next one. */
template <class K, bool SOME_FORCED>
__device__ void join(Company &c, const Party &party, const Encounter &found,
                     int tone, int dot, bool toned)
{
    const bool counts = !SOME_FORCED || toned;
    const int own = counts ? tone : 0;
    const int drop = counts ? HALF + dot * DROP : 0;

    if (K::INKS == FEW_INKS) {
        c.tone[2] = c.tone[1];
        c.drop[2] = c.drop[1];
    } else if (party.is_black) {
        c.tone[2] = own;
        c.drop[2] = drop;
    }
    c.tone[1] = c.tone[0];
    c.drop[1] = c.drop[0];
    c.tone[0] = own;
    c.drop[0] = drop;
    c.reflected += found.absorbed * dot;
    c.toned += counts;
}

/* Gives the light on, of the last ink's pixel: half of it to the column behind,
 * unless this is the segment's `first`. */
template <bool SOME_FORCED>
__device__ void give_light(Meeting &m, const Company &c, bool first)
{
    int light = held_sum(c.light, c.reflected - c.wishes.wanted);

    if (SOME_FORCED && c.toned < 2)
        light = 0;
    const int half = first ? 0 : light >> 1;
    m.shine = held_sum(m.rest, half);
    m.rest = light - half;
}

/* ---- Lines -------------------------------------------------------------- */

/*
 * Where a lane writes what a chunk leaves: its heir's first line in the chunk's
 * stage and in those behind it, as bytes in Shared. Each is less the bytes of
 * the stages before, so that a slot beyond a chunk counts on; and those of the
 * last row, which writes where it is, are less the bytes that others write
 * ahead.
 */
template <class K> struct Places {
    static constexpr int SPAN = K::CHUNK * sizeof(int);
    static constexpr int LINE = LANES * sizeof(Row<K::CHUNK>);
    static constexpr int PAIRS_AHEAD = K::LAGS.row;
    static constexpr int ERRORS_AHEAD = K::LAGS.row - HT_GPU_REACH;
    int here, next, after;
    int errors; /* from an error's place to that of a pair's number */
    int light_here, light_next; /* likewise, of the light's line */

    __device__ Places(typename K::Shared &shared, int stage, const Party &party)
        : errors(party.ends ? (PAIRS_AHEAD - ERRORS_AHEAD) * (int)sizeof(int)
                            : 0)
    {
        const int next_at = next_stage(stage), after_at = next_stage(next_at);
        const int ahead = PAIRS_AHEAD * (int)sizeof(int);

        here = bytes_to(shared, stage, party.heir) - (party.ends ? ahead : 0);
        next = party.ends ? here : bytes_to(shared, next_at, party.heir) - SPAN;
        after = party.ends ? here
                           : bytes_to(shared, after_at, party.heir) - 2 * SPAN;
        light_here = bytes_to(shared, stage, party.light_heir) + LINE +
                     party.light_ahead * (int)sizeof(int);
        light_next = bytes_to(shared, next_at, party.light_heir) + LINE +
                     party.light_ahead * (int)sizeof(int) - SPAN;
    }

    __device__ static int bytes_to(typename K::Shared &shared, int stage,
                                   int lane)
    {
        return (int)((const char *)shared.stage[stage].line[0][lane] -
                     (const char *)&shared);
    }

    /* Returns the place of a slot, 0.. */
    __device__ int at(int slot) const
    {
        const int stage = slot < K::CHUNK       ? here
                          : slot < 2 * K::CHUNK ? next
                                                : after;

        return stage + slot * (int)sizeof(int);
    }

    /* Writes what the four columns `slot`.. leave, but for light. */
    __device__ void leave(typename K::Shared &shared, int slot,
                          const Party &party, const int4 (&left)[LINES]) const
    {
        char *const error =
            (char *)&shared + (at(slot + ERRORS_AHEAD) + errors);
        char *const pairs = (char *)&shared + at(slot + PAIRS_AHEAD);

        *(int4 *)error = left[0];
        if (party.behind)
            *(int4 *)(pairs + LINE) = left[1];
#pragma unroll
        for (int k = 2; k < LINES; k++)
            *(int4 *)(pairs + k * LINE) = left[k];
    }

    /* Writes the light that is known at steps i and i + 1. */
    __device__ void leave_light(typename K::Shared &shared, int i,
                                const Party &party, int2 shine) const
    {
        static_assert(K::LAGS.row % 2 == 0 && K::LAGS.ink % 2 == 0,
                      "two columns are in the same stage");
        const int place =
            i + party.light_ahead < K::CHUNK ? light_here : light_next;

        if (party.leaves_light)
            *(int2 *)((char *)&shared + place + i * (int)sizeof(int)) = shine;
    }
};

/* Loads what the row inherits at columns i..i+3 of a chunk. */
template <class K>
__device__ void load_lines(const typename K::Stage &stage, int self, int i,
                           int4 (&lines)[LINES])
{
#pragma unroll
    for (int k = 0; k < LINES; k++)
        lines[k] = *(const int4 *)&stage.line[k][self][i];
}

/* Returns whether a lane inherits nothing in a chunk. */
template <class K>
__device__ bool inherits_nothing(const typename K::Stage &stage, int self)
{
    int any = 0;

#pragma unroll
    for (int i = 0; i < K::CHUNK; i += 4) {
        int4 lines[LINES];

        load_lines<K>(stage, self, i, lines);
#pragma unroll
        for (int k = 0; k < LINES; k++)
            any |= lines[k].x | lines[k].y | lines[k].z | lines[k].w;
    }
    return any == 0;
}

/* Begins a task, whose first chunk is in `stage`: rows but the first inherit
 * nothing before what the row above leaves. */
template <class K>
__device__ void clear_lines(typename K::Shared &shared, int stage,
                            const Lane &lane)
{
    constexpr int stages = (K::LAGS.row + K::CHUNK - 1) / K::CHUNK;

#pragma unroll
    for (int s = 0; s < stages; s++) {
        if (lane.row > 0)
#pragma unroll
            for (int k = 0; k < LINES; k++)
#pragma unroll
                for (int i = 0; i < K::CHUNK; i += 4)
                    *(int4 *)&shared.stage[stage].line[k][lane.index][i] = {};
        stage = next_stage(stage);
    }
    __syncwarp();
}

/* ---- A chunk ------------------------------------------------------------ */

/* Columns that are one stretch of instructions: few, since instruction caches
 * are small. */
constexpr int STRETCH = 4;

/* As diffuse_chunks(), where inks meet. */
template <class K, bool SOME_FORCED>
__device__ bool diffuse_together(Walk<K> &walk, const Neighbours &next_to,
                                 const Party &party, Ahead<K> &ahead,
                                 Chain<K::DELAY> &chain, Meeting &meeting)
{
    constexpr int CHUNK = K::CHUNK;
    Chain<K::DELAY> c = chain;
    Meeting m = meeting;
    bool ready = false, again;

    do {
        const Places<K> places(walk.shared, walk.at, party);
        typename K::Stage &stage = walk.stage();
        const typename K::Stage *next = &stage; /* to load words of */
        uint32_t dots = 0;

#pragma unroll 1
        for (int at = 0; at < CHUNK; at += STRETCH) {
            const int first = -m.begin - at;
            const int last = party.length - 1 - m.begin - at;
            int4 lines[LINES], left[LINES], words = {}, wishes = {};
            int2 shine;

            if (at + STRETCH == CHUNK) {
                ready = __all_sync(ALL, walk.next_is_full());
                next = ready ? &walk.next() : &stage;
                ahead.flags = next->flags;
            }
#pragma unroll
            for (int i = 0; i < STRETCH; i++) {
                if (i % 4 == 0) {
                    __syncwarp();
                    load_lines<K>(stage, ahead.self, at + i, lines);
                    if constexpr (SOME_FORCED)
                        words = walk.around(ahead.self, at + i);
                    if constexpr (K::FED)
                        wishes = walk.wishes(ahead.self, at + i);
                }
                Pixel p = ahead.pixel[i % K::AHEAD];
                Spread w = ahead.spread[i % K::AHEAD];

                int before = __viaddmin_s32_relu(
                    pass(c.looked,
                         __shfl_up_sync(ALL, c.before, next_to.ink_rows)),
                    next_to.shift, next_to.highest); /* BEFORE added */
                Company company = m.queued;
                receive<K, SOME_FORCED>(m.queued, m.sent, next_to.ink_rows);
                /* From here on the first row has read what is written over. */
                if (i % 4 == 1)
                    __syncwarp();
                if (i % 2 == 0)
                    shine.x = m.shine;
                else
                    places.leave_light(walk.shared, at + i - 1, party,
                                       {shine.x, m.shine});
                if (i % 4 + K::AHEAD == 4)
                    ahead.word =
                        i + 4 < STRETCH
                            ? *(const int4 *)&stage
                                   .entry[ahead.self][at + i / 4 * 4 + 4]
                            : *(const int4 *)&next
                                   ->entry[ahead.self][(at + STRETCH) % CHUNK];
                ahead.fetch(i + K::AHEAD);

                int inherits[LINES];
#pragma unroll
                for (int k = 0; k < LINES; k++)
                    inherits[k] = word_of(lines[k], i);
                AroundWord around = {};
                if constexpr (SOME_FORCED) {
                    around.word = word_of(words, i);
                    keep_to_toned(around, p, w);
                }
                const bool toned = !SOME_FORCED || !p.forced();
                find_company(company, party, inherits[1]);
                if (K::FED)
                    company.wishes = Wishes::unpacked(word_of(wishes, i));
                else
                    company.wishes.add(party.rules, p.tone,
                                       SOME_FORCED && p.forced());
                const Encounter found = meet_inks(party, company, m, inherits);

                int limit = __viaddmin_s32_relu((p.limit + p.avoid * before) >>
                                                    HT_WEIGHT_BITS,
                                                found.push, HT_ONE);
                if (SOME_FORCED && around.says(THRESHOLD))
                    limit = around.number();
                const int got = c.left + inherits[0];
                int over = limit - 1 - (got + p.tone);
                if (SOME_FORCED && p.forced())
                    over = p.tone > 0 ? -1 : 0;
                const int dot = diffuse_pixel<SOME_FORCED>(c, p, w, over, got);
                if (SOME_FORCED)
                    give_rest(c, around);
                c.before = before - BEFORE - c.e;
                spread_error<SOME_FORCED>(c);
                word_of(left[0], i) = c.out;

                give_overlaps<SOME_FORCED>(m, party, company, found, dot, toned,
                                           i == last);
#pragma unroll
                for (int k = 0; k < PARTNERS; k++)
                    word_of(left[k + 1], i) = m.overlap[k];
                join<K, SOME_FORCED>(company, party, found, p.tone, dot, toned);
                give_light<SOME_FORCED>(m, company, i == first);
                m.sent = company;
                dots = dots * 2 - (uint32_t)dot;
                if (i % 4 == 3)
                    places.leave(walk.shared, at + i - 3, party, left);
            }
        }
        stage.dots[ahead.self] = dots;
        arrive(walk.shared.done[walk.at]);
        m.begin += CHUNK;
        again = ready && ahead.flags.of_kind(SOME_FORCED);
        if (again)
            walk.go_on();
    } while (again);
    if (!SOME_FORCED) { /* as join() would have counted */
        m.sent.toned = party.rank + 1;
        m.queued.toned = party.rank;
    }
    chain = c;
    meeting = m;
    return ready;
}

/* As leave_blank(), where inks meet. */
template <class K>
__device__ void leave_blank_together(Walk<K> &walk, const Party &party,
                                     int self, Meeting &m)
{
    const Places<K> places(walk.shared, walk.at, party);
    const int4 nothing[LINES] = {};

    __syncwarp(); /* all have found that they inherit nothing */
#pragma unroll
    for (int i = 0; i < K::CHUNK; i += 2)
        places.leave_light(walk.shared, i, party, {0, 0});
#pragma unroll
    for (int i = 0; i < K::CHUNK; i += 4)
        places.leave(walk.shared, i, party, nothing);
    walk.stage().dots[self] = 0;
    m.begin += K::CHUNK;
    arrive(walk.shared.done[walk.at]);
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
    const int last_row = (int)task.rows - 1;
    const bool behind = lane.rank > 0;
    const Neighbours next_to = {0,
                                0,
                                0,
                                (int)plan.rows,
                                lane.row == last_row,
                                behind ? BEFORE : FAR,
                                behind ? BEFORE + HT_ONE - 1 : BEFORE};
    const Party party = find_party<K>(plan, lane, last_row);
    Chain<K::DELAY> chain = {};
    Meeting meeting = {};
    Ahead<K> ahead(tables, lane.index, 0);
    Walk<K> walk = {shared, passages, turn, chunks - 1};

    meeting.begin = -lane.lag;
    meeting.sent.reflected = HT_ONE;
    meeting.sent.wishes = Wishes::unpacked(NO_WISHES);
    meeting.queued = meeting.sent;
    pass_gate(shared.full[turn], passages, turn);
    clear_lines<K>(shared, turn, lane);
    ahead.begin_anew(walk.stage());
    for (;;) {
        bool begun = false;

        __syncwarp(); /* what the rows have left for this chunk is there */
        if (ahead.flags.may_be_blank() &&
            !__any_sync(ALL, lane.works && !(chain.zero() && meeting.zero() &&
                                             inherits_nothing<K>(walk.stage(),
                                                                 lane.index))))
            leave_blank_together<K>(walk, party, lane.index, meeting);
        else if (ahead.flags.forced)
            begun = diffuse_together<K, true>(walk, next_to, party, ahead,
                                              chain, meeting);
        else
            begun = diffuse_together<K, false>(walk, next_to, party, ahead,
                                               chain, meeting);
        if (walk.more == 0)
            break;
        if (!begun)
            wait(shared.full[next_stage(walk.at)],
                 odd_at(passages, next_stage(walk.at)));
        walk.go_on();
        if (!begun)
            ahead.begin_anew(walk.stage());
    }
    pass_on_rest({chain.b4, chain.b3, chain.b2, chain.b1}, band, task, lane,
                 chunks * K::CHUNK - lane.lag - HT_GPU_REACH);
}

} // namespace

#endif
