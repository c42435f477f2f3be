/*
 * heap.c - returns the memory of finished jobs to the system.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <stdatomic.h>
#include <stdlib.h> /* __GLIBC__ */
#ifdef __GLIBC__
#include <malloc.h>
#endif

#include "printer-app/service/heap.h"

static atomic_uint jobs; /* that have memory */

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
    atomic_fetch_add(&jobs, 1);
}

/* Returns free memory to the system when no job runs: what is saved of others
 * while one is printed lies between its blocks. */
void heap_job_ends(void)
{
    if (atomic_fetch_sub(&jobs, 1) > 1)
        return;
#ifdef __GLIBC__
    malloc_trim(0);
#endif
}
