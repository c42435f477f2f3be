/*
 * kernel.cuh - Floyd-Steinberg: the diffusing warp, doc/halftone.md
 * "A pixel" with the constants of "Floyd-Steinberg".
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HT_GPU_FLOYD_KERNEL_CUH
#define HT_GPU_FLOYD_KERNEL_CUH

#include "gpu/floyd/tape.cuh"

namespace
{

/* ---- What a lane carries ------------------------------------------------ */

/* Of errors as tape.cuh says: what goes right has MAGIC added, what goes
 * down has it subtracted. What the row has not sent down yet is 1 below, which
 * is what share<3>() adds. */
constexpr float NOTHING = NO_ERROR - 1;

/* From pixel to pixel. */
struct Chain {
    float left;               /* to the next pixel of the row */
    float owed;               /* of the pixels so far, not sent yet; */
    float below;              /* of this, what stays out of the next (1,+1) */
    float inherited[LAG - 1]; /* what the row above has sent, */
    float before;             /* what the inks up to this put too much */
    float looked[LAG];        /* the same from the ink before */

    __device__ void clear()
    {
        left = MAGIC;
        owed = below = NOTHING;
        for (float &error : inherited)
            error = NO_ERROR;
        before = 0;
        for (float &much : looked)
            much = 0;
    }
};

/* Drops a queue's first and puts `value` at its end. */
template <int LENGTH> __device__ void pass(float (&queue)[LENGTH], float value)
{
#pragma unroll
    for (int i = 1; i < LENGTH; i++)
        queue[i - 1] = queue[i];
    queue[LENGTH - 1] = value;
}

/* A lane's place among the others. */
struct Place {
    float takes;       /* 1: the lane beside it has the row above */
    float behind;      /* 1: there is an ink before it, */
    int ink_rows;      /* so many lanes before */
    const float *tops; /* what it inherits beside that, */
    int tops_go;       /* all ones: from places of a line, by step */
    float *line;       /* that its errors go to, after so many steps */
    int line_lag;
    bool last_row;  /* they do */
    int begin, end; /* the steps of the page's first column, and its last */
    int last_begin; /* of all lanes */
};

__device__ Place find_place(Shared &shared, const Strip &strip,
                            const Lane &lane, int team)
{
    Place place;

    place.takes = lane.works && lane.row > 0;
    place.behind = lane.works && lane.rank > 0;
    place.ink_rows = strip.team_rows;
    bool first_row = lane.works && lane.row == 0;
    place.tops = first_row    ? shared.line[team][lane.rank]
                 : lane.works ? shared.zeros
                              : shared.no_errors;
    place.tops_go = first_row ? -1 : 0;
    place.line = shared.line[team + 1][lane.works ? lane.rank : 0];
    place.line_lag = line_lag(strip.team_rows) / CHUNK * CHUNK;
    place.last_row = lane.last_row;
    place.begin = lane.lag;
    place.end = lane.lag + strip.width - 1;
    place.last_begin =
        (strip.inks + strip.team_rows - 2) * LAG + team * strip.team_pad;
    return place;
}

/* ---- A pixel ------------------------------------------------------------ */

__device__ float held(float value, float limit)
{
    return fminf(fmaxf(value, -limit), limit);
}

/* MAGIC + R(B, s), s as a fraction: first rounded down to halves. */
__device__ float raised(float before, float strength)
{
    constexpr float HALVES = 1 << 22; /* floats are 1/2 apart */
    float halves = __fmaf_rd(before, strength, HALVES + 0.5f);

    return __fadd_rd(halves, MAGIC - HALVES);
}

/* The error of a pixel that is neither white nor solid, held to -ONE..ONE by
 * way of 0..1. */
__device__ float held_error(float u, float dot)
{
    constexpr float UNIT = 1.0f / (2 * HT_ONE);
    const float above = __fmaf_rn(u, UNIT, (HT_ONE - EXTRA) * UNIT);

    return __fmaf_rn(__saturatef(__fmaf_rn(dot, -0.5f, above)), 2 * HT_ONE,
                     EXTRA - HT_ONE);
}

/* The error of a pixel, or of white (`kind` -1) or solid (1): held, three
 * quarters rounded towards 0. */
