/*
 * ptx.cuh - what kernels need beyond C++ and CUDA's intrinsics. There is a
 * second one with the same names, test/emulator/gpu/ptx.cuh, for the host.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HT_GPU_PTX_CUH
#define HT_GPU_PTX_CUH

#include <cuda_runtime_api.h>
#include <stdint.h>

namespace
{

/* ---- Arithmetic that CUDA 11 has no names for --------------------------- */

#if CUDART_VERSION < 12000
__device__ int __viaddmin_s32(int a, int b, int most)
{
    return min(a + b, most);
}

__device__ int __viaddmin_s32_relu(int a, int b, int most)
{
    return max(min(a + b, most), 0);
}
#endif

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

/* Waits for the other threads that come to barrier `number`, so many in all. */
__device__ void meet(int number, int threads)
{
    asm volatile("bar.sync %0, %1;" ::"r"(number), "r"(threads) : "memory");
}

/* Comes there, too, and does not wait. */
__device__ void pass_by(int number, int threads)
{
    asm volatile("bar.arrive %0, %1;" ::"r"(number), "r"(threads) : "memory");
}

/*
 * A barrier of some warps of a block, in its shared memory: so many arrive and
 * go on, the others wait for these, again and again. Passages are counted by
 * those who wait: `odd` is 0 for the first. What a lane wrote before it arrived
 * is seen by those who have waited.
 */
struct Gate {
    uint64_t state;
};

#if __CUDA_ARCH__ >= 800

__device__ uint32_t shared_address(const Gate &gate)
{
    return (uint32_t)__cvta_generic_to_shared(&gate);
}

/* Made by one thread, before the block's barrier. `number`: up to 15, another
 * for each gate and each other barrier of a block. */
__device__ void make_gate(Gate &gate, int number, int arriving, int waiting)
{
    (void)number, (void)waiting;
    asm volatile(
        "mbarrier.init.shared.b64 [%0], %1;" ::"r"(shared_address(gate)),
        "r"(arriving * 32)
        : "memory");
}

__device__ void arrive(Gate &gate)
{
    asm volatile("{\n"
                 ".reg .b64 state;\n"
                 "mbarrier.arrive.shared.b64 state, [%0];\n"
                 "}" ::"r"(shared_address(gate))
                 : "memory");
}

/* Whether there is nothing to wait for; false does not say that there is. */
__device__ bool passed(Gate &gate, uint32_t odd)
{
    uint32_t done;

    asm volatile("{\n"
                 ".reg .pred p;\n"
                 "mbarrier.test_wait.parity.shared.b64 p, [%1], %2;\n"
                 "selp.u32 %0, 1, 0, p;\n"
                 "}"
                 : "=r"(done)
                 : "r"(shared_address(gate)), "r"(odd)
                 : "memory");
    return done;
}

/* Waits; asleep where the hardware can. */
__device__ void wait(Gate &gate, uint32_t odd)
{
#if __CUDA_ARCH__ >= 900
    asm volatile("{\n"
                 ".reg .pred p;\n"
                 "again:\n"
                 "mbarrier.try_wait.parity.shared.b64 p, [%0], %1;\n"
                 "@!p bra.uni again;\n"
                 "}" ::"r"(shared_address(gate)),
                 "r"(odd)
                 : "memory");
#else
    while (!passed(gate, odd))
        __nanosleep(20);
#endif
}

#else /* named barriers, which know their passages themselves */

__device__ void make_gate(Gate &gate, int number, int arriving, int waiting)
{
    gate.state = (uint64_t)(arriving + waiting) * 32 << 32 | number;
}

__device__ void arrive(Gate &gate)
{
    asm volatile("bar.arrive %0, %1;" ::"r"((uint32_t)gate.state),
                 "r"((uint32_t)(gate.state >> 32))
                 : "memory");
}

__device__ bool passed(Gate &, uint32_t)
{
    return false;
}

__device__ void wait(Gate &gate, uint32_t)
{
    asm volatile("bar.sync %0, %1;" ::"r"((uint32_t)gate.state),
                 "r"((uint32_t)(gate.state >> 32))
                 : "memory");
}

#endif

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

/* The same of each byte. __byte_perm() has no selector for that. */
__device__ uint32_t signs_of_bytes(uint32_t bytes)
{
    uint32_t signs;

    asm("prmt.b32 %0, %1, 0, 0xba98;" : "=r"(signs) : "r"(bytes));
    return signs;
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
