/*
 * share.c - counts a process's jobs, and watches their readers; see share.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include "halftone/base/processors.h"
#include "page/share.h"

#define FEW 4u /* threads: of text, more take no less time */

/* A reader waits for halftoning for this part of the time that it reads: */
#define HARDLY (1. / 8) /* few threads would do */
#define OFTEN (1. / 2)  /* few are too few */

static atomic_uint jobs; /* of this process */

void share_begin(struct share *share)
{
    atomic_init(&share->few, false);
    atomic_fetch_add(&jobs, 1);
}

void share_end(void)
{
    atomic_fetch_sub(&jobs, 1);
}

bool share_keeps_up(const struct share *share)
{
    return atomic_load(&share->few);
}

uint32_t share_threads(const struct share *share)
{
    const unsigned all = atomic_load(&jobs);
    const bool few = share_keeps_up(share);
    unsigned threads;

    if (all <= 1 && !few)
        return 0;
    threads = ht_default_threads();
    if (few && threads > FEW)
        threads = FEW;
    if (all > 1 && threads > ht_processors() / all)
        threads = ht_processors() / all;
    return threads > 0 ? threads : 1;
}

void share_learn(struct share *share, double reading, double waiting)
{
    if (waiting < HARDLY * reading)
        atomic_store(&share->few, true);
    else if (waiting > OFTEN * reading)
        atomic_store(&share->few, false);
}