__device__ float kept(float error, float kind)
{
    const float forced = fabsf(kind);
    const float limit = __fmaf_rn(forced, -HT_ONE / 2, HT_ONE);
    const float share = __fmaf_rn(forced, -0.25f, 1);
    const float magic = copysignf(1 << 23, error - EXTRA);

    return __fmaf_rz(held(error - EXTRA, limit), share, magic) - magic + EXTRA;
}

/* MAGIC + R(e, w) of w sixteenths. */
template <int W> __device__ float share(float error)
{
    return __fmaf_rd(error, W / 16.0f, MAGIC - W / 2);
}

/* ---- A chunk ------------------------------------------------------------ */

static_assert(CHUNK < 23, "a chunk's dots are put together in a float");

/* A lane's numbers of a chunk, four at a time. */
struct Numbers {
    float4 four[CHUNK / 4];

    __device__ void load(const float *row)
    {
#pragma unroll
        for (int i = 0; i < CHUNK / 4; i++)
            four[i] = ((const float4 *)row)[i];
    }

    __device__ void clear()
    {
#pragma unroll
        for (float4 &f : four)
            f = {0, 0, 0, 0};
    }

    __device__ float operator[](int i) const
    {
        const float4 &f = four[i / 4];

        return i % 4 == 0 ? f.x : i % 4 == 1 ? f.y : i % 4 == 2 ? f.z : f.w;
    }
};

/* What a lane has of a stage. */
struct Pixels {
    Numbers tone, rule;

    /* The rules only if some is not 0. */
    template <bool LOOKS>
    __device__ void load(const Stage &stage, int self, int content)
    {
        tone.load(stage.tone[self]);
        if (LOOKS || (content & SPECIAL))
            rule.load(stage.rule[self]);
    }
};

/* Where the last row's errors of the chunk that begins with step `first` go. */
__device__ float4 *place_of(const Place &place, int first)
{
    return (float4 *)(place.line + ((first - place.line_lag) & (RING - 1)));
}

/* What a chunk's pixels need to be looked at for. */
enum Care {
    PLAIN,  /* nothing */
    BEGIN,  /* one is the first of its row, */
    END,    /* or the last, or the one beyond */
    GENERAL /* all that there is */
};

/*
 * Diffuses the chunk that begins with step `first`; returns its dots. LOOKS:
 * the page has several inks. The chain from pixel to pixel is `left`, and over
 * two of them, from row to row, `sent`: so little as possible is on the way to
 * these.
 */
template <bool LOOKS, Care CARE>
__device__ uint32_t diffuse_chunk(const Pixels &pixels, const Numbers &top,
                                  const Place &place, int first, Chain &chain)
{
    const Numbers &tone = pixels.tone, &rule = pixels.rule;
    const int begin = place.begin - first, end = place.end - first;
    float4 *to = place_of(place, first);
    float sent[4], dots = 1 << 23; /* dots are its low bits */
    Chain c = chain;

#pragma unroll
    for (int i = 0; i < CHUNK; i++) {
        /* From the row above and the ink before. */
        float given = c.left + (tone[i] + top[i]);
        float before = 0, limit = HT_ONE / 2 - 1 + EXTRA, kind = 0;
        if (LOOKS) {
            before =
                place.behind * fminf(fmaxf(c.looked[0], -HT_ONE), HT_ONE - 1);
            limit = raised(before, rule[i]) - (MAGIC - limit);
        }
        if (CARE == GENERAL) {
            kind = fabsf(rule[i]) == 1 ? rule[i] : 0;
            limit = __fmaf_rn(kind, -8 * HT_ONE, limit);
        }

        float u = __fmaf_rn(c.inherited[0], place.takes, given);
        float dot = __saturatef(u - limit);
        float e = __fmaf_rn(dot, -HT_ONE, u);
        c.left = __fmaf_rn(dot, -7 * HT_ONE / 16, share<7>(u));
        if (CARE == END)
            e = held_error(u, dot);
        if (CARE == GENERAL) {
            e = kept(e, kind);
            c.left = share<7>(e);
        }

        /* Nothing leaves the page but `left`, on the chain, which the pixel
         * beyond the end keeps. */
        const bool begins = (CARE == BEGIN || CARE == GENERAL) && i == begin;
        const bool ends = (CARE == END || CARE == GENERAL) && i == end;
        const bool beyond = (CARE == END || CARE == GENERAL) && i == end + 1;
        const float back = begins || beyond ? EXTRA : e;
        const float ahead = ends ? EXTRA : e;

        sent[i % 4] = __fmaf_rd(back, 3 / 16.0f, c.below);
        c.owed = (c.owed - sent[i % 4]) + (e - (ends ? MAGIC : c.left));
        c.below = __fmaf_ru(ahead, -1 / 16.0f, c.owed);

        pass(c.inherited, __shfl_up_sync(ALL, sent[i % 4], 1));
        if (LOOKS) {
            c.before = before + EXTRA - e;
            pass(c.looked, __shfl_up_sync(ALL, c.before, place.ink_rows));
        }
        if (i % 4 == 3 && place.last_row)
            to[i / 4] = {sent[0], sent[1], sent[2], sent[3]};
        dots = __fmaf_rn(dot, 1 << (CHUNK - 1 - i), dots);
    }
    chain = c;
    return __float_as_uint(dots) & ((1 << CHUNK) - 1);
}

