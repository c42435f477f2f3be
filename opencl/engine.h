/*
 * engine.h - a page on its way through the OpenCL device, which engine.c,
 * buffers.c, launch.c and rescue.c share; and the engine, which module.c
 * exports.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HT_CL_ENGINE_H
#define HT_CL_ENGINE_H

#include "halftone/definition.h"
#include "halftone/engine.h"
#include "halftone/method.h"
#include "opencl/device.h"

#define HT_CL_SWATH 4 /* rows of the tallest swath */
#define HT_CL_WARP 32 /* work items that many GPUs run in step */

/* So many inks of a page have programs of their own, which do so many pixels of
 * TDFED from barrier to barrier. */
#define HT_CL_FEW_INKS 4
#define HT_CL_BLOCK 2
#define HT_CL_PARTS 4 /* one of which rests, with the last state */

/* Bytes before and behind samples on the device that kernels may read, and
 * ignore: more than the columns by which a brick's rows are shifted. */
#define HT_CL_PAD 1024

/* Rows of Floyd-Steinberg that are worth a part while more come in: a part
 * takes as long as its width and three times its height, one after the other.
 */
#define HT_CL_FLOYD_ROWS 1024

/* Local memory with room for bricks of 128 rows of Floyd-Steinberg. */
#define HT_CL_LARGE_BRICKS ((size_t)48 << 10)

/* Rows that are prepared at once for TDFED, and so their swaths, at most. */
#define HT_CL_PREPARED 64

/* How much a page needs. */
struct ht_cl_sizes {
    size_t sample_row, dot_row; /* bytes of a row */
    size_t ring;                /* rows that the host keeps */
    size_t part;                /* rows of a part, at most */
    size_t prepared;            /* of TDFED: rows that are prepared at once */
    size_t state;               /* bytes of a state between two rows */
    size_t device;              /* bytes of the device's memory */
};

/* Memory of the device and, if it is mapped, of the host. */
struct ht_cl_memory {
    cl_mem device;
    void *host;
};

/* Rows on their way. */
struct ht_cl_part {
    uint64_t end;    /* the page's row behind its last one */
    int16_t *errors; /* the state behind it, the host's */
    cl_event done;
    cl_event first, last; /* kernels, if the queue keeps their times */
};

/* A page on its way, ht_engine.own. Rows count from the page's first: collected
 * <= finished <= launched <= submitted <= collected + ring. With a rescuer,
 * collected <= fed <= submitted, and `launched` and `finished` stand still. */
struct ht_cl_page {
    struct ht_scan scan;
    struct ht_place place; /* in the scan, of the next row to launch */
    struct ht_cl_sizes sizes;
    struct ht_cl_program *program;
    bool takes_memory; /* of ht_cl_take_memory() */
    bool has_turn;     /* of ht_cl_take_turn() */
    cl_command_queue queue;
    cl_kernel kernel;        /* the method's, */
    cl_kernel prepare, pack; /* and of TDFED */
    struct ht_cl_memory host_samples, host_dots, host_errors;
    cl_mem samples; /* [part + 1][sample_row], the last one below the part */
    cl_mem dots;    /* of TDFED [part][inks][width], a byte each */
    cl_mem bits;    /* [part][dot_row] */
    cl_mem line;    /* [ht_state_lines()][width] */
    cl_mem carry;   /* of Floyd-Steinberg, floyd.cl */
    cl_mem records; /* of TDFED, prepare.cl: [prepared][inks][width] */
    cl_mem levels, pattern, rules, curves; /* of the table and the page */
    cl_mem least;                          /* ht_find_least() */
    struct ht_cl_part part[HT_CL_PARTS];
    uint64_t submitted, launched, finished, collected;
    uint64_t parts, finished_parts;
    const int16_t *state; /* behind row `finished`; NULL = 0 */
    uint16_t *inked;      /* [ring] what ht_engine_submit() said */
    int16_t *given;       /* a state that was given, so there is no pre-roll */
    cl_int error;         /* of the last call that failed */
    double kernel_s;      /* of finished parts, if the queue keeps times */
    uint64_t fed;         /* row behind the last one that the rescuer has */
    ht_engine_t *rescuer; /* goes on with the page; owned */
    struct ht_cl_page *abandoned; /* another page that a device still has */
};

/* Finds the sizes of a page's buffers; Floyd-Steinberg's parts are as tall
 * as the ring. `whole_page`: the ring has the whole page. */
struct ht_cl_sizes ht_cl_measure(const ht_page_t *page, bool whole_page);

/* Allocates a page's buffers, and frees them, those that there are, which waits
 * for a device that hangs. */
ht_status_t ht_cl_buffers_make(ht_engine_t *engine);
void ht_cl_buffers_free(struct ht_cl_page *own);

/* Makes the page's kernels and gives them the buffers. */
bool ht_cl_kernels_make(ht_engine_t *engine);

/* Sends the page's next `rows` rows to the device, 1..part, which do not wrap
 * in the ring, and the pre-roll. Do not wait; return false if the device
 * fails. */
bool ht_cl_send_rows(ht_engine_t *engine, size_t rows);
bool ht_cl_send_preroll(ht_engine_t *engine);

/* Returns whether a call went well, and keeps the error if not. */
bool ht_cl_ok(struct ht_cl_page *own, cl_int error);

/* Returns whether a test wants a failure here, gpu/fault.h. */
bool ht_cl_fails(struct ht_cl_page *own, const char *where);

/* Returns whether waiting for an event would take no time. */
bool ht_cl_is_over(struct ht_cl_page *own, cl_event event);

/* Waits for an event; false if the device failed, or gave no answer in time:
 * it hangs from now on. */
bool ht_cl_wait(struct ht_cl_page *own, cl_event event);

/* Returns the seconds between the begin of a part's first kernel and the end
 * of its last one; 0 if the queue keeps no times. */
double ht_cl_kernel_time(const struct ht_cl_part *part);

/* Releases an event, if there is one. */
void ht_cl_forget(cl_event *event);

/* Opens the rescuer, a CPU engine, gives it the state behind the last finished
 * part and feeds it from the ring; engine->trouble says why. Returns the
 * status of opening or feeding it. */
ht_status_t ht_cl_rescue(ht_engine_t *engine, const char *why);

/* Submits to the rescuer the rows that it has not got and has room for; ends it
 * after the page's last row. */
ht_status_t ht_cl_feed_rescuer(ht_engine_t *engine);

/* Collects the next `rows` rows from the rescuer, feeding it on the way. */
ht_status_t ht_cl_collect_rescued(ht_engine_t *engine, uint8_t *dots,
                                  size_t rows);

/* Does ht_engine_ops.open() without ht_cl_passes(). */
ht_status_t ht_cl_open_untested(ht_engine_t *engine);

/* Prints a few rows of a page like this on the device and compares them with
 * the reference's; once for each program. */
bool ht_cl_passes(ht_engine_t *engine);

/* Whether queues keep the times of kernels, for the bench. */
extern bool ht_cl_keeps_times;

extern const struct ht_engine_ops ht_opencl_engine;

#endif
