/*
 * ptx.cuh - what kernels need beyond C++ and CUDA's intrinsics. There is a
 * second one with the same names, test/emulator/gpu/ptx.cuh, for the host.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HT_GPU_PTX_CUH
#define HT_GPU_PTX_CUH

#include <stdint.h>

namespace
{

/* ---- Memory ------------------------------------------------------------- */

/* A word that another block writes, or reads, at the same time. */
__device__ uint32_t load_relaxed(const uint32_t *word)
{
    uint32_t value;

    asm volatile("ld.relaxed.gpu.global.u32 %0, [%1];"
                 : "=r"(value)
                 : "l"(word)
                 : "memory");
    return value;
}

__device__ void store_relaxed(uint32_t *word, uint32_t value)
{
    asm volatile("st.relaxed.gpu.global.u32 [%0], %1;"
                 :
                 : "l"(word), "r"(value)
                 : "memory");
}

/* Calls what will be loaded to the second-level cache. */
__device__ void prefetch_line(const void *at)
{
    asm volatile("prefetch.global.L2 [%0];" ::"l"(at));
}

/* The block's shared memory: of the size that it is launched with, or that of
 * a type. */
__device__ void *shared_memory()
{
    extern __shared__ uint4 memory[];

    return memory;
}

template <class T> __device__ T &shared_object()
{
    __shared__ T object;

    return object;
}

/* ---- Threads ------------------------------------------------------------ */

/* __syncthreads() that warps may reach at different places of a program:
 * compute-sanitizer takes the aligned one, which asks this of a warp's lanes
 * only, to forbid it. */
__device__ void meet_block()
{
    asm volatile("barrier.sync 0;" ::: "memory");
}

/* A named barrier of so many threads: a warp says that it is there, or waits
 * for the others as well. */
template <int THREADS> __device__ void arrive_at(int barrier)
{
    asm volatile("bar.arrive %0, %1;" ::"r"(barrier), "n"(THREADS) : "memory");
}

template <int THREADS> __device__ void wait_at(int barrier)
{
    asm volatile("bar.sync %0, %1;" ::"r"(barrier), "n"(THREADS) : "memory");
}

/* Waits unless `skip`, without a branch. */
template <int THREADS> __device__ void wait_unless_at(bool skip, int barrier)
{
    asm volatile("{\n"
                 ".reg .pred p;\n"
                 "setp.eq.s32 p, %2, 0;\n"
                 "@p bar.sync %0, %1;\n"
                 "}" ::"r"(barrier),
                 "n"(THREADS), "r"((int)skip)
                 : "memory");
}

/* The warp's place on its multiprocessor. */
__device__ unsigned warp_slot()
{
    unsigned slot;

    asm volatile("mov.u32 %0, %%warpid;" : "=r"(slot));
    return slot;
}

/* ---- Numbers ------------------------------------------------------------ */

/* The value. The compiler does not see that it is 0 or 1, and so keeps to
 * multiplying by it. */
__device__ int opaque(int value)
{
    asm("" : "+r"(value));
    return value;
}

/* All ones where the value is negative. Opaque, since a predicate takes three
 * times as long on the chain from pixel to pixel. */
__device__ int sign_of(int value)
{
    int sign;

    asm("shr.s32 %0, %1, 31;" : "=r"(sign) : "r"(value));
    return sign;
}

/* Bits of `ones` where the mask has ones, else of `zeros`. */
__device__ int select(int mask, int ones, int zeros)
{
    int selected;

    asm("lop3.b32 %0, %1, %2, %3, 0xca;"
        : "=r"(selected)
        : "r"(mask), "r"(ones), "r"(zeros));
    return selected;
}

/* ---- Launches ----------------------------------------------------------- */

/* Runs a kernel in so many blocks of so many threads, with `bytes` of shared
 * memory a block. */
template <class... Parameters, class... Arguments>
cudaError_t launch(void (*kernel)(Parameters...), unsigned blocks,
                   unsigned threads, size_t bytes, cudaStream_t stream,
                   Arguments... arguments)
{
    kernel<<<blocks, threads, bytes, stream>>>(arguments...);
    return cudaGetLastError();
}

} // namespace

#endif
