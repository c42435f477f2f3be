/*
 * inks_sweep.cuh - Floyd-Steinberg of several inks, what a diffusing warp does:
 * chunk after chunk of a sweep, each with the care that it needs.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HT_GPU_FLOYD_INKS_SWEEP_CUH
#define HT_GPU_FLOYD_INKS_SWEEP_CUH

#include "gpu/cuda/floyd/inks_kernel.cuh"

namespace
{

/* Values of a column, for a group of inks, that are loaded from shared memory a
 * column ahead. */
struct Column {
    uint32_t pixel[GROUP];
    float error[GROUP], met[GROUP]; /* that a first row inherits */
    Targets targets[GROUP];         /* only where care is GENERAL */
};

/* A team's chunks of a sweep. */
template <int GROUPS> struct InksTeam {
    typedef InksStage<GROUPS> Stage;
    static constexpr int PIECE = InksShared<GROUPS>::PIECE;

    Sides sides;
    int row;                     /* of a stage */
    bool works;                  /* the lane has a row of the page */
    uint32_t page_row, page_ink; /* the lane's, of the first ink; for noise */
    Inks<GROUPS> inks;
    /* Inks of a piece, a bit each: those that need GENERAL care, and those that
     * are white and get nothing. */
    uint32_t general, blank;

    /* Loads column i of a chunk, which is step `step`. */
    template <Care CARE>
    __device__ void load(Column &column, const Stage &stage, int step, int i,
                         int group) const
    {
        const int from = step & (RING - 1);

#pragma unroll
        for (int k = 0; k < GROUP; k++) {
            const int rank = group * GROUP + k;

            column.pixel[k] = stage.pixel[rank][i][row];
            column.error[k] = sides.tops[2 * rank][from];
            column.met[k] = sides.tops[2 * rank + 1][from];
            if (CARE == GENERAL)
                column.targets[k] = stage.targets[rank][row];
        }
    }

    /* Diffuses the pixel in column i of an ink that needs GENERAL care. */
    __device__ float do_any(int rank, uint32_t word, const Targets &targets,
                            float error, float met, int step, int i,
                            Paper &paper)
    {
        float stuck = 0;

        if (stuck_pixels(targets) >> i & 1)
            stuck = stuck_limit(half_of<false>(word) - MAGIC,
                                ht_noise_line(page_row, page_ink + rank),
                                step - sides.begin);
        return diffuse_any_pixel(inks.ink[rank], error, met, word, rank == 0,
                                 Takers(targets, i), stuck, paper);
    }

    /* Does a group of inks in column i, and sends what they leave to the row
     * below. */
    template <Care CARE>
    __device__ void do_group(const Stage &stage, const Column &column, int step,
                             int i, int group, const Edges &edges, Paper &paper)
    {
        constexpr Care USUAL = CARE == GENERAL ? PLAIN : CARE;
        const int to = (step - sides.to_place) & (RING - 1);
        float sent[GROUP], kept[GROUP];

#pragma unroll
        for (int k = 0; k < GROUP; k++) {
            const int rank = group * GROUP + k;
            if (CARE == GENERAL && blank >> rank & 1)
                continue;
            Ink &ink = inks.ink[rank];
            const float error = sides.first_row ? column.error[k] : ink.error;
            const float met = sides.first_row ? column.met[k] : ink.met;

            kept[k] = ink.kept;
            if (CARE == GENERAL && general >> rank & 1)
                sent[k] = do_any(rank, column.pixel[k], column.targets[k],
                                 error, met, step, i, paper);
            else
                sent[k] = diffuse_pixel<USUAL>(ink, error, met, column.pixel[k],
                                               rank == 0, edges,
                                               edges.alone >> rank & 1, paper);
            ink.error = __shfl_up_sync(ALL, sent[k], 1);
            ink.met = __shfl_up_sync(ALL, kept[k], 1);
        }
        if (sides.last_row) {
#pragma unroll
            for (int k = 0; k < GROUP; k++) {
                const int rank = group * GROUP + k;

                if (CARE == GENERAL && blank >> rank & 1)
                    continue;
                sides.ends[2 * rank][to] = sent[k];
                if (rank > 0)
                    sides.ends[2 * rank + 1][to] = kept[k];
            }
        }
    }

    /* Does column i of a chunk, which is step `step`: `column` has it of the
     * first group, and `top` the light that a first row inherits. */
    template <Care CARE>
    __device__ void do_column(const Stage &stage, Column &column, int step,
                              int i, uint32_t alone, float top)
    {
        const float wanted = half_of<true>(column.pixel[0]);
        const Edges edges = {step == sides.begin, step == sides.end,
                             step == sides.end + 1, alone};
        Paper paper = {sides.first_row ? top * (1.0f / HT_ONE) : inks.light,
                       HT_ONE};

        do_group<CARE>(stage, column, step, i, 0, edges, paper);
#pragma unroll 1
        for (int group = 1; group < GROUPS; group++) {
            load<CARE>(column, stage, step, i, group);
            do_group<CARE>(stage, column, step, i, group, edges, paper);
        }
        const bool given = CARE != GENERAL || wanted < MAGIC + NOT_GIVEN;
        float whole = shine(paper, wanted, given, inks.pending);
        if (edges.begins)
            whole = 0; /* nothing leaves the page */
        inks.light = __shfl_up_sync(ALL, whole * (1.0f / HT_ONE), 1);
        if (sides.last_row)
            sides.ends[1][(step - sides.to_place) & (RING - 1)] = whole;
    }

    /* Diffuses the piece whose first step is `first`, from column `at` of a
     * chunk on. */
    template <Care CARE>
    __device__ void do_piece(const Stage &stage, int first, int at)
    {
        constexpr int UNROLLED = CARE == PLAIN && GROUPS == 1 ? 4 : 1;
        uint32_t alone = 0;
        Column column;
        float top = sides.tops[1][first & (RING - 1)];

#pragma unroll
        for (Ink &ink : inks.ink)
            ink.dots = 0;
#pragma unroll
        for (int rank = 0; CARE == EDGES && rank < Stage::INKS; rank++)
            alone |= (uint32_t)(stage.targets[rank][row].below == 0) << rank;
        load<CARE>(column, stage, first, at, 0);
#pragma unroll 1
        for (int j = 0; j < PIECE; j += UNROLLED)
#pragma unroll
            for (int i = 0; i < UNROLLED; i++) {
                const int step = first + j + i, in_chunk = at + j + i;
                const int next = j + i + 1 < PIECE; /* or once more */
                Column now = column;
                const float light = top;

                load<CARE>(column, stage, step + next, in_chunk + next, 0);
                top = sides.tops[1][(step + next) & (RING - 1)];
                do_column<CARE>(stage, now, step, in_chunk, alone, light);
            }
    }

    /* Returns whether nothing of an ink is on its way in the warp, or comes
     * from above the piece whose first step is `first`. Company goes no further
     * in white. */
    __device__ bool nothing_comes(const Ink &ink, int rank, int first) const
    {
        bool any = !ink.empty();

        for (int i = 0; sides.first_row && i < PIECE; i++)
            any |= sides.tops[2 * rank][(first & (RING - 1)) + i] != NO_ERROR;
        return !__any_sync(ALL, any && works);
    }

    /* Finds what care the inks need, in the piece whose first step is `first`.
     * Returns that of all but those that are GENERAL or blank. */
    __device__ Care find_care(const Sweep &sweep, const Content &content,
                              uint32_t large, int first)
    {
        const uint32_t all = (1u << sweep.inks) - 1;
        const bool begins = first <= sides.last_begin;

        general = uniform(content.special | large);
        blank = 0;
        if (begins || content.ended || general != 0)
            general |= content.bottom;
        if (content.ended && (begins || general != 0))
            general = all;
        if (general == 0)
            return content.ended || content.bottom != 0 ? EDGES : PLAIN;
#pragma unroll
        for (int rank = 0; rank < Stage::INKS; rank++)
            if ((general & ~content.inked) >> rank & 1 &&
                nothing_comes(inks.ink[rank], rank, first))
                blank |= 1u << rank;
        general &= ~blank;
        return PLAIN;
    }

    /* Leaves nothing of blank inks, of the piece whose first step is
     * `first`. */
    __device__ void leave_blank(const Sweep &sweep, int first)
    {
        const int to = (first - sides.to_place) & (RING - 1);

#pragma unroll
        for (int rank = 0; rank < Stage::INKS; rank++) {
            if ((blank >> rank & 1) == 0)
                continue;
            inks.ink[rank].clear();
            for (int i = 0; sides.last_row && i < PIECE; i++) {
                sides.ends[2 * rank][to + i] = NO_ERROR;
                if (rank > 0)
                    sides.ends[2 * rank + 1][to + i] = NO_COMPANY;
            }
        }
        /* inks that the page does not have */
        blank |= ~0u << sweep.inks;
    }

    /* Returns whether no light is on its way in the warp. Light goes no further
     * in white. */
    __device__ bool no_light_comes() const
    {
        return !__any_sync(ALL, inks.pending != -MAGIC && works);
    }

    /* Leaves no light, of the piece whose first step is `first`. */
    __device__ void leave_dark(int first)
    {
        const int to = (first - sides.to_place) & (RING - 1);

        inks.light = 0;
        inks.pending = -MAGIC;
        for (int i = 0; sides.last_row && i < PIECE; i++)
            sides.ends[1][to + i] = 0;
    }
};

