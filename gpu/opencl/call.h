/*
 * call.h - calls of OpenCL for a page: errors, events, and waiting for a device
 * that may not answer.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HT_CL_CALL_H
#define HT_CL_CALL_H

#include "gpu/opencl/page.h"

/* Returns whether a call went well, and keeps the error if not. */
bool ht_cl_ok(struct ht_cl_page *own, cl_int error);

/* Returns whether a test wants a failure here, gpu/host/fault.h. */
bool ht_cl_fails(struct ht_cl_page *own, const char *where);

/* Returns whether waiting for an event would take no time. */
bool ht_cl_is_over(struct ht_cl_page *own, cl_event event);

/* Waits for an event; false if the device failed, or gave no answer in time:
 * it hangs from now on. */
bool ht_cl_wait(struct ht_cl_page *own, cl_event event);

/* Returns the seconds between the begin of a launch's first kernel and the end
 * of its last one; 0 if the queue keeps no times. */
double ht_cl_kernel_time(const struct ht_cl_launch *launch);

/* Releases an event, if there is one. */
void ht_cl_forget(cl_event *event);

#endif
