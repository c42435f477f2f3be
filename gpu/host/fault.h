/*
 * fault.h - failures on demand, in builds for tests only (HT_GPU_FAULTS).
 *
 * HALFTONE_GPU_FAULT=WHERE[:N] makes the N-th time (1 = the first, the default)
 * that the process comes to WHERE fail: call, of any function of CUDA or
 * OpenCL; launch, copy; of CUDA start, open, memory, allocate, begin; of OpenCL
 * compile, dots; hang, until the device is told to stop (OpenCL's never does);
 * dead, which does not stop. HALFTONE_GPU_LOAD stands in for the text of
 * /proc/loadavg.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HT_FAULT_H
#define HT_FAULT_H

#include <stdbool.h>
#include <stddef.h>

#ifdef HT_GPU_FAULTS
bool ht_fault(const char *where);
const char *ht_load_wanted(void); /* NULL = that of the machine */
#else
static inline bool ht_fault(const char *where)
{
    (void)where;
    return false;
}
static inline const char *ht_load_wanted(void)
{
    return NULL;
}
#endif

#endif
