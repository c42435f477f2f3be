/*
 * inks_feed.cuh - Floyd-Steinberg of several inks: the warps around a team. A
 * lane of a feeder brings the samples of all inks of a row, and with them
 * what of "Inks together" (doc/dev/halftone.md) depends on tones alone; a
 * printer takes the dots to the page.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HT_GPU_FLOYD_INKS_FEED_CUH
#define HT_GPU_FLOYD_INKS_FEED_CUH

#include "gpu/cuda/floyd/carry.cuh"
#include "gpu/cuda/floyd/targets.cuh"

namespace
{

/* ---- Shared memory ------------------------------------------------------ */

constexpr int GROUP = 4;       /* inks that a lane does side by side */
constexpr int PIECES = 2;      /* of a chunk: a team hands on half of one */
constexpr int ROWS_INKS = 128; /* rows of a team, times inks of all groups */

/* Half of a word of a stage: the upper one is above the lower. */
constexpr uint32_t NOT_GIVEN = 0x8000; /* fewer than two inks are toned */

/* Facts about the pixels of a chunk: a bit for each ink, ink 0 in bit 0. */
struct Content {
    uint32_t special; /* inks with white or solid pixels, or nearly so */
    uint32_t inked;   /* .. that are not white */
    uint32_t bottom;  /* .. with a row with nothing toned below the chunk */
    bool ended;       /* some row's last pixel, or the one behind it */
};

/* A chunk of a team of up to `GROUPS` groups of inks, filled in two periods and
 * diffused in the next two. Inks that a page does not have are white. */
template <int GROUPS> struct alignas(16) InksStage {
    static constexpr int INKS = GROUPS * GROUP, ROWS = ROWS_INKS / INKS;

    /* The lower half of a pixel's word is its tone. The upper one is what the
     * inks before should absorb (A); or of the first ink, for which that is 0,
     * the light that all inks should reflect (M), plus NOT_GIVEN. */
    uint32_t pixel[INKS][CHUNK][ROWS];
    Targets targets[INKS][ROWS];
    Content content;
};

/* Shared memory of a block that does several inks. */
template <int GROUPS>
struct alignas(16) InksShared : Common<2 * GROUPS * GROUP, CHUNK / PIECES> {
    static constexpr int KEPT = 16; /* pieces whose dots are kept */
    typedef InksStage<GROUPS> Stage;

    Stage stage[TEAMS][FEEDERS];
    /* Dots of a piece, a bit a column, the leftmost in bit 7. */
    uint8_t dots[TEAMS][KEPT][Stage::INKS][Stage::ROWS];
};

/* Returns the share of light that the ink of a rank absorbs (f), 15 fraction
 * bits; 0 if the page has no such ink. */
__device__ int absorption_of(const ht_gpu_plan &plan, int rank)
{
    return rank < (int)plan.inks ? plan.meeting.absorbed[plan.first + rank] : 0;
}

/* ---- Numbers ------------------------------------------------------------ */

/* A sum with HALVES that is rounded down is rounded to halves, or finer. */
constexpr float HALVES = 1 << 22;

/* Returns MAGIC plus R(value, share), of a share 0..1. */
__device__ float rounded(float value, float share)
{
    return __fadd_rd(__fmaf_rd(value, share, HALVES + 0.5f), MAGIC - HALVES);
}

/* Returns the lower halves of two floats, the second one above the first. */
__device__ uint32_t lower_halves(float low, float high)
{
    return __byte_perm(__float_as_uint(low), __float_as_uint(high), 0x5410);
}

/* ---- The feeders -------------------------------------------------------- */

/* An ink's share of "Inks together", as a feeder wants it. */
struct Share {
    float absorbed;    /* f */
    float slope, from; /* how much it wants to meet, of a tone MAGIC above */

    __device__ Share(const ht_gpu_plan &plan, int rank)
        : absorbed(absorption_of(plan, rank) * (1.0f / (1 << HT_WEIGHT_BITS))),
          slope((2 << plan.meeting.steps) * (1.0f / (1 << HT_WEIGHT_BITS))),
          from(-slope * (MAGIC + plan.meeting.from))
    {
    }
};

/* Wishes of the inks so far at the pixels of a chunk. */
struct Wish {
    float dark[CHUNK], nearness[CHUNK]; /* 1 - M / ONE, and O, 0..1 */
    uint32_t one, two; /* a pixel has at least one, two toned inks */

    __device__ void clear()
    {
#pragma unroll
        for (int i = 0; i < CHUNK; i++)
            dark[i] = nearness[i] = 0;
        one = two = 0;
    }

