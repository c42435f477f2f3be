/*
 * load.h - how many processors other processes leave to this one.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HT_GPU_LOAD_H
#define HT_GPU_LOAD_H

/* Returns how many of the processors that this process may use no other keeps
 * busy now, at least 1. Where the system does not say, all of them. */
unsigned ht_gpu_free_processors(void);

/* Does the same for a process that may use `allowed` of `online` processors,
 * from the text of /proc/loadavg. */
unsigned ht_gpu_processors_left(unsigned allowed, unsigned online,
                                const char *loadavg);

#endif
