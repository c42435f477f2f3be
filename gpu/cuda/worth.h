/*
 * worth.h - estimates whether a device is worth it for a page, without asking
 * the machine or CUDA; and the machine's load, which estimates are made for.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HT_GPU_WORTH_H
#define HT_GPU_WORTH_H

#include "halftone/halftone.h"

struct ht_gpu_load {
    unsigned allowed; /* processors that this process may use, 1.. */
    unsigned online;  /* processors of the machine, 1.. */
    unsigned others;  /* threads of other processes on them, or waiting for
                         them, now; 0 where the system does not say */
};

struct ht_gpu_load ht_gpu_load_now(void);

/* Returns how many seconds a device that has been started saves for a page,
 * with `pages` such pages on it at the same time, 1.., against the processors
 * under this load. 0 if it is hardly faster, or not at all. A page of unknown
 * height counts as a square one. */
double ht_gpu_gain(const ht_page_t *page, unsigned pages,
                   const struct ht_gpu_load *load);

/* Returns whether a device takes more than twice as long for a page as its
 * samples take to come, so that the next page can come in meanwhile. */
bool ht_gpu_slower_than_input(const ht_page_t *page);

#endif
