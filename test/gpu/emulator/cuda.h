/*
 * cuda.h - CUDA's C++ for the host's compiler: each thread of a launch is a
 * fiber of the calling thread, and they take turns wherever they meet. Included
 * before all else.
 *
 * Memory is that of a single processor, so this tests what kernels compute and
 * that they cannot wait for each other for ever, not the order of loads and
 * stores.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef EMULATOR_CUDA_H
#define EMULATOR_CUDA_H

#include <cuda_runtime_api.h>

#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <functional>

#undef __device__
#undef __global__
#undef __host__
#undef __launch_bounds__
#undef __grid_constant__
#define __device__
#define __global__
#define __host__
#define __launch_bounds__(...)
#define __grid_constant__

namespace emulator
{

constexpr unsigned LANES = 32;
constexpr unsigned BARRIERS = 16; /* numbered ones of a block */

/* Return, for the fiber that runs, its thread's number in the block, the
 * threads in the block, the block's number, the blocks, and the block's shared
 * memory. */
unsigned thread();
unsigned threads();
unsigned block();
unsigned blocks();
void *shared();

/* Waits for all threads of the block that have not ended. */
void meet_block();

/* Wait until so many threads in all have come to a barrier; count as one of
 * them without waiting. */
void meet(unsigned number, unsigned threads);
void pass_by(unsigned number, unsigned threads);

/* Returns how many launches there have been. */
unsigned launches();

/* Lets other threads run. */
void yield();

/* Waits for all lanes of the warp; returns the values [LANES] that they came
 * with, which stay until the lane meets them again. */
const uint32_t *meet_warp(uint32_t value);

/* Runs `thread` in so many blocks of so many threads until all have ended. */
void run(unsigned blocks, unsigned threads, size_t shared_bytes,
         const std::function<void()> &thread);

struct Axis {
    unsigned x;
};

} // namespace emulator

#define threadIdx (emulator::Axis{emulator::thread()})
#define blockDim (emulator::Axis{emulator::threads()})
#define blockIdx (emulator::Axis{emulator::block()})
#define gridDim (emulator::Axis{emulator::blocks()})

/* ---- Warps -------------------------------------------------------------- */

inline void __syncthreads()
{
    emulator::meet_block();
}

inline void __syncwarp()
{
    emulator::meet_warp(0);
}

inline int __any_sync(unsigned, int condition)
{
    const uint32_t *values = emulator::meet_warp(condition != 0);

    for (unsigned i = 0; i < emulator::LANES; i++)
        if (values[i] != 0)
            return 1;
    return 0;
}

inline int __all_sync(unsigned mask, int condition)
{
    return !__any_sync(mask, !condition);
}

template <class T> T __shfl_sync(unsigned, T value, int from)
{
    uint32_t word;

    static_assert(sizeof value == sizeof word, "a word");
    memcpy(&word, &value, sizeof word);
    memcpy(&value, emulator::meet_warp(word) + from % emulator::LANES,
           sizeof value);
    return value;
}

template <class T> T __shfl_up_sync(unsigned mask, T value, unsigned lanes)
{
    unsigned lane = threadIdx.x % emulator::LANES;

    return __shfl_sync(mask, value, lane >= lanes ? lane - lanes : lane);
}

template <class T> T __shfl_xor_sync(unsigned mask, T value, int lanes)
{
    return __shfl_sync(mask, value, threadIdx.x % emulator::LANES ^ lanes);
}

/* ---- Memory ------------------------------------------------------------- */

template <class T> T __ldg(const T *from)
{
    return *from;
}

template <class T> void __stcs(T *to, T value)
{
    *to = value;
}

inline uint32_t atomicAdd(uint32_t *word, uint32_t value)
{
    uint32_t before = *word;

    *word += value;
    return before;
}

inline uint32_t atomicOr(uint32_t *word, uint32_t bits)
{
    uint32_t before = *word;

    *word |= bits;
    return before;
}

inline void __nanosleep(unsigned)
{
}

/* ---- Integers ----------------------------------------------------------- */

inline int min(int a, int b)
{
    return a < b ? a : b;
}

inline unsigned min(unsigned a, unsigned b)
{
    return a < b ? a : b;
}

