/*
 * inks_kernel.cuh - Floyd-Steinberg of several inks: the chain from ink to ink
 * of a pixel and from pixel to pixel, doc/dev/halftone.md "Inks together".
 *
 * A lane walks along a row with all inks, INKS_LAG columns behind the lane of
 * the row above, and does a pixel's inks one after the other, each of which
 * needs the light that those before have left.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HT_GPU_FLOYD_INKS_KERNEL_CUH
#define HT_GPU_FLOYD_INKS_KERNEL_CUH

#include "gpu/cuda/floyd/general.cuh"
#include "gpu/cuda/floyd/inks_feed.cuh"
#include "gpu/cuda/floyd/sweep.cuh"

namespace
{

/* Columns that a row's lane is behind the lane of the row above: light and
 * error for column x are complete when column x + 1 is done. */
constexpr int INKS_LAG = 2;

/* ---- State of a lane ---------------------------------------------------- */

/* An ink of a row. */
struct Ink : Chain {
    float company;    /* MAGIC above what the next pixel gets (left_k) */
    float kept;       /* what the pixel left to the one below (V) */
    float error, met; /* what the next pixel inherits: E and V */
    float share;      /* of light that the ink absorbs: f */
    float dots; /* of the chunk so far, a bit each, the last one in bit 0 */

    __device__ void clear()
    {
        Chain::clear();
        company = MAGIC;
        kept = met = NO_COMPANY;
        error = NO_ERROR;
        dots = 0;
    }

    /* Says whether nothing comes to a white pixel, or is still to be sent. */
    __device__ bool empty() const
    {
        return Chain::empty() && kept == NO_COMPANY && error == NO_ERROR;
    }
};

/* A row of all inks. */
template <int GROUPS> struct Inks {
    Ink ink[GROUPS * GROUP];
    float light;   /* U / ONE, that the next pixel inherits */
    float pending; /* U', MAGIC below, that the last pixel left to the one
                      below */

    __device__ void clear()
    {
#pragma unroll
        for (Ink &i : ink)
            i.clear();
        light = 0;
        pending = -MAGIC;
    }
};

/* Neighbourhood of a lane. */
struct Sides {
    const float (*tops)[RING]; /* lines that a first row inherits, and */
    float (*ends)[RING];       /* that the last row leaves, */
    int to_place;              /* steps later */
    bool first_row, last_row;
    int begin, end; /* steps of the page's first column and of its last */
    int last_begin; /* the last lane's `begin` */
};

template <class S>
__device__ Sides find_sides(S &shared, const Sweep &sweep, const Lane &lane,
                            int team)
{
    return {shared.line[team],
            shared.line[team + 1],
            line_lag(sweep.team_rows, sweep.lag) / S::PIECE * S::PIECE,
            lane.row == 0,
            lane.last_row,
            lane.lag,
            lane.lag + sweep.width - 1,
            (sweep.team_rows - 1) * sweep.lag + team * sweep.team_pad};
}

/* ---- Numbers ------------------------------------------------------------ */

/* A sum with WHOLE that is rounded down is rounded to integers. WHOLE is
 * odd. */
constexpr float WHOLE = 14680065; /* 1.75 * 2^23 + 1 */
constexpr float FAR = 1 << 26;    /* more than any such sum */

/* Returns MAGIC plus the lower or the upper half of a word. */
template <bool UPPER> __device__ float half_of(uint32_t word)
{
    return __uint_as_float(
        __byte_perm(word, 0x4b400000, UPPER ? 0x7632 : 0x7610));
}

/* ---- A pixel ------------------------------------------------------------ */

/* The paper of a pixel, as the inks find it. */
struct Paper {
    float inherited; /* U / ONE */
    float light;     /* L */
};

/* State of an ink at a pixel, before its dot is chosen. */
struct Encounter {
    float absorbed; /* q */
    float company;  /* v, COMPANY_EXTRA above its value */
    float welcome;  /* s */
    bool first;     /* the ink is the page's first one: v and s are 0 */

    /* `should`: MAGIC above A. */
    __device__ Encounter(const Ink &ink, float met, const Paper &paper,
                         float should, bool is_first)
        : first(is_first)
    {
        /* 3/2 (A - (ONE - L)), rounded down */
        const float most = __fmaf_rd(should + paper.light, 1.5f,
                                     MAGIC - 1.5f * (MAGIC + HT_ONE));

        absorbed = rounded(paper.light, ink.share) - MAGIC;
        company = first ? COMPANY_EXTRA : ink.company + met;
        welcome = first ? 0 : most - MAGIC;
    }

