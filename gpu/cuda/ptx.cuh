/*
 * ptx.cuh - hardware that CUDA has no intrinsics for.
 * test/gpu/emulator/gpu/cuda/ptx.cuh has the same names for the host.
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

/* Load and store a word that another block may store or load at the same time:
 * never half of it, and in no order with other words. */
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

/* Asks for the 128 bytes around an address, which will be loaded soon, to be
 * brought into the L2 cache. */
__device__ void prefetch_line(const void *at)
{
    asm volatile("prefetch.global.L2 [%0];" ::"l"(at));
}

/* The most shared memory that a block can have on a GPU that runs the code made
 * for this architecture, bytes. That of HT_GPU_PTX is PTX, too, which GPUs to
 * come run, whatever they have. */
#if defined __CUDA_ARCH__ && defined HT_GPU_PTX && __CUDA_ARCH__ < HT_GPU_PTX
constexpr size_t MOST_SHARED = (__CUDA_ARCH__ >= 800 ? 163 : 64) * 1024;
#else
constexpr size_t MOST_SHARED = SIZE_MAX;
#endif

/* Returns the shared memory that the launch gave the block: its size is
 * launch()'s `bytes`. */
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

/* Ends the launch with an error. */
__device__ void trap()
{
    __trap();
}

/* Waits for all threads of the block that have not ended. As __syncthreads(),
 * but warps may wait at different lines of a program: compute-sanitizer forbids
 * that of __syncthreads(), which asks it only of the lanes of a warp. */
__device__ void meet_block()
{
    asm volatile("barrier.sync 0;" ::: "memory");
}

/* Waits at barrier `number` of the block, 0..15, until `threads` threads have
 * come there, this warp's included. */
__device__ void meet(int number, int threads)
{
    asm volatile("bar.sync %0, %1;" ::"r"(number), "r"(threads) : "memory");
}

/* Counts as one of the threads that have come to a barrier, and does not
 * wait. */
__device__ void pass_by(int number, int threads)
{
    asm volatile("bar.arrive %0, %1;" ::"r"(number), "r"(threads) : "memory");
}

/*
 * A barrier in shared memory that some warps arrive at, without waiting, and
 * others wait at; it can be passed any number of times. Lanes that have waited
 * see everything that lanes wrote before they arrived.
 *
 * `odd` is the parity of a waiting warp's passages so far: 0 for the first
 * wait, 1 for the second, 0 for the third.
 */
struct Gate {
    uint64_t state;
};

#if __CUDA_ARCH__ >= 800

__device__ uint32_t shared_address(const Gate &gate)
{
    return (uint32_t)__cvta_generic_to_shared(&gate);
}

/* Makes a gate that `arriving` warps arrive at and `waiting` warps wait at. One
 * thread calls it, and the block meets before the gate's first use. `number` is
 * this gate's own, apart from the numbers of the block's other gates and
 * barriers; below 16 where gates are named barriers. */
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

/* Returns true if wait() would return at once. False may also mean that this
 * kind of gate cannot tell. */
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

/* Waits until all have arrived, asleep where the hardware lets a warp sleep at
 * a barrier. */
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

#else /* named barriers, which count their passages themselves */

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

/* Returns the number of the warp's slot on its multiprocessor: slots are the
 * four schedulers' in turn. */
__device__ unsigned warp_slot()
{
    unsigned slot;

    asm volatile("mov.u32 %0, %%warpid;" : "=r"(slot));
    return slot;
}

/* ---- Numbers ------------------------------------------------------------ */

/* Returns the value, 0 or 1, and hides from the compiler that it is no other:
 * so a product with it stays a product, and does not become a select. */
__device__ int opaque(int value)
{
    asm("" : "+r"(value));
    return value;
}

/* Returns the value, where the compiler may not put off what makes it: so what
 * follows becomes no branch. */
__device__ int hidden(int value)
{
    asm volatile("" : "+r"(value));
    return value;
}

/* Returns -1 for a negative value, else 0. As assembly: the compiler would make
 * a predicate of the comparison, which takes three times as long on the chain
 * from pixel to pixel. */
__device__ int sign_of(int value)
{
    int sign;

    asm("shr.s32 %0, %1, 31;" : "=r"(sign) : "r"(value));
    return sign;
}

/* ---- Launches ----------------------------------------------------------- */

/* Launches a kernel with so many blocks, threads a block and bytes of dynamic
 * shared memory a block. Does not wait. Returns the error of the launch, or of
 * an earlier call that nobody has asked for. */
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
