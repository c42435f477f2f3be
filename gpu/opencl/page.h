/*
 * page.h - a page on its way through the OpenCL device, beside its ring.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HT_CL_PAGE_H
#define HT_CL_PAGE_H

#include "gpu/host/ring.h"
#include "gpu/opencl/device.h"

#define HT_CL_WARP 32 /* work items that many GPUs run in step */

/* Pages of up to HT_CL_FEW_INKS inks have programs of their own, which do
 * HT_CL_BLOCK pixels of TDFED between two barriers. */
#define HT_CL_FEW_INKS 4
#define HT_CL_BLOCK 2
#define HT_CL_LAUNCHES 4 /* one of which rests, with the last state */

/* Bytes before and behind samples on the device that kernels may read, and
 * ignore: more than the columns by which a brick's rows are shifted. */
#define HT_CL_PAD 1024

/* Local memory with room for bricks of 128 rows of Floyd-Steinberg. */
#define HT_CL_LARGE_BRICKS ((size_t)48 << 10)

/* Rows that are prepared at once for TDFED, and so their swaths, at most. */
#define HT_CL_PREPARED 64

/* Sizes of a page's buffers. */
struct ht_cl_sizes {
    struct ht_ring_sizes ring;
    size_t prepared; /* of TDFED: rows that are prepared at once */
    size_t device;   /* bytes of the device's memory */
};

/* Memory of the device and, if it is mapped, of the host. */
struct ht_cl_memory {
    cl_mem device;
    void *host;
};

/* The events of a launch. */
struct ht_cl_launch {
    cl_event done;
    cl_event first, last; /* kernels, if the queue keeps their times */
};

/* A page on its way, ht_engine.own. */
struct ht_cl_page {
    struct ht_ring ring;
    size_t prepared; /* ht_cl_sizes has these */
    size_t device;   /* bytes, of ht_cl_take_memory(); 0 = none are taken */
    bool has_turn;   /* of ht_cl_take_turn() */
    struct ht_cl_program *program;
    cl_command_queue queue;
    cl_kernel kernel;        /* the method's, */
    cl_kernel prepare, pack; /* and of TDFED */
    struct ht_cl_memory host_samples, host_dots, host_errors;
    cl_mem samples; /* [part + 1][sample_row], the last one below the part */
    cl_mem dots;    /* of TDFED [part][inks][width], sizes of drops */
    cl_mem bits;    /* [part][dot_row] */
    cl_mem line;    /* [ht_state_lines()][width] */
    cl_mem carry;   /* of Floyd-Steinberg, floyd.cl */
    cl_mem records; /* of TDFED, prepare.cl: [prepared][inks][width] */
    cl_mem levels, rules, curves; /* of the table and the page */
    cl_mem drops, pattern;        /* ht_cl_drops, ht_cl_fill_bitmaps() */
    cl_mem least;                 /* ht_find_least() */
    struct ht_cl_launch launch[HT_CL_LAUNCHES];
    cl_int error;    /* of the last call that failed */
    double kernel_s; /* of finished launches, if the queue keeps times */
    struct ht_cl_page *abandoned; /* another page that a device still has */
};

#endif
