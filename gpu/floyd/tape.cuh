/*
 * tape.cuh - Floyd-Steinberg: what the warps of a block share, and
 * where their lanes work.
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

constexpr int TEAMS = 2;   /* diffusing warps of a block */
constexpr int FEEDERS = 2; /* warps that bring a team its samples, by turns */
constexpr int CHUNK = 16;  /* columns that a warp does between barriers */

/* Columns that a row runs behind the one above, and an ink behind the other:
 * an error for column x is complete when column x + 1 is done, and takes some
 * steps to come by shuffle. */
constexpr int LAG = 3;

static_assert(HT_GPU_PAD >= TEAMS * (LANES * LAG + 2 * CHUNK) + 6 * CHUNK,
              "lanes that have not begun or have ended read in the padding");

/* ---- Numbers ------------------------------------------------------------ */

/* All numbers of a pixel are floats: a multiprocessor starts twice as many of
 * their instructions as of integers'. None is rounded but on purpose. They are
 * integers, and MAGIC plus or minus one of them lies where floats are 1 apart;
 * so a sum with it that is rounded down is an integer that is rounded down.
 *
 * Errors are kept EXTRA above their value. R(e, w) for w sixteenths is the
 * floor of (w e + 8) / 16, and since w is odd, 8 w is 8 more than a multiple
 * of 16: it is the floor of w (e + EXTRA) / 16 less (w - 1) / 2. */
constexpr float MAGIC = 12582912; /* 1.5 * 2^23 */
constexpr float EXTRA = 8;

/* An error as a row hands it on: EXTRA above and MAGIC below. */
constexpr float NO_ERROR = EXTRA - MAGIC;

/* Only pixels whose tones are within 3 of 0 or of ONE, those at the page's
 * right side, and those that inherit more than this may have an error that has
 * to be held to -ONE..ONE: of others the shares that meet have weights that sum
 * to 1, and 3 units of rounding. */
constexpr int LARGE = HT_ONE * 9 / 16 - 4;

/* ---- What the warps share ----------------------------------------------- */

/* What is in a chunk. */
constexpr int SPECIAL = 1; /* some pixel is white or solid, or may be */
constexpr int INKED = 2;   /* some pixel is not white */
constexpr int ENDED = 4;   /* some row's last pixel is there, or just before */

/* A lane's pixels of a chunk; four of each lane spread over all banks. */
typedef float Row[CHUNK + 4];

/* A chunk, filled and loaded in the two periods before it is diffused. */
struct alignas(16) Stage {
    Row tone[LANES];
    Row rule[LANES]; /* -1: white, 1: solid, else strength of avoidance */
    int content;
};

/* Columns of an error line in shared memory: a team reads a chunk while the one
 * above may be two chunks on. */
constexpr int RING = 4 * CHUNK;
static_assert((RING & (RING - 1)) == 0, "places are found by their low bits");

struct alignas(16) Shared {
    Stage stage[TEAMS][FEEDERS];
    /* The error lines above each team and below the last, each ink's, in the
     * order in which the team below needs them, round and round: that of its
     * first row's step s is in place s mod RING. */
    float line[TEAMS + 1][HT_MAX_INKS][RING];
    float zeros[CHUNK], no_errors[CHUNK];
    bool large[2]; /* chunks that inherit more than LARGE somewhere */
    uint32_t dots[TEAMS][2][LANES]; /* of a chunk, leftmost in the top bit */
    uint32_t ticket;
    bool stopped;
};

/* Steps from one that a team's first row does to the one in which its last row,
 * of `rows`, completes the error of the same column. */
__host__ __device__ constexpr int line_lag(int rows)
{
    return (rows - 1) * LAG + 1;
}

/* ---- Where -------------------------------------------------------------- */

