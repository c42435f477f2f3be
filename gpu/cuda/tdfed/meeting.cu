/*
 * meeting.cu - the kinds of diffuse.cuh's kernel for whole dots of inks that
 * meet.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "gpu/cuda/tdfed/diffuse.cuh"

namespace
{

/* Returns the kernel for inks that meet. Its diffuser takes long enough for
 * short chunks in unbroken rows, too. */
template <bool DEEP, int INKS> TdfedChoice choose_together(bool crowded)
{
    using Halves = Kind<DEEP, SEGMENT_CHUNK, false, 1, INKS>;
    using Packed = Kind<DEEP, SEGMENT_CHUNK, true, 1, INKS>;
    using Teams = Kind<DEEP, SEGMENT_CHUNK, false, CROWD_TEAMS, INKS>;
    const size_t most = attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin);
    const TdfedChoice alone = choose_copies<Halves>(most, 1);
    const TdfedChoice together = choose_copies<Teams>(most, 1);

    if (!crowded && alone.shared <= most)
        return alone;
    return crowded && together.shared <= most ? together
                                              : choose_copies<Packed>(most, 1);
}

template <bool DEEP>
TdfedChoice choose_inks(const struct ht_gpu_plan *plan, bool crowded)
{
    return plan->inks <= FEW_INKS ? choose_together<DEEP, FEW_INKS>(crowded)
                                  : choose_together<DEEP, MOST_INKS>(crowded);
}

} // namespace

TdfedChoice ht_gpu_tdfed_together(const struct ht_gpu_plan *plan, bool crowded)
{
    return plan->bits == 8 ? choose_inks<false>(plan, crowded)
                           : choose_inks<true>(plan, crowded);
}