    /* Returns +-FAR if no push can change the dot, else 1 - WHOLE. */
    static __device__ float decided(float u)
    {
        /* u held to -1/2 .. ONE - 1/2, plus 1/2, as a fraction of ONE */
        const float held =
            __saturatef(__fmaf_rn(u, 1.0f / HT_ONE, (0.5f - EXTRA) / HT_ONE));
        const float beyond = __fmaf_rn(held, -HT_ONE, u);

        return __fmaf_rn(beyond, FAR, (0.5f - EXTRA) * FAR + (1 - WHOLE));
    }

    /*
     * Returns the dot of a toned pixel, 0 or 1, if it has tone and error
     * `u`, EXTRA above its value: u >= ONE/2 + 2 (R(s, v) - R(2 q, U)), a
     * threshold held to 0..ONE. With the integer
     *
     *     y = floor((u - ONE/2) / 2) + R(2 q, U)
     *
     * that is R(s, v) <= y, or y - s v / 2^15 > -1/2: so WHOLE + y - s v / 2^15
     * has to be at least WHOLE once it is rounded, to even where it is between
     * two integers.
     */
    __device__ float dot(float u, const Paper &paper, float decided) const
    {
        constexpr float UNIT = 1.0f / (1 << HT_WEIGHT_BITS);
        const float half =
            __fmaf_rd(u, 0.5f, WHOLE - HALVES - (HT_ONE / 2 + EXTRA) / 2);
        const float y = __fadd_rd(
            __fmaf_rd(absorbed, paper.inherited, HALVES + 0.5f), half);
        const float v = __fmaf_rn(company, -UNIT, COMPANY_EXTRA * UNIT);

        const float sum = first ? y : __fmaf_rn(welcome, v, y);
        return __saturatef(sum + decided);
    }

    /* Notes a dot of a toned pixel: what the ink gives on of its company, and
     * the light that is left. */
    __device__ void part(float dot, Ink &ink, Paper &paper) const
    {
        constexpr float MOST = HT_ONE - 1;
        constexpr float ON = (float)HT_COMPANY_ON / (1 << HT_WEIGHT_BITS);
        const float v =
            fminf(fmaxf(__fmaf_rn(dot, welcome, company), COMPANY_EXTRA - MOST),
                  COMPANY_EXTRA + MOST);

        ink.company = __fmaf_rd(v, ON, MAGIC - COMPANY_EXTRA / 2);
        ink.kept = v - ink.company;
        paper.light = __fmaf_rn(dot, -absorbed, paper.light);
    }
};

static_assert(HT_COMPANY_ON == (5 << HT_WEIGHT_BITS) / 8,
              "COMPANY_EXTRA / 2 is what is above R(v, 5/8)");

/* The special cases of a pixel, none of them white, solid or with a large
 * error. */
struct Edges {
    bool begins, ends, beyond; /* the row's first pixel, its last one, or the
                                  one behind it */
    uint32_t alone; /* inks with nothing toned below the chunk, a bit each */
};

/* Gives on the error of a pixel that has tone and error `u`, EXTRA above its
 * value; returns what its row sends to the column behind in the row below. */
template <Care CARE>
__device__ float give_on(Ink &ink, float u, float dot, const Edges &edges,
                         bool alone)
{
    float e = __fmaf_rn(dot, -HT_ONE, u), back, ahead;

    ink.left = __fmaf_rn(dot, -7 * HT_ONE / 16, share<7>(u));
    back = edges.begins ? EXTRA : e; /* nothing leaves the page */
    ahead = e;
    if (CARE != PLAIN) {
        e = held_error(u, dot);
        if (alone)
            ink.left = e + (MAGIC - EXTRA);
        back = edges.begins || edges.beyond || alone ? EXTRA : e;
        ahead = edges.ends || alone ? EXTRA : e;
        if (edges.ends)
            ink.left = MAGIC;
    }
    const float sent = __fmaf_rd(back, 3 / 16.0f, ink.below);
    ink.owed = (ink.owed - sent) + (e - ink.left);
    ink.below = __fmaf_ru(ahead, -1 / 16.0f, ink.owed);
    return sent;
}

/* Diffuses a pixel of an ink, of any care but GENERAL; `error` and `met` are
 * what it inherits. Returns what its row sends to the column behind. */
template <Care CARE>
__device__ float diffuse_pixel(Ink &ink, float error, float met, uint32_t word,
                               bool first, const Edges &edges, bool alone,
                               Paper &paper)
{
    const float tone = half_of<false>(word);
    const float u = ink.left + ((tone + error) - MAGIC);
    const Encounter found(ink, met, paper, half_of<true>(word), first);
    float dot = found.dot(u, paper, found.decided(u));

    if (CARE != PLAIN && alone) /* as limit() */
        dot = __saturatef(u - ((HT_ONE - 1 + EXTRA + MAGIC) - tone));
    found.part(dot, ink, paper);
    ink.dots = __fmaf_rn(ink.dots, 2, dot);
    return give_on<CARE>(ink, u, dot, edges, alone);
}

