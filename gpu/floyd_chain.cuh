/*
 * floyd_chain.cuh - Floyd-Steinberg: the diffusing warp, doc/halftone.md
 * "A pixel" with the constants of "Floyd-Steinberg".
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HT_GPU_FLOYD_CHAIN_CUH
#define HT_GPU_FLOYD_CHAIN_CUH

#include "gpu/floyd_stage.cuh"

namespace
{

/* ---- What a lane carries ------------------------------------------------ */

/* From pixel to pixel. Errors are as floyd_stage.cuh says: what goes right
 * has MAGIC added, what goes down has it subtracted. */
struct Chain {
    float left;               /* to the next pixel of the row */
    float corner;             /* to the next row's next column */
    float below;              /* to its column, but for the next (1,-1) */
    float sent;               /* to the column before: complete */
    float inherited[LAG - 1]; /* what the row above has sent, */
    float before;             /* dots minus tones of the inks up to this */
    float looked[LAG];        /* the same from the ink before */

    __device__ void clear()
    {
        left = corner = MAGIC;
        below = sent = NO_ERROR;
        for (float &error : inherited)
            error = NO_ERROR;
        before = 0;
        for (float &dots : looked)
            dots = 0;
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
};

__device__ Place find_place(Shared &shared, const Strip &strip,
                            const Lane &lane, int team)
{
    Place place;

    place.takes = lane.works && lane.row > 0;
    place.behind = lane.works && lane.ink > 0;
    place.ink_rows = strip.team_rows;
    bool first_row = lane.works && lane.row == 0;
    place.tops = first_row    ? shared.line[team][lane.ink]
                 : lane.works ? shared.zeros
                              : shared.no_errors;
    place.tops_go = first_row ? -1 : 0;
    place.line = shared.line[team + 1][lane.works ? lane.ink : 0];
    place.line_lag = line_lag(strip.team_rows) / CHUNK * CHUNK;
    place.last_row = lane.last_row;
    place.begin = lane.lag;
    place.end = lane.lag + strip.width - 1;
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
    float halves = __fmaf_rd(held(before, HT_ONE), strength, HALVES + 0.5f);

    return __fadd_rd(halves, MAGIC - HALVES);
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

constexpr int DOTS = 16; /* that are put together in a float */
static_assert(CHUNK % DOTS == 0, "a chunk's dots are whole floats");

/* A lane's numbers of a chunk, four at a time. */
struct Pixels {
    float4 four[CHUNK / 4];

    __device__ void load(const float *row)
    {
#pragma unroll
        for (int i = 0; i < CHUNK / 4; i++)
            four[i] = ((const float4 *)row)[i];
    }

    __device__ float operator[](int i) const
    {
        const float4 &f = four[i / 4];

        return i % 4 == 0 ? f.x : i % 4 == 1 ? f.y : i % 4 == 2 ? f.z : f.w;
    }
};

/* Hands on what the rows have sent in the chunk that begins with step `first`.
 */
__device__ void hand_on(const Place &place, int first, const float *sent)
{
    float4 *to =
        (float4 *)(place.line + ((first - place.line_lag) & (RING - 1)));

    if (!place.last_row)
        return;
#pragma unroll
    for (int i = 0; i < CHUNK; i += 4)
        to[i / 4] = {sent[i], sent[i + 1], sent[i + 2], sent[i + 3]};
}

/*
 * Diffuses the chunk that begins with step `first`; returns its dots. LOOKS:
 * the page has several inks. GENERAL: some pixel is SPECIAL. The chain from
 * pixel to pixel is `left`: whether there is a dot, and what goes right if
 * there is none, are found at the same time.
 */
template <bool LOOKS, bool GENERAL>
__device__ uint32_t diffuse_chunk(const Stage &stage, int self,
                                  const Pixels &tone, const Pixels &top,
                                  const Place &place, int first, Chain &chain)
{
    const int begin = place.begin - first, end = place.end - first;
    float sent[CHUNK], dots = 0;
    uint32_t all_dots = 0;
    Pixels rule;
    Chain c = chain;

    if (LOOKS || GENERAL)
        rule.load(stage.rule[self]);
#pragma unroll
    for (int i = 0; i < CHUNK; i++) {
        /* From the row above and the ink before. */
        float given = __fmaf_rn(c.inherited[0], place.takes, tone[i] + top[i]);
        float before = 0, limit = HT_ONE / 2 - 1 + EXTRA, kind = 0;
        if (LOOKS) {
            before = place.behind * c.looked[0];
            limit = raised(before, rule[i]) - (MAGIC - limit);
        }
        if (GENERAL) {
            kind = fabsf(rule[i]) == 1 ? rule[i] : 0;
            limit = __fmaf_rn(kind, -8 * HT_ONE, limit);
        }

        float u = c.left + given;
        float dot = __saturatef(u - limit);
        float e = __fmaf_rn(dot, -HT_ONE, u);
        c.left = __fmaf_rn(dot, -7 * HT_ONE / 16, share<7>(u));
        if (GENERAL) {
            e = kept(e, kind);
            c.left = share<7>(e);
        }

        float side = share<3>(e) - c.corner;
        c.corner = share<1>(e);
        if (i == begin) /* nothing leaves the page */
            side = 0;
        if (GENERAL && i == end)
            c.left = c.corner = MAGIC;
        sent[i] = side + c.below;
        c.below = (e - c.left) - side;

        pass(c.inherited, __shfl_up_sync(ALL, sent[i], 1));
        if (LOOKS) {
            c.before = __fmaf_rn(dot, HT_ONE, before - tone[i]);
            pass(c.looked, __shfl_up_sync(ALL, c.before, place.ink_rows));
        }
        dots = __fmaf_rn(dot, 1 << (DOTS - 1 - i % DOTS), dots);
        if (i % DOTS == DOTS - 1) {
            all_dots = all_dots << (DOTS - 1) << 1 | (uint32_t)dots;
            dots = 0;
        }
    }
    hand_on(place, first, sent);
    c.sent = sent[CHUNK - 1];
    chain = c;
    return all_dots;
}

/* Whether nothing is on its way in the warp or comes from above. */
template <bool LOOKS>
__device__ bool nothing_comes(const Place &place, const Pixels &top,
                              const Chain &chain)
{
    const float none = place.takes == 1 ? 0 : NO_ERROR;
    bool any = chain.left != MAGIC || chain.corner != MAGIC ||
               chain.below != NO_ERROR || chain.sent != NO_ERROR;

#pragma unroll
    for (float error : chain.inherited)
        any |= place.takes == 1 && error != NO_ERROR;
    if (LOOKS) {
        any |= chain.before != 0;
#pragma unroll
        for (float dots : chain.looked)
            any |= place.behind == 1 && dots != 0;
    }
#pragma unroll
    for (int i = 0; i < CHUNK; i++)
        any |= top[i] != none;
    return !__any_sync(ALL, any);
}

/* Nothing leaves. */
__device__ void leave_blank(const Place &place, int first)
{
    float sent[CHUNK];

#pragma unroll
    for (float &error : sent)
        error = NO_ERROR;
    hand_on(place, first, sent);
}

/* A team's part of a strip. */
template <bool LOOKS>
__device__ void diffuse_strip(Shared &shared, const Strip &strip,
                              const Lane &lane, int team)
{
    const int begin = team * strip.team_lag + 1;
    const int chunks = chunks_of(strip, team);
    const Place place = find_place(shared, strip, lane, team);
    const Stage *stage = &shared.stage[team][0];
    const float *tops = place.tops;
    Chain chain;

    chain.clear();
    rest(begin);
    for (int n = 0, first = 0; n < chunks; n++) {
        const int4 contents = *(const int4 *)stage->content;
        const int content = contents.x | contents.y | contents.z;
        Pixels tone, top;
        uint32_t dots = 0;

        tone.load(stage->tone[lane.index]);
        top.load(tops);
        if (!(content & SPECIAL))
            dots = diffuse_chunk<LOOKS, false>(*stage, lane.index, tone, top,
                                               place, first, chain);
        else if (!(content & INKED) && nothing_comes<LOOKS>(place, top, chain))
            leave_blank(place, first);
        else
            dots = diffuse_chunk<LOOKS, true>(*stage, lane.index, tone, top,
                                              place, first, chain);
        shared.dots[team][n % 2][lane.index] = dots;
        stage = &shared.stage[team][(n + 1) % 2];
        first += CHUNK;
        tops = place.tops + (first & (RING - 1) & place.tops_go);
        next_period();
    }
    rest(1);
}

} // namespace

#endif
