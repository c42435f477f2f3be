/*
 * tape.cuh - TDFED's tape: samples in and dots out, in scan order, a chunk of
 * columns at a time, through a ring of stages in shared memory; and the gates
 * at which a team's warps wait for each other there.
 *
 * Who waits for whom at a stage's gates:
 *
 *     feeder, the entries --+                         +--> feeder, to refill
 *                           +- full -> diffuser -done-+
 *     keeper, the errors  --+                         +--> keeper, to take dots
 *                                                          and errors away
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HT_GPU_TDFED_TAPE_CUH
#define HT_GPU_TDFED_TAPE_CUH

#include "gpu/cuda/band.h"
#include "gpu/cuda/ptx.cuh"
#include "gpu/cuda/tdfed/spans.cuh"
#include "gpu/cuda/warp.cuh"

namespace
{

constexpr int STAGES = 3; /* of a team: chunks that are under way */
/* Teams of a block in a crowd. Devices whose gates are the 16 barriers of a
 * block (ptx.cuh) have no shared memory for so many teams. */
constexpr int CROWD_TEAMS = 3;

/* Columns of a chunk. Longer chunks cost less time a column; shorter ones reach
 * the next sweep sooner, which pays where tasks of one page wait for each
 * other. */
constexpr int SEGMENT_CHUNK = 16, ROW_CHUNK = 32;

/* ---- Shared memory ------------------------------------------------------ */

/* One int a column for a lane, and 4 more: then vectors of four ints that all
 * lanes read at once come from all banks. */
template <int CHUNK> using Row = int[CHUNK + 4];

/* Facts about a chunk; each is not 0 if it holds for some pixel of some
 * lane. */
struct alignas(16) Flags {
    int forced; /* a pixel, or a target of its error, may be white or solid; set
                   by the feeder */
    int inked;  /* a pixel is not white, or may get noise; set by the feeder */
    int inherits; /* the sweep before left an error that is not 0; set by the
                     keeper */

    __device__ bool may_be_blank() const
    {
        return !inked && !inherits;
    }

    __device__ bool of_kind(bool some_forced) const
    {
        return !forced == !some_forced && !may_be_blank();
    }
};

/* Rows but the first read Stage::none from here on: in other banks than first
 * rows read Stage::error. */
constexpr int NONE_AT = 8;

/* A chunk of all lanes. The feeder and a keeper fill it, the diffuser diffuses
 * it, the keeper empties it. */
template <int CHUNK, bool MEETS> struct alignas(16) Stage {
    Row<CHUNK> entry[LANES]; /* pixels, as Word of lookup.cuh */
    /* In: what each strip's first row inherits. Out: what each row leaves for
     * the row below, HT_GPU_REACH columns behind the pixels. */
    Row<CHUNK> error[LANES];
    /* Zeros: rows but the first read these, and inherit by shuffle. */
    int none[NONE_AT + CHUNK];
    uint32_t dots[LANES]; /* a bit a column, the last one in bit 0; of several
                             sizes two */
    Flags flags;
};

/* Stage for inks that meet. */
template <int CHUNK> struct alignas(16) Stage<CHUNK, true> {
    Row<CHUNK> entry[LANES];
    Row<CHUNK> wishes[LANES]; /* nearness.cuh */
    /* Error and company that each row inherits, in one word: a first row from
     * the keeper, others from the row above, which writes it some columns
     * ahead. The last row writes what it leaves over what the first one
     * inherited. */
    Row<CHUNK> line[LANES];
    int light[LANES / 2][CHUNK]; /* that the last row of each segment leaves */
    uint32_t dots[LANES];
    Flags flags;
};

/* Most inks that meet in a kernel, for few inks and for more. The rows of even
 * more inks are sweeps of their own. */
constexpr int FEW_INKS = 4, MOST_INKS = 8;

/* Light that each row inherits, for inks that meet: a ring of chunks for each
 * row of each segment, since the last ink comes to a column when the first one
 * is done with the chunk, or with two. With several sizes the kernel for more
 * inks has room for the rows of few ones, too. */
template <int CHUNK, int INKS, bool SIZES> struct Lights {
    static constexpr bool FEW = INKS == FEW_INKS;
    static constexpr int QUARTERS = FEW ? 4 : 8; /* chunks of a ring */
    static constexpr int ROWS = FEW || SIZES ? 16 : 8;
    int light[ROWS][QUARTERS * CHUNK + 8]; /* 8: rows are in other banks */
};
template <int CHUNK, bool SIZES> struct Lights<CHUNK, 0, SIZES> {
    static constexpr int QUARTERS = 1;
};

/* Counts the dots above each of four pixels, whose limits they lower: two bytes
 * a pixel, to be multiplied by both halves of Pixel::feedback. */
struct Dots {
    static constexpr int WORDS = 17;       /* one for each four bits, */
    static constexpr int NONE = WORDS - 1; /* and without a row above */
    int2 four[WORDS];

    /* Fills in a word. `misses`: as Kind has it. */
    __device__ void fill(int word, bool misses)
    {
        uint32_t bytes[4];

        for (int i = 0; i < 4; i++) {
            const bool dot = (word >> (3 - i) & 1) != misses;

            bytes[i] =
                (word == NONE ? 0x01 : 0x0101 * dot) * (misses ? 1u : 0xff);
        }
        four[word] = {(int)(bytes[0] | bytes[1] << 16),
                      (int)(bytes[2] | bytes[3] << 16)};
    }
};

template <int CHUNK, int INKS, bool SIZES>
struct alignas(16) Shared : Lights<CHUNK, INKS, SIZES>, Spans<SIZES> {
    Stage<CHUNK, (INKS > 0)> stage[STAGES];
    /* For each stage, words of targets.cuh, if its chunk has Flags::forced; as
     * a Row where inks meet, while one ink's crowd has no room for that. */
    alignas(16) int targets[STAGES][LANES][CHUNK + (INKS > 0 ? 4 : 0)];
    Dots dots_above;
    Gate full[STAGES]; /* feeders and keeper arrive, diffuser waits */
    Gate done[STAGES]; /* diffuser arrives, feeders and keeper wait */
    /* All others arrive when they have read `ticket`, the feeder waits to
     * write the next one. */
    Gate heard;
    uint32_t ticket;
    int diffuser, feeder, wisher; /* warps of the team; the others are
                                     keepers */
    bool stopped;
};

/* Chunks are numbered modulo TURN: a number has a stage and, where inks meet, a
 * quarter. */
constexpr int TURN = STAGES * 8;

/* For each gate at which a warp waits, whether it has passed it an odd number
 * of times: a bit a stage, and the feeder's bit TICKET for `heard`. */
typedef uint32_t Passages;
constexpr int TICKET = STAGES; /* the bit behind those of stages */

__device__ uint32_t odd_at(const Passages &passages, int stage)
{
    return passages >> stage & 1;
}

__device__ void count_passage(Passages &passages, int stage)
{
    passages ^= 1u << stage;
}

/* Waits at a gate of bit `stage`, and counts the passage. */
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
