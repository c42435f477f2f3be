/*
 * emulator.cc - the threads of a launch as fibers of the calling thread.
 *
 * A fiber runs until it has to wait for others, and is asked again and again
 * whether it still has to.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "test/gpu/emulator/cuda.h"

#include <memory>
#include <mutex>
#include <ucontext.h>
#include <vector>

namespace emulator
{
namespace
{

constexpr size_t STACK_BYTES = 32 << 10;
constexpr int GARBAGE = 0xa5; /* in shared memory */
constexpr int TURNS = 24;     /* turns of a warp before the next one's */

/*
 * Where a fiber goes on: a point of a jump. The address sanitizer does not know
 * the builtins; at a jump of <setjmp.h> it would forget what it knows of the
 * stack, to which there is a way back. And GCC must not see into a function
 * that is left and entered by them, which changes every register.
 */
using Point = void *[5];

#define JUMPS __attribute__((noinline, noipa))

struct Block;

struct Fiber {
    Block *block;
    unsigned number;
    std::unique_ptr<char[]> stack; /* from when it begins until it ends */
    Point point;
    bool begun, ended;
    unsigned meetings; /* with its warp */
};

struct Warp {
    unsigned arrived; /* lanes, of all meetings */
    uint32_t value[2][LANES];
};

struct Barrier {
    unsigned arrived, meetings;
};

struct Block {
    unsigned number, of; /* of so many */
    std::vector<Fiber> fibers;
    std::vector<Warp> warps;
    std::vector<char> shared;
    Barrier all, numbered[BARRIERS];
    unsigned alive;
    const std::function<void()> *thread;
};

Fiber *running;
Point scheduler;
std::mutex one_launch;
unsigned launched;

[[noreturn]] JUMPS void jump(Point &point)
{
    __builtin_longjmp(point, 1);
}

void end_meeting(Barrier &barrier)
{
    barrier.arrived = 0;
    barrier.meetings++;
}

void arrive(Barrier &barrier, unsigned threads)
{
    if (++barrier.arrived == threads)
        end_meeting(barrier);
}

void meet(Barrier &barrier, unsigned threads)
{
    const unsigned meeting = barrier.meetings;

    arrive(barrier, threads);
    while (barrier.meetings == meeting)
        yield();
}

void live()
{
    Block &block = *running->block;

    (*block.thread)();
    running->ended = true;
    if (--block.alive > 0 && block.all.arrived == block.alive)
        end_meeting(block.all);
    jump(scheduler);
}

void begin(Fiber &fiber)
{
    ucontext_t context;

    fiber.begun = true;
    fiber.stack.reset(new char[STACK_BYTES]);
    getcontext(&context);
    context.uc_stack.ss_sp = fiber.stack.get();
    context.uc_stack.ss_size = STACK_BYTES;
    context.uc_link = nullptr;
    makecontext(&context, live, 0);
    setcontext(&context);
}

JUMPS void go_on(Fiber &fiber)
{
    running = &fiber;
    if (__builtin_setjmp(scheduler) == 0) {
        if (!fiber.begun)
            begin(fiber);
        jump(fiber.point);
    }
    if (fiber.ended)
        fiber.stack.reset();
}

/* Runs a warp for some turns, as long as its lanes meet. */
void run_warp(Block &block, unsigned warp)
{
    unsigned before;
    int turns = 0;

    do {
        before = block.warps[warp].arrived;
        for (unsigned i = 0; i < LANES; i++)
            if (!block.fibers[warp * LANES + i].ended)
                go_on(block.fibers[warp * LANES + i]);
    } while (block.warps[warp].arrived != before && ++turns < TURNS);
}

void run_block(Block &block)
{
    for (unsigned i = 0; i < block.warps.size(); i++)
        run_warp(block, i);
}

std::unique_ptr<Block> make_block(unsigned number, unsigned blocks,
                                  unsigned threads, size_t shared_bytes,
                                  const std::function<void()> &thread)
{
    std::unique_ptr<Block> block(new Block{});

    block->number = number;
    block->of = blocks;
    block->fibers.resize(threads);
    for (unsigned i = 0; i < threads; i++) {
        block->fibers[i].block = block.get();
        block->fibers[i].number = i;
    }
    block->warps.resize(threads / LANES);
    block->shared.assign(shared_bytes, (char)GARBAGE);
    block->alive = threads;
    block->thread = &thread;
    return block;
}

} // namespace

unsigned thread()
{
    return running->number;
}

unsigned threads()
{
    return (unsigned)running->block->fibers.size();
}

unsigned block()
{
    return running->block->number;
}

unsigned blocks()
{
    return running->block->of;
}

void *shared()
{
    return running->block->shared.data();
}

unsigned launches()
{
    return launched;
}

JUMPS void yield()
{
    if (__builtin_setjmp(running->point) == 0)
        jump(scheduler);
}

void meet_block()
{
    meet(running->block->all, running->block->alive);
}

void meet(unsigned number, unsigned threads)
{
    meet(running->block->numbered[number], threads);
}

void pass_by(unsigned number, unsigned threads)
{
    arrive(running->block->numbered[number], threads);
}

const uint32_t *meet_warp(uint32_t value)
{
    Warp &warp = running->block->warps[running->number / LANES];
    const unsigned meeting = running->meetings++;
    uint32_t *values = warp.value[meeting % 2];

    values[running->number % LANES] = value;
    warp.arrived++;
    while (warp.arrived < (meeting + 1) * LANES)
        yield();
    return values;
}

void run(unsigned blocks, unsigned threads, size_t shared_bytes,
         const std::function<void()> &thread)
{
    std::lock_guard<std::mutex> lock(one_launch);
    std::vector<std::unique_ptr<Block>> all; /* those that have not ended */

    launched++;
    for (unsigned i = 0; i < blocks; i++) {
        auto block = make_block(i, blocks, threads, shared_bytes, thread);

        run_block(*block);
        if (block->alive > 0)
            all.push_back(std::move(block));
    }
    while (!all.empty()) {
        std::vector<std::unique_ptr<Block>> left;

        for (auto &block : all) {
            run_block(*block);
            if (block->alive > 0)
                left.push_back(std::move(block));
        }
        all.swap(left);
    }
}

} // namespace emulator
