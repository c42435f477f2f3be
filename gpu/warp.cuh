/*
 * warp.cuh - the lanes of a warp.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HT_GPU_WARP_CUH
#define HT_GPU_WARP_CUH

namespace
{

constexpr int LANES = 32;
constexpr unsigned ALL = 0xffffffffu;

/* The value, which is the same in all lanes. The compiler, once it knows, does
 * not provide for lanes that part wherever they branch on it. */
template <class T> __device__ T uniform(T value)
{
    return __shfl_sync(ALL, value, 0);
}

} // namespace

#endif