/* A team's part of a sweep: its pieces, one each period. */
template <int GROUPS>
__device__ void diffuse_inks(InksShared<GROUPS> &shared,
                             const ht_gpu_plan &plan, const ht_gpu_band &band,
                             const Sweep &sweep, int team)
{
    typedef InksStage<GROUPS> Stage;
    const int pieces = pieces_of(sweep, team), self = threadIdx.x % LANES;
    const Lane lane = find_lane(plan, band, sweep, team, self, 0);
    Watch watch(shared, sweep, team);
    InksTeam<GROUPS> work;

    work.sides = find_sides(shared, sweep, lane, team);
    work.row = self % Stage::ROWS;
    work.works = lane.works;
    work.page_row =
        (uint32_t)band.row + sweep.in_band + team * sweep.team_rows + lane.row;
    work.page_ink = plan.first;
    work.inks.clear();
#pragma unroll
    for (int rank = 0; rank < Stage::INKS; rank++)
        work.inks.ink[rank].share =
            absorption_of(plan, rank) * (1.0f / (1 << HT_WEIGHT_BITS));
    rest(team * sweep.team_lag + 2);
    for (int n = 0; n < pieces; n++) {
        const Stage &stage = shared.stage[team][n / PIECES % FEEDERS];
        const int first = n * shared.PIECE, at = first % CHUNK;
        const Content content = stage.content;
        const Care care = work.find_care(sweep, content, watch.large(n), first);

        if (work.general | work.blank)
            work.leave_blank(sweep, first);
        watch.note(shared, n, content.special & ~work.blank);
        if (work.blank == ~0u && work.no_light_comes())
            work.leave_dark(first);
        else if (work.general | work.blank)
            work.template do_piece<GENERAL>(stage, first, at);
        else if (care == PLAIN)
            work.template do_piece<PLAIN>(stage, first, at);
        else
            work.template do_piece<EDGES>(stage, first, at);
#pragma unroll
        for (int rank = 0; self < Stage::ROWS && rank < Stage::INKS; rank++)
            shared.dots[team][n % shared.KEPT][rank][self] =
                (uint8_t)(uint32_t)work.inks.ink[rank].dots;
        next_period();
    }
    rest(1);
}

} // namespace

#endif