    /* Counts the toned pixels of an ink. */
    __device__ void count(uint32_t toned)
    {
        two |= one & toned;
        one |= toned;
    }

    /*
     * Adds pixel i of an ink, of a tone MAGIC above its value; returns MAGIC
     * plus A. A white pixel has a tone of 0, so it changes nothing. A solid one
     * wants to meet fully, but leaves O alone: as then A = ONE - M, M loses
     * R(2 R(M, f), ONE) = R(M, f). R(x, 32767), as R(x, 32768), is x for x =
     * 0..ONE, so O may be 1.
     */
    __device__ float add(int i, float tone, bool toned, const Share &ink)
    {
        const float near = fmaxf(
            nearness[i], __saturatef(__fmaf_rn(tone, ink.slope, ink.from)));
        const float should = rounded(dark[i] * HT_ONE, near);
        const float rest = rounded((MAGIC + HT_ONE) - should, ink.absorbed);
        const float part = __fmaf_rn(tone, 1.0f / HT_ONE, -MAGIC / HT_ONE);
        const float takes = rounded(rest - MAGIC, part);

        nearness[i] = toned ? near : nearness[i];
        dark[i] = __saturatef(
            __fmaf_rn(takes, 1.0f / HT_ONE, dark[i] - MAGIC / HT_ONE));
        return should;
    }
};

/* A feeder, which fills every second chunk of a team. */
template <bool DEEP, int GROUPS> struct InksFeeder {
    typedef InksStage<GROUPS> Stage;

    Lane first; /* the first ink's row */
    size_t plane;
    int row;  /* of a stage; ROWS = none */
    int from; /* column of the next chunk, whose first ink is on its way */
    Samples<DEEP> samples;
    Around around;
    Wish wish;

    __device__ void load(int rank)
    {
        Lane lane = first;

        lane.level += rank * plane;
        lane.tone += rank * plane;
        lane.below += rank * plane;
        samples.load(lane, from);
        around.load(lane, from);
    }

    /* Stores the pixels of the ink of a rank, whose samples have come. */
    __device__ void store(Stage &stage, const ht_gpu_plan &plan, int rank,
                          uint32_t toned)
    {
        const Share share(plan, rank);

#pragma unroll
        for (int i = 0; i < CHUNK; i++) {
            const float tone = samples.tone_of(i) + MAGIC;
            const float should = wish.add(i, tone, toned >> i & 1, share);
            if (row < Stage::ROWS)
                stage.pixel[rank][i][row] = lower_halves(tone, should);
        }
    }

    /* Adds the light that all inks should reflect to the first ink's pixels,
     * whose A is 0. */
    __device__ void store_light(Stage &stage) const
    {
        const uint32_t not_given = around.inside(first, from) & ~wish.two;

#pragma unroll
        for (int i = 0; i < CHUNK && row < Stage::ROWS; i++) {
            const float light =
                __fmaf_rn(wish.dark[i], -HT_ONE, MAGIC + HT_ONE);
            const uint32_t flag = not_given >> i & 1 ? NOT_GIVEN : 0;
            auto half = (uint16_t *)&stage.pixel[0][i][row];
            half[1] = (uint16_t)(__float_as_uint(light) | flag);
        }
    }

    /* Prefetches what load() will want PREFETCH_COLUMNS later of the ink of a
     * rank, once for each 128 bytes. Only the last row of a band has levels
     * below it that are not those of another lane. */
    __device__ void prefetch(int rank) const
    {
        const int column = from + PREFETCH_COLUMNS;
        const uint8_t *at = first.level + rank * plane + column;

        if (((uint32_t)(uintptr_t)at & 127) < FEEDERS * CHUNK &&
            column < first.width)
            prefetch_line(at);
    }

    /* Fills a stage with the chunk whose first samples are on their way, and
     * asks for those of this feeder's next one; takes two periods. */
    __device__ void fill(Stage &stage, const ht_gpu_plan &plan)
    {
        const bool ends = from <= first.width && from + CHUNK >= first.width;
        Content content = {0, 0, 0, (bool)__any_sync(ALL, ends)};

        wish.clear();
        for (int rank = 0; rank < (int)plan.inks; rank++) {
            bool special, bottom;

            samples.arrange(first, from);
            const Targets targets =
                around.find(first, from, samples, special, bottom);
            content.special |= (uint32_t)__any_sync(ALL, special) << rank;
            content.bottom |= (uint32_t)__any_sync(ALL, bottom) << rank;
            content.inked |= (uint32_t)__any_sync(ALL, !samples.white())
                             << rank;
            wish.count(targets.row);
            if (rank + 1 < (int)plan.inks)
                load(rank + 1);
            prefetch(rank);
            if (rank == (int)plan.inks / 2)
                next_period();
            store(stage, plan, rank, targets.row);
            if (row < Stage::ROWS)
                stage.targets[rank][row] = targets;
        }
        store_light(stage);
        stage.content = content;
        from += FEEDERS * CHUNK;
        load(0);
    }

    /* Makes the inks white that the page does not have. */
    __device__ void clear_rest(Stage &stage, const ht_gpu_plan &plan) const
    {
        if (row >= Stage::ROWS)
            return;
        for (int rank = (int)plan.inks; rank < Stage::INKS; rank++) {
            for (int i = 0; i < CHUNK; i++)
                stage.pixel[rank][i][row] = 0;
            stage.targets[rank][row] = {0, 0};
        }
    }
};

