/*
 * tape.cuh - what the warps of a team share.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HT_GPU_TDFED_TAPE_CUH
#define HT_GPU_TDFED_TAPE_CUH

#include "gpu/band.h"
#include "gpu/ptx.cuh"
#include "gpu/warp.cuh"

namespace
{

constexpr int STAGES = 3;         /* chunks on the way at the same time */
constexpr int WARPS = 2 + STAGES; /* of a team */
constexpr int THREADS = WARPS * LANES;
/* Of a block, in a crowd, with tables in halves and with packed ones. Where
 * gates are the hardware's few barriers (ptx.cuh), a block has no memory for
 * so many. */
constexpr int CROWD_TEAMS = 3, PACKED_TEAMS = 4;
static_assert(PACKED_TEAMS * (WARPS - 1) <= 16,
              "all warps but the feeders have a barrier of their own");

/* Columns of a chunk. Longer ones take less time for a column, shorter ones are
 * handed on sooner, which pays where strips wait for each other. */
constexpr int SEGMENT_CHUNK = 16, ROW_CHUNK = 32;

/* ---- What the warps share ----------------------------------------------- */

/* A lane's row of a chunk; four words of each lane spread over all banks. */
template <int CHUNK> using Row = int[CHUNK + 4];

/* What is true of some pixel of a chunk. */
struct alignas(16) Flags {
    int forced;   /* white or solid; of the feeder */
    int inked;    /* not white; of the feeder */
    int inherits; /* an error of the strip before; of the keeper */

    __device__ bool may_be_blank() const
    {
        return !inked && !inherits;
    }

    __device__ bool of_kind(bool some_forced) const
    {
        return !forced == !some_forced && !may_be_blank();
    }
};

/* Where lanes read in Stage::none: in other banks than first rows do. */
constexpr int NONE_AT = 8;

/* A chunk, filled by the feeder and a keeper, diffused, and emptied by the
 * keeper. */
template <int CHUNK> struct alignas(16) Stage {
    Row<CHUNK> entry[LANES]; /* Word, entries.cuh */
    /* First what the first row inherits; then what each row leaves to the
     * next, HT_GPU_REACH columns back. */
    Row<CHUNK> error[LANES];
    int none[NONE_AT + CHUNK]; /* zeros: what other rows inherit of it */
    uint32_t dots[LANES];      /* the last column in bit 0 */
    Flags flags;
};

template <int CHUNK> struct alignas(16) Shared {
    Stage<CHUNK> stage[STAGES];
    Gate full[STAGES]; /* the feeder and a keeper arrive, the diffuser waits */
    Gate done[STAGES]; /* the reverse */
    Gate heard;        /* the others have read the ticket, the feeder waits */
    uint32_t ticket;
    int diffuser, feeder; /* warps; the others keep */
    bool stopped;
};

/* How often a warp has passed the gates that it waits at, one a stage, and the
 * feeder that of tickets: bits, which are ones after odd numbers of times. */
typedef uint32_t Passages;
constexpr int TICKET = STAGES; /* in the place of a stage */

__device__ uint32_t odd_at(const Passages &passages, int stage)
{
    return passages >> stage & 1;
}

__device__ void count_passage(Passages &passages, int stage)
{
    passages ^= 1u << stage;
}

/* Waits at the gate of a stage. */
__device__ void pass_gate(Gate &gate, Passages &passages, int stage)
{
    wait(gate, odd_at(passages, stage));
    count_passage(passages, stage);
}

__device__ int next_stage(int stage)
{
    return stage + 1 < STAGES ? stage + 1 : 0;
}

} // namespace

#endif