inline uint64_t min(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

inline int max(int a, int b)
{
    return a > b ? a : b;
}

inline unsigned max(unsigned a, unsigned b)
{
    return a > b ? a : b;
}

inline int __viaddmin_s32(int a, int b, int most)
{
    return min(a + b, most);
}

inline int __viaddmin_s32_relu(int a, int b, int most)
{
    return max(min(a + b, most), 0);
}

inline uint32_t __dp2a_lo(uint32_t a, uint32_t b, uint32_t sum)
{
    return sum + (a & 0xffff) * (b & 0xff) + (a >> 16) * (b >> 8 & 0xff);
}

inline uint32_t __dp2a_hi(uint32_t a, uint32_t b, uint32_t sum)
{
    return __dp2a_lo(a, b >> 16, sum);
}

/* Four 8-bit numbers times four others. */
inline uint32_t __dp4a(uint32_t a, uint32_t b, uint32_t sum)
{
    for (int i = 0; i < 32; i += 8)
        sum += (a >> i & 0xff) * (b >> i & 0xff);
    return sum;
}

/* Two 16-bit numbers times two 8-bit ones, of the lower half or the upper. */
inline int __dp2a_lo(int a, int b, int sum)
{
    return sum + (int16_t)a * (int8_t)b + (int16_t)(a >> 16) * (int8_t)(b >> 8);
}

inline int __dp2a_hi(int a, int b, int sum)
{
    return __dp2a_lo(a, b >> 16, sum);
}

inline int __ffs(int bits)
{
    return __builtin_ffs(bits);
}

inline uint32_t __brev(uint32_t bits)
{
    uint32_t reversed = 0;

    for (int i = 0; i < 32; i++)
        reversed |= (bits >> i & 1) << (31 - i);
    return reversed;
}

inline uint32_t __byte_perm(uint32_t low, uint32_t high, uint32_t selector)
{
    uint64_t bytes = (uint64_t)high << 32 | low;
    uint32_t chosen = 0;

    for (int i = 0; i < 4; i++) {
        uint32_t which = selector >> 4 * i & 7;
        uint8_t byte = (uint8_t)(bytes >> 8 * which);

        chosen |= (uint32_t)byte << 8 * i;
    }
    return chosen;
}

inline uint32_t __funnelshift_l(uint32_t low, uint32_t high, uint32_t bits)
{
    return (uint32_t)(((uint64_t)high << 32 | low) << bits % 32 >> 32);
}

inline uint32_t __funnelshift_r(uint32_t low, uint32_t high, uint32_t bits)
{
    return (uint32_t)(((uint64_t)high << 32 | low) >> bits % 32);
}

inline uint32_t __funnelshift_lc(uint32_t low, uint32_t high, uint32_t bits)
{
    return bits < 32 ? __funnelshift_l(low, high, bits) : low;
}

inline uint32_t __funnelshift_rc(uint32_t low, uint32_t high, uint32_t bits)
{
    return bits < 32 ? (uint32_t)(((uint64_t)high << 32 | low) >> bits) : high;
}

/* ---- Floats ------------------------------------------------------------- */

/* The kernels' sums of products are exact in a double. */

inline float round_down(double exact)
{
    float rounded = (float)exact;

    return rounded > exact ? nextafterf(rounded, -INFINITY) : rounded;
}

inline float __fmaf_rn(float a, float b, float c)
{
    return fmaf(a, b, c);
}

inline float __fmaf_rd(float a, float b, float c)
{
    return round_down((double)a * b + c);
}

inline float __fmaf_ru(float a, float b, float c)
{
    return -round_down(-((double)a * b + c));
}

inline float __fmaf_rz(float a, float b, float c)
{
    double exact = (double)a * b + c;

    return exact < 0 ? -round_down(-exact) : round_down(exact);
}

inline float __fadd_rd(float a, float b)
{
    return round_down((double)a + b);
}

inline float __saturatef(float value)
{
    return value > 1 ? 1 : value > 0 ? value : 0;
}

inline float __uint_as_float(uint32_t bits)
{
    float value;

    memcpy(&value, &bits, sizeof value);
    return value;
}

inline uint32_t __float_as_uint(float value)
{
    uint32_t bits;

    memcpy(&bits, &value, sizeof bits);
    return bits;
}

#endif
