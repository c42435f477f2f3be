/*
 * line.cuh - the error line: how a sweep hands its errors to the next one, in
 * whichever block that runs.
 *
 * The line lies in device memory, band.line [planes][width] words, one for each
 * column of each ink:
 *
 *     bits 31..16   number of the sweep that inherits the error, modulo 2^16
 *     bits 15..0    the error, int16_t in 1/16384 dot
 *
 * A sweep of number n writes a word for n + 1 as soon as the error of that
 * column is complete. Whoever does sweep n + 1 reads the word again and again
 * until it carries that number. A word is read and written whole, so the right
 * number comes with the right error: no fences, no flags, and no barrier
 * between sweeps, which stay as far behind each other as errors reach.
 *
 * Sweeps and their tasks are taken by ticket (band.ticket), in order, and wait
 * only for smaller tickets, each of which a running block has: however few
 * blocks are resident, they cannot wait for ever.
 *
 *     written   tdfed/carry.cuh: pass_on(), tdfed/kernel.cuh: pass_on_rest(),
 *               floyd/carry.cuh: take_sweep()
 *     awaited   tdfed/carry.cuh: await(), floyd/carry.cuh: bring()
 *     host      line.cu: ht_gpu_set_line() before a page or state,
 *               ht_gpu_get_line() behind each launch
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HT_GPU_LINE_CUH
#define HT_GPU_LINE_CUH

#include <stdint.h>

namespace
{

/* Returns the word of the error line with an error for the sweep of a
 * number. */
__device__ uint32_t error_word(int error, uint32_t number)
{
    return __byte_perm((uint32_t)error, number, 0x5410);
}

} // namespace

#endif