/* Neighbours that may get shares of a pixel's error. */
struct Takers {
    bool toned, in_row, behind, below, ahead;

    __device__ Takers(const Targets &targets, int i)
        : toned(targets.row >> i & 1), in_row(targets.row >> i & 2),
          behind(targets.below >> i & 1), below(targets.below >> i & 2),
          ahead(targets.below >> i & 4)
    {
    }
};

/* Gives on the error e of a pixel, EXTRA above its value, to those that take
 * it; returns what its row sends to the column behind in the row below. Shares
 * that nobody gets stay owed, and go straight down; if the pixel below does not
 * take them, they go to the first pixel that does.
 *
 * The share that goes aside to the column ahead is not held on its own: the
 * pixel there is white or solid then, and gives little. */
__device__ float give_any(Chain &chain, float e, const Takers &takes)
{
    const float right = takes.in_row ? share<7>(e) : MAGIC;
    float sent = __fmaf_rd(takes.behind ? e : EXTRA, 3 / 16.0f, chain.below);
    const float back = sent - (chain.below + 1);
    const float owed = (chain.owed - sent) + (e - right);
    const float below = __fmaf_ru(takes.ahead ? e : EXTRA, -1 / 16.0f, owed);
    const float rest =
        takes.below ? 0
                    : ((e - right) + (MAGIC - EXTRA)) - back - (owed - below);
    const float to_right = takes.in_row ? rest : 0;
    const float to_back = !takes.in_row && takes.behind ? rest : 0;
    const float gone = to_right + to_back;
    const float to_ahead =
        !takes.in_row && !takes.behind && takes.ahead ? rest : 0;

    chain.left = right + to_right;
    chain.owed = owed - gone;
    chain.below = (below - gone) - to_ahead;
    sent += to_back;
    return fminf(fmaxf(sent, NO_ERROR + INT16_MIN), NO_ERROR + INT16_MAX);
}

/* Returns the error of a pixel with a dot, 0 or 1, EXTRA above its value, as
 * are what it inherits and `u`, which has its tone, too. */
__device__ float any_error(bool toned, float inherited, float u, float dot)
{
    constexpr float HALF = HT_ONE / 2;
    const float forced = held(inherited - EXTRA, HALF);
    /* 3/4 of it, rounded towards 0 */
    const float size = __fmaf_rd(fabsf(forced), 0.75f, MAGIC) - MAGIC;
    const float from = toned ? u : copysignf(size, forced) + EXTRA;
    const float e = __fmaf_rn(dot, toned ? -HT_ONE : 0.0f, from);

    return fminf(fmaxf(e, EXTRA - HT_ONE), EXTRA + HT_ONE - 1);
}

/* Diffuses a pixel of an ink, of any care; `error` and `met` are what it
 * inherits, `stuck` is stuck_limit() if its error has nowhere to go. Returns
 * what its row sends to the column behind. */
__device__ float diffuse_any_pixel(Ink &ink, float error, float met,
                                   uint32_t word, bool first,
                                   const Takers &takes, float stuck,
                                   Paper &paper)
{
    const bool goes = takes.in_row || takes.behind || takes.ahead;
    const float tone = half_of<false>(word) - MAGIC;
    const float inherited =
        fminf(fmaxf(ink.left + error, EXTRA + INT16_MIN), EXTRA + INT16_MAX);
    const float limit = goes ? (HT_ONE - 1 + EXTRA) - 2 * tone : stuck + EXTRA;
    const float free = takes.toned ? inherited - limit : tone;
    const Encounter found(ink, met, paper, half_of<true>(word), first);
    const bool pushed = takes.toned && takes.below;
    const float u = tone + inherited;
    const float alone = __fmaf_rn(__saturatef(free), 2 * FAR, -FAR);
    const float dot = found.dot(u, paper, pushed ? found.decided(u) : alone);

    found.part(dot, ink, paper);
    ink.company = takes.toned ? ink.company : MAGIC;
    ink.kept = takes.toned ? ink.kept : NO_COMPANY;
    ink.dots = __fmaf_rn(ink.dots, 2, dot);
    return give_any(ink, any_error(takes.toned, inherited, u, dot), takes);
}

/* Gives on the light of a pixel, whose inks left `paper` and should have left
 * `wanted`, MAGIC above its value; returns what its row leaves to the column
 * behind. */
__device__ float shine(const Paper &paper, float wanted, bool given,
                       float &pending)
{
    constexpr float MOST = HT_ONE - 1;
    const float owed = __fmaf_rn(paper.inherited, HT_ONE, MAGIC - wanted);
    const float m = owed + paper.light;
    const float light = given ? fminf(fmaxf(m, -MOST), MOST) : 0;
    const float half = __fmaf_rd(light, 0.5f, MAGIC);
    const float whole = pending + half;

    pending = light - half;
    return whole;
}

} // namespace

#endif