/* Whether nothing is on its way in the warp or comes from above. */
template <bool LOOKS>
__device__ bool nothing_comes(const Place &place, const Numbers &top,
                              const Chain &chain)
{
    const float none = place.takes == 1 ? 0 : NO_ERROR;
    bool any =
        chain.left != MAGIC || chain.owed != NOTHING || chain.below != NOTHING;

#pragma unroll
    for (float error : chain.inherited)
        any |= place.takes == 1 && error != NO_ERROR;
    if (LOOKS) {
        any |= chain.before != 0;
#pragma unroll
        for (float much : chain.looked)
            any |= place.behind == 1 && much != 0;
    }
#pragma unroll
    for (int i = 0; i < CHUNK; i++)
        any |= top[i] != none;
    return !__any_sync(ALL, any);
}

/* Nothing leaves. */
__device__ void leave_blank(const Place &place, int first)
{
    float4 *to = place_of(place, first);

#pragma unroll
    for (int i = 0; place.last_row && i < CHUNK / 4; i++)
        to[i] = {NO_ERROR, NO_ERROR, NO_ERROR, NO_ERROR};
}

/* The care that the chunk that begins with step `first` asks for. */
__device__ Care care_of(int content, const Place &place, int first)
{
    const bool begins = first <= place.last_begin, ends = content & ENDED;

    return (content & SPECIAL) || (begins && ends) ? GENERAL
           : begins                                ? BEGIN
           : ends                                  ? END
                                                   : PLAIN;
}

/* A team's part of a strip. */
template <bool LOOKS>
__device__ void diffuse_strip(Shared &shared, const Strip &strip,
                              const Lane &lane, int team)
{
    const int chunks = chunks_of(strip, team), self = lane.index;
    const bool watches = team == 0 && strip.in_band == 0;
    const Place place = find_place(shared, strip, lane, team);
    Chain chain;
    Pixels pixels;

    chain.clear();
    rest(team * strip.team_lag + 1);
    int content = shared.stage[team][0].content;
    Care care = care_of(content, place, 0);
    pixels.load<LOOKS>(shared.stage[team][0], self, content);
    next_period();
    for (int n = 0, first = 0; n < chunks; n++, first += CHUNK) {
        const Stage &next = shared.stage[team][(n + 1) % 2];
        const int next_content = next.content;
        Numbers top;
        uint32_t dots = 0;

        top.load(place.tops + (first & (RING - 1) & place.tops_go));
        if (watches && shared.large[n % 2])
            care = GENERAL;
        if (care == PLAIN)
            dots =
                diffuse_chunk<LOOKS, PLAIN>(pixels, top, place, first, chain);
        else if (care == BEGIN)
            dots =
                diffuse_chunk<LOOKS, BEGIN>(pixels, top, place, first, chain);
        else if (care == END)
            dots = diffuse_chunk<LOOKS, END>(pixels, top, place, first, chain);
        else if (!(content & INKED) && nothing_comes<LOOKS>(place, top, chain))
            leave_blank(place, first);
        else {
            if (!LOOKS && !(content & SPECIAL))
                pixels.rule.clear();
            dots =
                diffuse_chunk<LOOKS, GENERAL>(pixels, top, place, first, chain);
        }
        shared.dots[team][n % 2][self] = dots;
        pixels.load<LOOKS>(next, self, next_content);
        content = next_content;
        care = care_of(content, place, first + CHUNK);
        next_period();
    }
    rest(1);
}

} // namespace

#endif
