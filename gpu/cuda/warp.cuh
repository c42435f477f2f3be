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

/* Returns a value that is the same in all lanes. Once the compiler knows that
 * it is, it leaves out what it does for lanes that part at a branch on it. */
template <class T> __device__ T uniform(T value)
{
    return __shfl_sync(ALL, value, 0);
}

} // namespace

#endif
