/*
 * ptx.cuh - gpu/ptx.cuh for the host.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HT_GPU_PTX_CUH
#define HT_GPU_PTX_CUH

namespace
{

uint32_t load_relaxed(const uint32_t *word)
{
    return *word;
}

void store_relaxed(uint32_t *word, uint32_t value)
{
    *word = value;
}

inline void prefetch_line(const void *)
{
}

inline void *shared_memory()
{
    return emulator::shared();
}

template <class T> T &shared_object()
{
    return *(T *)emulator::shared();
}

inline void meet_block()
{
    emulator::meet_block();
}

template <int THREADS> void arrive_at(int barrier)
{
    emulator::meet(barrier, THREADS, false);
}

template <int THREADS> void wait_at(int barrier)
{
    emulator::meet(barrier, THREADS, true);
}

template <int THREADS> void wait_unless_at(bool skip, int barrier)
{
    if (!skip)
        emulator::meet(barrier, THREADS, true);
}

inline unsigned warp_slot()
{
    return threadIdx.x / emulator::LANES;
}

inline int opaque(int value)
{
    return value;
}

inline int sign_of(int value)
{
    return value >> 31;
}

inline int select(int mask, int ones, int zeros)
{
    return (mask & ones) | (~mask & zeros);
}

/* Does not return before all is done. A kernel that asks for no shared memory
 * has an object there, of less than 48 KiB. */
template <class... Parameters, class... Arguments>
cudaError_t launch(void (*kernel)(Parameters...), unsigned blocks,
                   unsigned threads, size_t bytes, cudaStream_t,
                   Arguments... arguments)
{
    emulator::run(blocks, threads, bytes > 0 ? bytes : 48 << 10,
                  [=] { kernel(arguments...); });
    return cudaSuccess;
}

} // namespace

#endif
