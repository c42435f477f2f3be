/*
 * tape.cuh - Floyd-Steinberg's tape: samples in, errors and dots out, in scan
 * order, a chunk of columns at a time, through shared memory; and which rows
 * and columns are a lane's.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HT_GPU_FLOYD_TAPE_CUH
#define HT_GPU_FLOYD_TAPE_CUH

#include "gpu/band.h"
#include "gpu/ptx.cuh"
#include "gpu/warp.cuh"
#include "halftone/definition.h"

namespace
{

constexpr int TEAMS = 2;   /* diffusing warps, which share a sweep's rows */
constexpr int FEEDERS = 2; /* of each team, which bring it chunks by turns */
constexpr int CHUNK = 16;  /* columns that a warp does in a period */

/* Columns that a row's lane is behind the lane of the row above, and an ink's
 * behind the lane of the ink before: the error for column x is complete when
 * column x + 1 is done, and then is two steps on its way by shuffle. */
constexpr int LAG = 3;

static_assert(HT_GPU_PAD >= TEAMS * (LANES * LAG + 2 * CHUNK) + 8 * CHUNK,
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

/* A larger inherited error, in 1/16384 dot, may make an error that has to be
 * clamped to -ONE..ONE; so may tones within 3 of 0 or of ONE, and the page's
 * right side. Elsewhere the shares that meet have weights that sum to 1, and at
 * most 3 units of rounding. */
constexpr int LARGE = HT_ONE * 9 / 16 - 4;

/* ---- What the warps share ----------------------------------------------- */

/* Bits of Stage::content, set if some pixel of the chunk is as they say. */
constexpr int SPECIAL = 1; /* white or solid, or nearly so */
constexpr int INKED = 2;   /* not white */
constexpr int ENDED = 4;   /* a row's last pixel, or the one behind it */
constexpr int BOTTOM = 8;  /* of a row with nothing toned below the chunk */

/* One number a column for a lane, and 4 more: then vectors of four numbers that
 * all lanes read at once come from all banks. */
typedef float Row[CHUNK + 4];

/* Which pixels may get shares of a lane's errors: those that are toned, a bit
 * each. */
struct Targets {
    uint32_t row;   /* columns 0..CHUNK of the chunk, in the lane's row; */
    uint32_t below; /* columns -1..CHUNK in the row below it */
};

/* A chunk of a team, filled in one period and loaded in the next. */
struct alignas(16) Stage {
    Row tone[LANES];
    Row rule[LANES]; /* strength of avoidance, 0..1/2; of a toned pixel above
                        one that is not, limit() instead */
    Targets targets[LANES];
    int content;
};

/* Columns of an error line in shared memory: a team reads a chunk of it while
 * the team above may be two chunks on. */
constexpr int RING = 4 * CHUNK;
static_assert((RING & (RING - 1)) == 0, "a step is found by its low bits");

struct alignas(16) Shared {
    Stage stage[TEAMS][FEEDERS];
    /* The error lines above each team and below the last one, of each ink, in
     * the order in which the team below needs them, in a ring: step s of that
     * team's first row finds its error at s mod RING. */
    float line[TEAMS + 1][HT_MAX_INKS][RING];
    float zeros[CHUNK], no_errors[CHUNK];
    bool large[2];          /* even and odd chunks: some error is above LARGE */
    bool unusual[TEAMS][2]; /* .. of a team: its errors may be above LARGE */
    uint32_t dots[TEAMS][2][LANES]; /* of even and odd chunks, a bit a column,
                                       the leftmost in bit 15 */
    uint32_t ticket;
    bool stopped;
};

/* Returns how many steps after a team's first row its last one, of `rows`,
 * completes the error of the same column. */
__host__ __device__ constexpr int line_lag(int rows)
{
    return (rows - 1) * LAG + 1;
}

/* ---- Where -------------------------------------------------------------- */

/* The rows that a block does side by side. */
struct Sweep {
    uint32_t in_band; /* rows of the band above it */
    int rows;         /* 1..plan.rows */
    uint32_t number;  /* of the page's sweeps */
    int team_rows;    /* of a team, but for the last one */
    int teams;        /* with rows */
    int team_lag;     /* chunks that a team is behind the one above, and */
    int team_pad;     /* columns beyond those */
    int last_row;     /* of the last team */
    int chunks;       /* of the last team */
    int periods;      /* between barriers, floyd.cu */
    int width, inks;
};

/* Returns the sweep of a ticket, which is below the band's number of sweeps. */
__device__ Sweep find_sweep(const ht_gpu_plan &plan, const ht_gpu_band &band,
                            uint32_t ticket)
{
    Sweep sweep;

    sweep.in_band = ticket * plan.rows;
    sweep.rows = (int)min(plan.rows, band.rows - sweep.in_band);
    sweep.number = band.sweep + ticket;
    sweep.team_rows = (int)plan.rows / TEAMS;
    sweep.teams = (sweep.rows + sweep.team_rows - 1) / sweep.team_rows;
    const int lag = line_lag(sweep.team_rows);
    sweep.team_lag = lag / CHUNK + 1;
    sweep.team_pad = lag % CHUNK;
    sweep.last_row = (sweep.rows - 1) % sweep.team_rows;
    sweep.width = (int)plan.width;
    sweep.inks = (int)plan.inks;
    int most_lag = (sweep.inks + sweep.team_rows - 2) * LAG +
                   (sweep.teams - 1) * sweep.team_pad;
    sweep.chunks = (sweep.width + 1 + most_lag + CHUNK - 1) / CHUNK;
    sweep.periods = sweep.chunks + (sweep.teams - 1) * sweep.team_lag + 3;
    return sweep;
}

/* The ink and the row of a lane. Lanes of a team are [inks][rows]. */
struct Lane {
    int index;
    int row;  /* of the team */
    int rank; /* of its ink, among the inks that are diffused */
    int lag;  /* steps before it begins */
    bool works;
    int width;            /* 0: it has no row or no ink */
    bool last_row;        /* its errors go to the next team, or sweep */
    const uint8_t *level; /* of column 0 */
    const int16_t *tone;
    const uint8_t *below; /* the level below it */
    uint32_t *dots;       /* word of column 0; NULL: no dots wanted */
    int dots_bit; /* column 0's bit there, from the left of the first byte */
};

/* Returns where lane `index` of a team works. A lane without a row or an ink
 * gets samples that it may read, and no dots. */
__device__ Lane find_lane(const ht_gpu_plan &plan, const ht_gpu_band &band,
                          const Sweep &sweep, int team, int index)
{
    const int above = team * sweep.team_rows;
    const int rows = min(sweep.rows - above, sweep.team_rows);
    Lane lane;

    lane.index = index;
    lane.rank = lane.index / sweep.team_rows;
    lane.row = lane.index % sweep.team_rows;
    lane.lag = (lane.rank + lane.row) * LAG + team * sweep.team_pad;
    lane.works = lane.rank < (int)plan.inks && lane.row < rows;
    lane.width = lane.works ? sweep.width : 0;
    lane.last_row = lane.works && lane.row == rows - 1;

    size_t row = sweep.in_band + (lane.works ? above + lane.row : 0);
    size_t ink = plan.first + (lane.works ? lane.rank : 0);
    size_t plane = row * band.row_step * plan.planes + ink;
    lane.level = band.level + plane * plan.width;
    lane.tone = band.tone + plane * plan.width;
    const size_t row_step = (size_t)band.row_step * plan.planes * plan.width;
    lane.below = row + 1 == band.rows ? band.below + ink * plan.width
                                      : lane.level + row_step;

    size_t byte = (row * plan.planes + ink) * ((plan.width + 7) / 8);
    lane.dots = lane.works && band.dots != NULL
                    ? (uint32_t *)band.dots + byte / 4
                    : NULL;
    lane.dots_bit = byte % 4 * 8;
    return lane;
}

/* Returns how many chunks a team does: until the last team is done, since that
 * inherits from columns beyond the page, too. */
__device__ int chunks_of(const Sweep &sweep, int team)
{
    return sweep.chunks + (sweep.teams - 1 - team) * sweep.team_lag;
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
