/*
 * load.h - the processors, and how many threads of others want them.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HT_GPU_LOAD_H
#define HT_GPU_LOAD_H

struct ht_gpu_load {
    unsigned allowed; /* processors that this process may use, 1.. */
    unsigned online;  /* processors of the machine, 1.. */
    unsigned others;  /* threads of other processes on them, or waiting for
                         them, now; 0 where the system does not say */
};

struct ht_gpu_load ht_gpu_load_now(void);

#endif
