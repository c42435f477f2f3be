/*
 * compare.cu - the methods Threshold and Screen: a dot where a sample is not
 * below the least one that has a dot there, halftone/least.h.
 *
 * The kernel: each.cuh's grid, a warp for each row of an ink, no shared memory.
 *
 * A lane loads 16 bytes at a time, from addresses that are multiples of 16: a
 * row's first sample is one of the first lane's. A warp's 512 bytes are a whole
 * number of tiles, so each lane meets the same 16 bytes of the tile's row all
 * along and keeps them in registers. Only dots are moved to where bytes begin:
 * a lane appends the next lane's first ones to its own last ones. Drops of
 * several sizes are plainer: a byte of them a lane, which are a whole tile,
 * too.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "gpu/cuda/band.h"
#include "gpu/cuda/each.cuh"
#include "gpu/cuda/warp.cuh"
#include "halftone/definition.h"

namespace
{

constexpr uint32_t VECTOR = 16; /* bytes */

static_assert(LANES * VECTOR % (HT_SCREEN_SIZE * sizeof(uint16_t)) == 0,
              "a warp's vectors are whole tiles");
static_assert(HT_GPU_PAD >= VECTOR, "vectors stick out of rows");

/* ---- A vector ----------------------------------------------------------- */

/* Returns the top bits of those samples of a word that are not below their
 * least ones. Without top bits no sample borrows from the next one. */
template <class Sample>
__device__ uint32_t reaching(uint32_t samples, uint32_t least)
{
    constexpr uint32_t TOPS = sizeof(Sample) == 1 ? 0x80808080 : 0x80008000;
    const uint32_t rest = (samples | TOPS) - (least & ~TOPS);

    return ((samples & ~least) | (~(samples ^ least) & rest)) & TOPS;
}

/* Returns the top bits of eight bytes, those of the first byte in the highest
 * of eight bits. */
__device__ uint32_t top_bits(uint32_t first, uint32_t second)
{
    return __dp4a(first, 0x10204080u, __dp4a(second, 0x01020408u, 0u)) >> 7;
}

/* Returns the dots of a vector's samples, the first in the highest of as many
 * bits. */
template <class Sample>
__device__ uint32_t dots_of(const uint4 &samples, const uint4 &least)
{
    const uint32_t a = reaching<Sample>(samples.x, least.x);
    const uint32_t b = reaching<Sample>(samples.y, least.y);
    const uint32_t c = reaching<Sample>(samples.z, least.z);
    const uint32_t d = reaching<Sample>(samples.w, least.w);
    constexpr uint32_t UPPER_BYTES = 0x7531;

    if (sizeof(Sample) == 1)
        return top_bits(a, b) << 8 | top_bits(c, d);
    return top_bits(__byte_perm(a, b, UPPER_BYTES),
                    __byte_perm(c, d, UPPER_BYTES));
}

/* ---- A row of an ink ---------------------------------------------------- */

template <class Sample> class Row
{
    static constexpr uint32_t DOTS = VECTOR / sizeof(Sample);
    static constexpr uint32_t SPAN = LANES * DOTS; /* columns of a warp */

    const uint4 *from; /* the first vector */
    uint32_t skip;     /* samples that it has before the row */
    uint32_t width;
    uint32_t lane;
    uint4 least; /* this lane's part of the tile's row */

    /* `tile`: the tile's row, from column 0 on. */
    __device__ uint4 find_least(const uint32_t *tile) const
    {
        constexpr int WORDS = HT_SCREEN_SIZE * sizeof(Sample) / 4;
        const int at = (int)(VECTOR * lane) - (int)(skip * sizeof(Sample));
        const uint32_t bits = 8 * (at & 3);
        uint32_t word[5];

        for (int i = 0; i < 5; i++)
            word[i] = __ldg(tile + (((at >> 2) + i) & (WORDS - 1)));
        return uint4{__funnelshift_r(word[0], word[1], bits),
                     __funnelshift_r(word[1], word[2], bits),
                     __funnelshift_r(word[2], word[3], bits),
                     __funnelshift_r(word[3], word[4], bits)};
    }

    /* Loads the lane's vector of span `number`; 0 behind the row. */
    __device__ uint4 load(uint32_t number) const
    {
        const uint32_t vector = number * LANES + lane;

        return vector * DOTS < skip + width ? __ldg(from + vector) : uint4{};
    }

    /* Writes dots from column `x` on; bits behind the row become 0. */
    __device__ void store(uint32_t mine, uint32_t x, uint8_t *dots) const
    {
        const uint32_t left = x < width ? width - x : 0;

        if (left < DOTS)
            mine &= ~0u << (DOTS - left);
        if (DOTS == 16) {
            if (left > 0)
                dots[x / 8] = (uint8_t)(mine >> 8);
            if (left > 8)
                dots[x / 8 + 1] = (uint8_t)mine;
        } else if (left > 0) {
            dots[x / 8] = (uint8_t)mine;
        }
    }

  public:
    __device__ Row(const Sample *samples, const uint32_t *tile, uint32_t width)
        : skip((uint32_t)((uintptr_t)samples % VECTOR / sizeof(Sample))),
          width(width), lane(threadIdx.x % LANES)
    {
        from = (const uint4 *)(samples - skip);
        least = find_least(tile);
    }

    /* Prints the row; two vectors are on their way while one is compared. */
    __device__ void print(uint8_t *dots) const
    {
        uint32_t now = dots_of<Sample>(load(0), least);
        uint4 ahead = load(1);

        for (uint32_t x = 0, number = 2; x < width; x += SPAN, number++) {
            const uint32_t next = dots_of<Sample>(ahead, least);

            ahead = load(number);
            const uint32_t beside =
                __shfl_sync(ALL, lane == 0 ? next : now, (int)(lane + 1));
            store((now << DOTS | beside) >> (DOTS - skip), x + lane * DOTS,
                  dots);
            now = next;
        }
    }
};

