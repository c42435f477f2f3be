/*
 * load.c - the processors, and how many threads of others want them; see
 * load.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include "halftone/base/processors.h"
#include "gpu/host/fault.h"
#include "gpu/cuda/load.h"

struct ht_gpu_load ht_gpu_load_now(void)
{
    const char *wanted = ht_load_wanted();

    return (struct ht_gpu_load){
        .allowed = ht_processors(),
        .online = ht_online_processors(),
        .others = wanted != NULL ? ht_others_in(wanted, 1) : ht_others()};
}