/* The part of feeder `index` of a team, of a sweep. */
template <bool DEEP, int GROUPS>
__device__ void feed_inks(InksShared<GROUPS> &shared, const ht_gpu_plan &plan,
                          const ht_gpu_band &band, const Sweep &sweep, int team,
                          int index)
{
    const int begin = team * sweep.team_lag + PIECES * index;
    const int pieces = pieces_of(sweep, team);
    auto &stage = shared.stage[team][index];
    InksFeeder<DEEP, GROUPS> feeder;
    int periods = begin;

    feeder.row = (int)threadIdx.x % LANES;
    feeder.first = find_lane(plan, band, sweep, team, feeder.row, 0);
    feeder.plane = plan.width;
    feeder.from = index * CHUNK - feeder.first.lag;
    feeder.load(0);
    feeder.clear_rest(stage, plan);
    rest(begin);
    for (int n = index; n * PIECES < pieces; n += FEEDERS) {
        feeder.fill(stage, plan);
        rest(FEEDERS * PIECES - 1);
        periods += FEEDERS * PIECES;
    }
    rest(sweep.periods - periods);
}

/* ---- The printers ------------------------------------------------------- */

/* The dots of a team, from where it leaves them to the page. */
template <int GROUPS> struct InksPrinter {
    typedef InksStage<GROUPS> Stage;
    static constexpr int WORD = 32 / InksShared<GROUPS>::PIECE; /* in pieces */
    const InksShared<GROUPS> &shared;
    const ht_gpu_plan &plan;
    const ht_gpu_band &band;
    const Sweep &sweep;
    int team;

    /* Returns the dots of word w, 32 columns, of a row of an ink. */
    __device__ uint32_t word(const Lane &lane, int rank, int w) const
    {
        constexpr int PIECE = InksShared<GROUPS>::PIECE;
        uint32_t dots = 0;

        for (int n = w * WORD; n < (w + 1) * WORD; n++)
            dots = dots << PIECE |
                   (n >= 0 && n < sweep.pieces
                        ? shared.dots[team][n % shared.KEPT][rank][lane.row]
                        : 0);
        return in_page(lane, 32 * w - lane.lag, dots);
    }

    /* Puts word w into the page, of all rows and inks. */
    __device__ void put(int w) const
    {
        const int self = threadIdx.x % LANES, count = Stage::ROWS * sweep.inks;

        for (int i = self; i < count; i += LANES) {
            const int rank = i / Stage::ROWS, row = i % Stage::ROWS;
            const Lane lane = find_lane(plan, band, sweep, team, row, rank);

            put_dots(lane, 32 * w - lane.lag, word(lane, rank, w - 1),
                     word(lane, rank, w));
        }
    }
};

/* The printer's part of a sweep. */
template <int GROUPS>
__device__ void print_inks(const InksShared<GROUPS> &shared,
                           const ht_gpu_plan &plan, const ht_gpu_band &band,
                           const Sweep &sweep, int team)
{
    const int begin = team * sweep.team_lag + 3;
    const InksPrinter<GROUPS> printer = {shared, plan, band, sweep, team};

    rest(begin);
    for (int n = 0; n < sweep.pieces; n++) {
        if ((n + 1) % printer.WORD == 0)
            printer.put(n / printer.WORD);
        next_period();
    }
    printer.put(sweep.pieces / printer.WORD);
    printer.put(sweep.pieces / printer.WORD + 1);
    rest(sweep.periods - begin - sweep.pieces);
}

} // namespace

#endif
