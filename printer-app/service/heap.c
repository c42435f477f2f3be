/*
 * heap.c - returns the memory of finished jobs to the system.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h> /* __GLIBC__ */
#ifdef __GLIBC__
#include <malloc.h>
#endif

#include "printer-app/service/heap.h"

static atomic_uint jobs;    /* that have memory */
static atomic_bool crowded; /* there was more than one at a time */

/* Sets fixed limits in glibc. Otherwise it raises the size of blocks that it
 * returns to the system with each large block that it gets back, and has an
 * arena for each of many threads, of which it keeps up to 7 MiB, whatever is
 * trimmed. Few threads wait for the only arena: most blocks are small, and each
 * thread has a cache of those. */
void heap_prepare(void)
{
#ifdef __GLIBC__
    mallopt(M_MMAP_THRESHOLD, 128 << 10);
    mallopt(M_ARENA_MAX, 1);
#endif
}

void heap_job_begins(void)
{
    if (atomic_fetch_add(&jobs, 1) > 0)
        crowded = true;
}

/* Returns free memory to the system if several jobs ran at the same time. Jobs
 * one after the other leave little, and the next one uses it. */
void heap_job_ends(void)
{
    if (atomic_fetch_sub(&jobs, 1) > 1 || !atomic_exchange(&crowded, false))
        return;
#ifdef __GLIBC__
    malloc_trim(0);
#endif
}
