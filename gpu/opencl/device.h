/*
 * device.h - the OpenCL device that pages go through, and the programs that are
 * built for it.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HT_CL_DEVICE_H
#define HT_CL_DEVICE_H

#include "halftone/halftone.h"
#include "gpu/opencl/loader.h"

/* The device; of several a GPU. */
struct ht_cl_device {
    cl_device_id id;
    cl_context context;
    bool gpu;
    size_t group;       /* work items of a group, at most */
    size_t local_bytes; /* local memory of a group */
    size_t memory;      /* bytes, a quarter of all */
    size_t buffer;      /* bytes of a buffer, at most */
};

/* Returns the device, which the first call looks for; NULL if there is none
 * that can run the kernels. */
const struct ht_cl_device *ht_cl_device(void);

/* Whether queues keep the times of kernels, for the bench. */
extern bool ht_cl_keeps_times;

/* Parameters that a program is built for: the method, and the macros of the
 * kernels, common.cl. */
struct ht_cl_kind {
    unsigned method, bytes, curves, meets, sizes, inks, swath, items, block;
};

/* A program of the process. */
struct ht_cl_program {
    struct ht_cl_kind kind;
    cl_program program;  /* NULL: the compiler refuses it */
    bool tested, passed; /* the test of its dots: ht_cl_verdict() */
    struct ht_cl_program *next;
};

/* Returns the program for a kind, built the first time, for the life of the
 * process; NULL without memory. */
struct ht_cl_program *ht_cl_program(const struct ht_cl_kind *kind);

/* Returns what a program's test said, 1 or 0; -1 before it. Another thread may
 * be at it, too. */
int ht_cl_verdict(const struct ht_cl_program *program);
void ht_cl_set_verdict(struct ht_cl_program *program, bool passed);

/* Takes `bytes` of the device's memory for a page that may have `most` (0: a
 * quarter of all), together with others; HT_ERR_BUSY if others have too much
 * now, HT_ERR_MEMORY if it is too much even alone. Given back with
 * ht_cl_give_memory(). */
ht_status_t ht_cl_take_memory(size_t bytes, size_t most);
void ht_cl_give_memory(size_t bytes);

/* Lets a page have the device, if it may; given back with ht_cl_give_turn(). A
 * device that is no GPU has one page at a time: PoCL 3.1 at times aborts the
 * process (in pocl_release_dlhandle_cache) where commands of two queues end
 * together. */
bool ht_cl_take_turn(void);
void ht_cl_give_turn(void);

/* Say that the device gives no answer, and whether it once did not: it is left
 * alone then. */
void ht_cl_set_hanging(void);
bool ht_cl_hangs(void);

/* Returns the text of an OpenCL error that a page may meet, static. */
const char *ht_cl_error_text(cl_int error);

#endif
