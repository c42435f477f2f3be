/*
 * sizes.cu - drops of several sizes: the spans of a band's pixels, spans.cuh,
 * and the kinds of diffuse.cuh's kernel for them, which take samples of 16
 * bits.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "gpu/cuda/tdfed/diffuse.cuh"
#include "gpu/cuda/tdfed/tdfed.h"

namespace
{

/* ---- Spans -------------------------------------------------------------- */

constexpr unsigned THREADS = 256, MOST_BLOCKS = 4096;

/* Offset of the pattern where it decides whether a pixel leaves a size out. */
constexpr uint32_t MIXED_RIGHT = 53, MIXED_DOWN = 29;

/* Bits of the pattern that make up the number compared with X. */
constexpr int MIXED_BITS = 4;

/* A row of an ink. */
struct Line {
    const uint8_t *pattern[MIXED_BITS]; /* the row that each bit looks at */
    uint32_t right, invert;
    uint32_t left_out; /* ht_size_left_out() */

    __device__ Line(const ht_gpu_plan &plan, const ht_gpu_band &band,
                    uint64_t row, uint32_t ink)
        : right(ht_copy_of_ink(ink, plan.planes) / 2 * HT_PATTERN_RIGHT),
          invert(ht_copy_of_ink(ink, plan.planes) % 2),
          left_out(((ink + 2 - ht_black_inks(plan.planes)) % 3 == 0) ==
                           (plan.sizes.levels == HT_MIXED_LEVELS)
                       ? 2
                       : 1)
    {
        const uint32_t down =
            ht_copy_of_ink(ink, plan.planes) / 2 * HT_PATTERN_DOWN;

        for (uint32_t i = 0; i < MIXED_BITS; i++)
            pattern[i] =
                band.pattern + ((uint32_t)row + MIXED_DOWN * (i + 1) + down) %
                                   HT_PATTERN_SIZE * (HT_PATTERN_SIZE / 8);
    }

    /* Says whether the pixel of a column leaves its size out. */
    __device__ bool leaves_out(uint32_t x, uint32_t mixed) const
    {
        uint32_t turn = 0;

#pragma unroll
        for (uint32_t i = 0; i < MIXED_BITS; i++) {
            const uint32_t at =
                (x + right + MIXED_RIGHT * (i + 1)) % HT_PATTERN_SIZE;

            turn = turn * 2 +
                   ((__ldg(pattern[i] + at / 8) >> (7 - at % 8) & 1) ^ invert);
        }
        return turn < mixed;
    }
};

/* Returns the word of a toned pixel that leaves out a size, or none (0). */
__device__ uint32_t span_word(const struct ht_sizes &sizes, int tone, int level,
                              int left_out)
{
    const int most = (int)sizes.levels - 1;
    int low = 0, high = most;

#pragma unroll
    for (int i = 1; i < HT_MIXED_LEVELS - 1; i++) {
        const bool there = i < most && i != left_out;

        if (there && sizes.area[i] <= tone)
            low = i;
        else if (there && high == most)
            high = i;
    }
    const int lo = sizes.area[low], wide = sizes.area[high] - lo;
    const unsigned chosen =
        (unsigned)(510 * (tone - lo) + wide) / (unsigned)(2 * wide);

    if (wide < HT_ONE)
        level = max(min((int)chosen, HT_LEVELS - 2), 1);
    return (uint32_t)level |
           (uint32_t)((high - low > 1 ? OVER_ONE : TO_NEXT) + low) << 8;
}

/* Finds the spans of a band: band.spans, of its tones and levels. A block takes
 * a row of an ink, and then the one that lies a whole grid behind it. */
__global__ void find_spans(const __grid_constant__ ht_gpu_plan plan,
                           const __grid_constant__ ht_gpu_band band)
{
    for (uint32_t i = blockIdx.x; i < band.rows * plan.inks; i += gridDim.x) {
        const uint32_t ink = plan.first + i % plan.inks;
        const size_t row = i / plan.inks, width = plan.width;
        const size_t from = (row * band.row_step * plan.planes + ink) * width;
        uint16_t *const to = band.spans + (row * plan.planes + ink) * width;
        const Line line(plan, band, band.row + row, ink);

        for (uint32_t x = threadIdx.x; x < width; x += blockDim.x) {
            const int level = band.level[from + x];
            uint32_t word = 0; /* WHITE_SPAN */

            if (ht_toned((uint8_t)level))
                word = span_word(plan.sizes, band.tone[from + x], level,
                                 line.leaves_out(x, plan.sizes.mixed)
                                     ? (int)line.left_out
                                     : 0);
            else if (level != 0)
                word = (HT_LEVELS - 1) | SOLID_SPAN << 8;
            to[x] = (uint16_t)word;
        }
    }
}

/* ---- Kinds of the kernel ------------------------------------------------ */

/* Fewer kinds than of whole dots, since each takes the compiler seconds. INKS:
 * that meet, at most; 0: none do. */
template <int INKS> struct Sized {
    using Halves = Kind<true, SEGMENT_CHUNK, false, 1, INKS, true>;
    using Packed = Kind<true, SEGMENT_CHUNK, true, 1, INKS, true>;
    using Teams = Kind<true, SEGMENT_CHUNK, false, CROWD_TEAMS, INKS, true>;
};

size_t most_shared()
{
    return attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin);
}

template <class K> bool has_room()
{
    return choose_copies<K>(most_shared(), 1).shared <= most_shared();
}

template <class K> TdfedChoice choose_alone()
{
    return choose_copies<K>(most_shared(), 1);
}

TdfedChoice choose_apart(bool crowded)
{
    using Packed = Sized<0>::Packed;
    constexpr size_t reserved = 1024; /* as in tdfed.cu */
    const size_t all = attribute(cudaDevAttrMaxSharedMemoryPerMultiprocessor);

    if (crowded)
        return choose_copies<Packed>(all / Packed::BLOCKS - reserved,
                                     Packed::BLOCKS);
    return has_room<Sized<0>::Halves>() ? choose_alone<Sized<0>::Halves>()
                                        : choose_alone<Packed>();
}

TdfedChoice choose_together(const struct ht_gpu_plan *plan, bool crowded)
{
    using Few = Sized<FEW_INKS>;
    const bool few = plan->inks <= FEW_INKS;

    if (few && crowded && has_room<Few::Teams>())
        return choose_alone<Few::Teams>();
    if (few && !crowded && has_room<Few::Halves>())
        return choose_alone<Few::Halves>();
    return choose_alone<Sized<MOST_INKS>::Packed>();
}

} // namespace

TdfedChoice ht_gpu_tdfed_sizes(const struct ht_gpu_plan *plan, bool crowded)
{
    return plan->meets ? choose_together(plan, crowded) : choose_apart(crowded);
}

cudaError_t ht_gpu_tdfed_find_spans(const struct ht_gpu_plan *plan,
                                    const struct ht_gpu_band *band,
                                    cudaStream_t stream)
{
    const uint32_t lines = band->rows * plan->inks;

    return launch(find_spans, min(lines, MOST_BLOCKS), THREADS, 0, stream,
                  *plan, *band);
}
