/*
 * tape.cuh - Floyd-Steinberg's tape: samples in, errors and dots out, in scan
 * order, a chunk of columns at a time, through shared memory; and which rows
 * and columns are a lane's.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HT_GPU_FLOYD_TAPE_CUH
#define HT_GPU_FLOYD_TAPE_CUH

#include "gpu/cuda/band.h"
#include "gpu/cuda/ptx.cuh"
#include "gpu/cuda/warp.cuh"
#include "halftone/definition.h"

namespace
{

/* The hardware gives warps to a multiprocessor's schedulers in turn. The teams'
 * warps come first, and keep a scheduler busy each; warps that would share it
 * leave. The other schedulers have the helpers. */
constexpr int SCHEDULERS = 4;

constexpr int TEAMS = 2;   /* diffusing warps, which share a sweep's rows */
constexpr int FEEDERS = 2; /* of each team, which bring it chunks by turns */
constexpr int CHUNK = 16;  /* columns that a feeder prepares together */

/* The most columns that a row's lane is behind the lane of the row above: the
 * error for column x is complete when column x + 1 is done, and then is on its
 * way by shuffle. */
constexpr int MOST_LAG = 3;

static_assert(HT_GPU_PAD >= TEAMS * (LANES * MOST_LAG + 2 * CHUNK) + 8 * CHUNK,
              "lanes that have not begun or have ended read in the padding");

/* ---- Numbers ------------------------------------------------------------ */

/*
 * All numbers of a pixel are floats: a multiprocessor starts twice as many of
 * their instructions as of integers'. They hold integers, and none is rounded
 * but on purpose: MAGIC plus or minus any of them lies where floats are 1
 * apart, so a sum with MAGIC that is rounded down is an integer, rounded down.
 *
 * Errors are kept EXTRA above their value. R(e, w), of w sixteenths, is the
 * floor of (w e + 8) / 16. As w is odd, 8 w is 8 more than a multiple of 16, so
 * R(e, w) is the floor of w (e + EXTRA) / 16, less (w - 1) / 2.
 */
constexpr float MAGIC = 12582912; /* 1.5 * 2^23 */
constexpr float EXTRA = 8;

/* No error, as a row hands it on: EXTRA above its value and MAGIC below. */
constexpr float NO_ERROR = EXTRA - MAGIC;

/* Nothing to send down. What goes right is MAGIC above an error's float, what
 * goes down MAGIC below; and what a row has not sent down yet is 1 less, which
 * share<3>() adds. */
constexpr float NOTHING = NO_ERROR - 1;

/* Company (V) is kept 4 above its value: R(v, 5/8) is the floor of 5/8 (v + 4),
 * less 2. None, as a row hands it on: 4 above its value and MAGIC below. */
constexpr float COMPANY_EXTRA = 4;
constexpr float NO_COMPANY = COMPANY_EXTRA - MAGIC;

/* A larger inherited error, in 1/16384 dot, may make an error that has to be
 * clamped to -ONE..ONE; so may tones within 3 of 0 or of ONE, and the page's
 * right side. Elsewhere the shares that meet have weights that sum to 1, and at
 * most 3 units of rounding. */
constexpr int LARGE = HT_ONE * 9 / 16 - 4;

/* ---- Shared memory ------------------------------------------------------ */

/* Bits of Stage::content, set if some pixel of the chunk is as they say. */
constexpr int SPECIAL = 1; /* white or solid, or nearly so */
constexpr int INKED = 2;   /* not white */
constexpr int ENDED = 4;   /* a row's last pixel, or the one behind it */
constexpr int BOTTOM = 8;  /* of a row with nothing toned below the chunk */

/* One number a column for a lane, and 4 more: then vectors of four numbers that
 * all lanes read at once come from all banks. */
typedef float Row[CHUNK + 4];

/* Pixels that may get shares of a lane's errors: toned ones, a bit each. */
struct Targets {
    uint32_t row;   /* columns 0..CHUNK of the chunk, in the lane's row; */
    uint32_t below; /* columns -1..CHUNK in the row below it */
};

/* Columns of an error line in shared memory: a team reads a chunk of it while
 * the next one is written. */
constexpr int RING = 2 * CHUNK;
static_assert((RING & (RING - 1)) == 0, "a step is found by its low bits");

/* Shared memory of a block for one ink and for several: lines of the state,
 * 1..MOST_LINES, and flags. Line 2 k is the error (E) of the k-th ink that is
 * diffused, line 1 the light (U), line 2 k + 1 the company (V) of the k-th ink,
 * k > 0. */
template <int MOST_LINES, int COLUMNS, int SETS = TEAMS + 1>
struct alignas(16) Common {
    static constexpr int LINES = MOST_LINES;
    static constexpr int PIECE = COLUMNS; /* what a team does in a period */

    /* The lines above each team and below the last one, in the order in which
     * the team below needs them, in a ring: step s of that team's first row
     * finds its error at s mod RING. */
    float line[SETS][LINES][RING];
    /* Inks, a bit each from bit 0 on, of even and odd pieces: */
    uint32_t large[2];          /* some inherited error is above LARGE */
    uint32_t unusual[TEAMS][2]; /* a team's errors may be above LARGE */
    uint32_t ticket;
    bool stopped;
};

/* A chunk of a team of a single ink, filled in one period and loaded in the
 * next. */
struct alignas(16) Stage {
    Row tone[LANES];
    Row limit[LANES]; /* limit() of a toned pixel above one that is not */
    Targets targets[LANES];
    int content;
};

