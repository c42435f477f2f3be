/*
 * ptx.cuh - gpu/cuda/ptx.cuh for the host.
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

constexpr size_t MOST_SHARED = SIZE_MAX;

inline void *shared_memory()
{
    return emulator::shared();
}

template <class T> T &shared_object()
{
    return *(T *)emulator::shared();
}

inline void trap()
{
    abort();
}

inline void meet_block()
{
    emulator::meet_block();
}

inline void meet(int number, int threads)
{
    emulator::meet((unsigned)number, (unsigned)threads);
}

inline void pass_by(int number, int threads)
{
    emulator::pass_by((unsigned)number, (unsigned)threads);
}

/* A launch's gates are of two kinds, in turn: those of gpu/cuda/ptx.cuh where
 * only those wait who come to wait, and named barriers, where all wait for all
 * and nobody can look. */
struct Gate {
    uint32_t arriving, waiting, number; /* NO_NUMBER: the first kind */
    uint32_t arrived, passages;
};

constexpr uint32_t NO_NUMBER = 0xffffffffu;

inline void make_gate(Gate &gate, int number, int arriving, int waiting)
{
    gate = {(uint32_t)arriving * emulator::LANES,
            (uint32_t)waiting * emulator::LANES,
            emulator::launches() % 2 && (unsigned)number < emulator::BARRIERS
                ? (uint32_t)number
                : NO_NUMBER,
            0, 0};
}

inline void arrive(Gate &gate)
{
    if (gate.number != NO_NUMBER) {
        emulator::pass_by(gate.number, gate.arriving + gate.waiting);
    } else if (++gate.arrived == gate.arriving) {
        gate.arrived = 0;
        gate.passages++;
    }
}

inline bool passed(const Gate &gate, uint32_t odd)
{
    return gate.number == NO_NUMBER && gate.passages % 2 != odd;
}

inline void wait(const Gate &gate, uint32_t odd)
{
    if (gate.number != NO_NUMBER)
        emulator::meet(gate.number, gate.arriving + gate.waiting);
    else
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

inline int hidden(int value)
{
    return value;
}

inline int sign_of(int value)
{
    return value >> 31;
}

/* Launches a kernel, and waits for it; returns, as on the device, the error of
 * any earlier call that nobody has asked for. A kernel launched without shared
 * memory has an object there, below 48 KiB. */
template <class... Parameters, class... Arguments>
cudaError_t launch(void (*kernel)(Parameters...), unsigned blocks,
                   unsigned threads, size_t bytes, cudaStream_t,
                   Arguments... arguments)
{
    emulator::run(blocks, threads, bytes > 0 ? bytes : 48 << 10,
                  [=] { kernel(arguments...); });
    return cudaGetLastError();
}

} // namespace

#endif
