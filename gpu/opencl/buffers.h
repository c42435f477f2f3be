/*
 * buffers.h - the memory of a page, on the device and on the host.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HT_CL_BUFFERS_H
#define HT_CL_BUFFERS_H

#include "gpu/opencl/page.h"

/* Allocates a page's buffers, and frees them, those that there are, which waits
 * for a device that hangs. */
ht_status_t ht_cl_buffers_make(ht_engine_t *engine);
void ht_cl_buffers_free(struct ht_cl_page *own);

#endif
