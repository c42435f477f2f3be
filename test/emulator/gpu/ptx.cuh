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

inline void meet_team(int number, int threads)
{
    emulator::meet_team((unsigned)number, (unsigned)threads);
}

struct Gate {
    uint32_t arriving, arrived, passages;
};

inline void make_gate(Gate &gate, int, int arriving, int)
{
    gate = {(uint32_t)arriving * emulator::LANES, 0, 0};
}

inline void arrive(Gate &gate)
{
    if (++gate.arrived == gate.arriving) {
        gate.arrived = 0;
        gate.passages++;
    }
}

inline bool passed(const Gate &gate, uint32_t odd)
{
    return gate.passages % 2 != odd;
}

inline void wait(const Gate &gate, uint32_t odd)
{
    while (!passed(gate, odd))
        emulator::yield();
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