constexpr uint32_t DROPS = 4; /* of a byte */
static_assert(LANES * DROPS == HT_SCREEN_SIZE, "a warp's bytes are a tile");

/* Prints a row of drops of several sizes: as many up as the sample reaches
 * least ones, whose tiles are as many samples apart as the page's inks have. */
template <class Sample>
__device__ void print_sizes(const Sample *samples, const Sample *least,
                            const ht_gpu_plan &plan, uint8_t *dots)
{
    const uint32_t first = threadIdx.x % LANES * DROPS;
    const uint32_t inks = plan.planes * HT_SCREEN_SIZE * HT_SCREEN_SIZE;

    for (uint32_t x = first; x < plan.width; x += LANES * DROPS) {
        uint32_t byte = 0;

        for (uint32_t i = 0; i < DROPS; i++) {
            const Sample sample = samples[x + i];
            uint32_t size = 0;

            for (uint32_t n = 0; n + 1 < plan.sizes.levels; n++)
                size += sample >= __ldg(least + n * inks + first + i);
            byte = byte << 2 | (x + i < plan.width ? size : 0);
        }
        dots[x / DROPS] = (uint8_t)byte;
    }
}

template <class Sample, bool SIZES>
__global__ void compare(ht_gpu_plan plan, const Sample *samples,
                        const Sample *least, uint32_t row, uint32_t rows,
                        uint8_t *dots)
{
    const uint32_t warps = gridDim.x * blockDim.x / LANES;

    for (uint32_t i = (blockIdx.x * blockDim.x + threadIdx.x) / LANES;
         i < rows * plan.inks; i += warps) {
        const uint32_t y = i / plan.inks, ink = plan.first + i % plan.inks;
        const size_t plane = (size_t)y * plan.planes + ink;
        const uint32_t tile_row =
            ink * HT_SCREEN_SIZE + (row + y) % HT_SCREEN_SIZE;
        const Sample *from = samples + plane * plan.width;
        const Sample *tile = least + tile_row * HT_SCREEN_SIZE;

        if (SIZES)
            print_sizes(from, tile, plan,
                        dots + plane * ((plan.width + DROPS - 1) / DROPS));
        else
            Row<Sample>(from, (const uint32_t *)tile, plan.width)
                .print(dots + plane * ((plan.width + 7) / 8));
    }
}

template <class Sample>
cudaError_t launch_rows(const struct ht_gpu_plan *plan, const void *samples,
                        const void *least, uint64_t row, uint32_t rows,
                        uint8_t *dots, cudaStream_t stream)
{
    return launch(plan->sizes.levels > 2 ? compare<Sample, true>
                                         : compare<Sample, false>,
                  blocks_for((size_t)rows * plan->inks * LANES), THREADS, 0,
                  stream, *plan, (const Sample *)samples, (const Sample *)least,
                  (uint32_t)(row % HT_SCREEN_SIZE), rows, dots);
}

} // namespace

cudaError_t ht_gpu_compare(const struct ht_gpu_plan *plan, const void *samples,
                           const void *least, uint64_t row, uint32_t rows,
                           uint8_t *dots, cudaStream_t stream)
{
    assert(plan->bits == 8 || plan->bits == 16);
    return plan->bits == 8 ? launch_rows<uint8_t>(plan, samples, least, row,
                                                  rows, dots, stream)
                           : launch_rows<uint16_t>(plan, samples, least, row,
                                                   rows, dots, stream);
}