/* The rows that a block does at once. */
struct Strip {
    uint32_t in_band; /* rows of the band before it */
    int rows;         /* that it has */
    uint32_t number;  /* of the page's strips */
    int team_rows;    /* of a whole team */
    int teams;        /* that have rows */
    int team_lag;     /* chunks that a team runs behind the one above, and */
    int team_pad;     /* columns beyond that */
    int last_row;     /* of the last team */
    int chunks;       /* of the last team */
    int periods;      /* from barrier to barrier; see floyd.cu */
    int width, inks;
};

__device__ Strip find_strip(const ht_gpu_plan &plan, const ht_gpu_band &band,
                            uint32_t ticket)
{
    Strip strip;

    strip.in_band = ticket * plan.rows;
    strip.rows = (int)min(plan.rows, band.rows - strip.in_band);
    strip.number = band.strip + ticket;
    strip.team_rows = (int)plan.rows / TEAMS;
    strip.teams = (strip.rows + strip.team_rows - 1) / strip.team_rows;
    const int lag = line_lag(strip.team_rows);
    strip.team_lag = lag / CHUNK + 1;
    strip.team_pad = lag % CHUNK;
    strip.last_row = (strip.rows - 1) % strip.team_rows;
    strip.width = (int)plan.width;
    strip.inks = (int)plan.inks;
    int most_lag = (strip.inks + strip.team_rows - 2) * LAG +
                   (strip.teams - 1) * strip.team_pad;
    strip.chunks = (strip.width + 1 + most_lag + CHUNK - 1) / CHUNK;
    strip.periods = strip.chunks + (strip.teams - 1) * strip.team_lag + 3;
    return strip;
}

/* Where a lane of a team works. Lanes are [inks][rows]. */
struct Lane {
    int index;
    int row;  /* of the team */
    int rank; /* of its ink among those that are diffused */
    int lag;  /* steps before it begins */
    bool works;
    int width;            /* 0: it does not work */
    bool last_row;        /* hands on to the next team */
    const uint8_t *level; /* of column 0 */
    const int16_t *tone;
    uint32_t *dots; /* the word that column 0 is in; NULL: not wanted */
    int dots_bit;   /* its bit there, from the left of the first byte */
};

__device__ Lane place_lane(const ht_gpu_plan &plan, const ht_gpu_band &band,
                           const Strip &strip, int team, int index)
{
    const int above = team * strip.team_rows;
    const int rows = min(strip.rows - above, strip.team_rows);
    Lane lane;

    lane.index = index;
    lane.rank = lane.index / strip.team_rows;
    lane.row = lane.index % strip.team_rows;
    lane.lag = (lane.rank + lane.row) * LAG + team * strip.team_pad;
    lane.works = lane.rank < (int)plan.inks && lane.row < rows;
    lane.width = lane.works ? strip.width : 0;
    lane.last_row = lane.works && lane.row == rows - 1;

    size_t row = strip.in_band + (lane.works ? above + lane.row : 0);
    size_t ink = plan.first + (lane.works ? lane.rank : 0);
    size_t plane = row * band.row_step * plan.planes + ink;
    lane.level = band.level + plane * plan.width;
    lane.tone = band.tone + plane * plan.width;

    size_t byte = (row * plan.planes + ink) * ((plan.width + 7) / 8);
    lane.dots = lane.works && band.dots != NULL
                    ? (uint32_t *)band.dots + byte / 4
                    : NULL;
    lane.dots_bit = byte % 4 * 8;
    return lane;
}

/* The chunks that a team works on: until the last team is done, since that
 * inherits from columns beyond the page, too. */
__device__ int chunks_of(const Strip &strip, int team)
{
    return strip.chunks + (strip.teams - 1 - team) * strip.team_lag;
}

/* ---- Time --------------------------------------------------------------- */

/* Ends a period. */
__device__ void next_period()
{
    meet_block();
}

__device__ void rest(int periods)
{
    for (; periods > 0; periods--)
        next_period();
}

} // namespace

#endif
