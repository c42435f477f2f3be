/*
 * line.cuh - the error lines in device memory.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HT_GPU_LINE_CUH
#define HT_GPU_LINE_CUH

#include <stdint.h>

namespace
{

/* What a strip leaves in the error line: the error, and above it the number of
 * the strip that inherits it. */
__device__ uint32_t error_word(int error, uint32_t number)
{
    return __byte_perm((uint32_t)error, number, 0x5410);
}

} // namespace

#endif