/* Shared memory of a block that does a single ink. */
struct alignas(16) Shared : Common<1, CHUNK> {
    Stage stage[TEAMS][FEEDERS];
    float zeros[CHUNK], no_errors[CHUNK];
    uint32_t dots[TEAMS][2][LANES]; /* of even and odd chunks, a bit a column,
                                       the leftmost in bit 15 */
};

/* Returns how many steps after a team's first row its last one, of `rows` that
 * are `lag` columns behind each other, completes the error of the same
 * column. */
__host__ __device__ constexpr int line_lag(int rows, int lag)
{
    return (rows - 1) * lag + 1;
}

/* ---- Rows and columns --------------------------------------------------- */

/* The rows that a block does side by side. */
struct Sweep {
    uint32_t in_band; /* rows of the band above it */
    int rows;         /* 1..plan.rows */
    uint32_t number;  /* of the page's sweeps */
    int lag;          /* columns that a row is behind the one above */
    int team_rows;    /* of a team, but for the last one */
    int teams;        /* with rows */
    int piece;        /* columns that a team does in a period */
    int team_lag;     /* pieces that a team is behind the one above, and */
    int team_pad;     /* columns beyond those */
    int last_row;     /* of the last team */
    int pieces;       /* of the last team */
    int periods;      /* between barriers, floyd.cu */
    int width, inks;
};

/* Returns the sweep of a ticket, which is below the band's number of sweeps;
 * its rows are `row_lag` columns behind each other, and its teams, at most so
 * many, do `piece` columns in a period. */
__device__ Sweep find_sweep(const ht_gpu_plan &plan, const ht_gpu_band &band,
                            uint32_t ticket, int row_lag, int piece,
                            int teams = TEAMS)
{
    Sweep sweep;

    sweep.in_band = ticket * plan.rows;
    sweep.rows = (int)min(plan.rows, band.rows - sweep.in_band);
    sweep.number = band.sweep + ticket;
    sweep.team_rows = (int)plan.rows / teams;
    sweep.teams = (sweep.rows + sweep.team_rows - 1) / sweep.team_rows;
    sweep.lag = row_lag;
    const int lag = line_lag(sweep.team_rows, row_lag);
    sweep.piece = piece;
    sweep.team_lag = lag / piece + 1;
    sweep.team_pad = lag % piece;
    sweep.last_row = (sweep.rows - 1) % sweep.team_rows;
    sweep.width = (int)plan.width;
    sweep.inks = (int)plan.inks;
    int most_lag = lag - 1 + (sweep.teams - 1) * sweep.team_pad;
    sweep.pieces = (sweep.width + 1 + most_lag + piece - 1) / piece;
    sweep.periods = sweep.pieces + (sweep.teams - 1) * sweep.team_lag + 3;
    return sweep;
}

/* An ink's row that a lane works on. */
struct Lane {
    int index; /* of the lane */
    int row;   /* of the team */
    int lag;   /* steps before it begins */
    bool works;
    int width;            /* 0: it has no row */
    bool last_row;        /* its errors go to the next team, or sweep */
    const uint8_t *level; /* of column 0 */
    const int16_t *tone;
    const uint8_t *below; /* the level below it */
    uint32_t *dots;       /* word of column 0; NULL: no dots wanted */
    int dots_bit; /* column 0's bit there, from the left of the first byte */
};

/* Returns the lane that has row `row` of a team, and the ink of rank `rank`
 * among those that are diffused. If there is no such row it gets samples that
 * it may read, and no dots. */
__device__ Lane find_lane(const ht_gpu_plan &plan, const ht_gpu_band &band,
                          const Sweep &sweep, int team, int row, int rank)
{
    const int above = team * sweep.team_rows;
    const int rows = min(sweep.rows - above, sweep.team_rows);
    Lane lane;

    lane.index = threadIdx.x % LANES;
    lane.row = row;
    lane.lag = row * sweep.lag + team * sweep.team_pad;
    lane.works = row < rows;
    lane.width = lane.works ? sweep.width : 0;
    lane.last_row = row == rows - 1;

    size_t in_band = sweep.in_band + (lane.works ? above + row : 0);
    size_t ink = plan.first + rank;
    size_t plane = in_band * band.row_step * plan.planes + ink;
    lane.level = band.level + plane * plan.width;
    lane.tone = band.tone + plane * plan.width;
    const size_t row_step = (size_t)band.row_step * plan.planes * plan.width;
    lane.below = in_band + 1 == band.rows ? band.below + ink * plan.width
                                          : lane.level + row_step;

    size_t byte = (in_band * plan.planes + ink) * ((plan.width + 7) / 8);
    lane.dots = lane.works && band.dots != NULL
                    ? (uint32_t *)band.dots + byte / 4
                    : NULL;
    lane.dots_bit = byte % 4 * 8;
    return lane;
}

/* Returns how many pieces a team does: until the last team is done, since that
 * inherits from columns beyond the page, too. */
__device__ int pieces_of(const Sweep &sweep, int team)
{
    return sweep.pieces + (sweep.teams - 1 - team) * sweep.team_lag;
}

/* ---- Time --------------------------------------------------------------- */

/* Ends a period: waits for all warps of the block. */
__device__ void next_period()
{
    meet_block();
}

/* Lets periods pass. */
__device__ void rest(int periods)
{
    for (; periods > 0; periods--)
        next_period();
}

} // namespace

#endif
