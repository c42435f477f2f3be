/*
 * buffers.h - the memory, CUDA streams and events of pages. To get those from
 * the system takes as long as to halftone a page, so a page's buffers are kept,
 * and the next page of the same shape takes them.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HT_GPU_BUFFERS_H
#define HT_GPU_BUFFERS_H

#include "gpu/host/ring.h"
#include "gpu/cuda/band.h"

/* Memory that pages of one shape need. */
struct ht_gpu_sizes {
    struct ht_ring_sizes ring; /* whose rows the device has, too */
    size_t samples;            /* of a row, all inks */
    bool deep;     /* samples have 16 bits or curves, or drops several sizes:
                      there are tones */
    size_t spans;  /* of a launch's pixels, at most; 0 = drops have one size */
    size_t swaths; /* of a launch, at most */
    size_t least;  /* bytes of the least samples; 0 = the page diffuses */
};

/* Rows on their way through the device, and what they bring back. Pointers are
 * the device's, or the host's, pinned, where the name says so. */
struct ht_gpu_launch {
    uint8_t *dots;    /* [part][dot_row] */
    uint32_t *ticket; /* one word */
    uint32_t *shifts; /* [swaths] */
    int16_t *errors;  /* the state behind the last row */
    uint32_t *host_shifts;
    int16_t *host_errors;
    cudaEvent_t copied, ran, done;
};

/* The buffers of a page. Pointers are the device's, or the host's, pinned,
 * where the name says so; `stop` is the host's, mapped. Samples, levels, tones
 * and spans have HT_GPU_PAD more elements before and behind. */
struct ht_gpu_buffers {
    struct ht_gpu_sizes sizes;
    int device;
    bool made; /* all that follows is */
    cudaStream_t in, run, out;
    uint8_t *samples;             /* [ring][sample_row] */
    uint8_t *level;               /* [ring][samples]; NULL if not deep */
    int16_t *tone;                /* likewise */
    uint16_t *spans;              /* [spans], of the launch that runs */
    uint16_t *curves;             /* [HT_GPU_CURVES] */
    uint32_t *line;               /* a word for each of the state, line.cuh */
    struct ht_gpu_entry *entries; /* [HT_GPU_ENTRIES] */
    uint8_t *pattern;             /* [HT_PATTERN_BYTES] */
    uint8_t *least;        /* ht_find_least()'s; NULL if there are none */
    uint8_t *host_least;   /* likewise */
    uint8_t *host_samples; /* [ring][sample_row] */
    uint8_t *host_dots;    /* [ring][dot_row] */
    int *stop;             /* not 0 ends the kernels */
    struct ht_gpu_launch launch[HT_RING_MOST_LAUNCHES];
    struct ht_gpu_buffers *next; /* in a list of buffers.c */
};

/*
 * Takes buffers for a page: on the device with the fewest pages or, if that
 * cannot, on the next one that can, which becomes the thread's selected device.
 * Waits for a device to be started only if none of those that have been works;
 * if they have no memory, another is started for pages to come. On HT_OK *out
 * is the caller's until ht_gpu_buffers_give_back(). `most` is
 * ht_page_t.device_memory.
 *
 * HT_ERR_BUSY when there would be memory without the pages that have buffers
 * now; HT_ERR_MEMORY when there is not enough even so; HT_ERR_DEVICE when no
 * device works.
 */
ht_status_t ht_gpu_buffers_take(struct ht_gpu_buffers **out,
                                const struct ht_gpu_sizes *sizes, size_t most);

/*
 * Stops what the page still has on the device, and keeps its buffers for
 * another page. Frees them if the page `failed`; but those of a device that
 * hangs stay until the process ends, since freeing them would wait. NULL is
 * allowed.
 */
void ht_gpu_buffers_give_back(struct ht_gpu_buffers *buffers, bool failed);

/* Returns how many pages have buffers now on a device; -1 = on any. */
unsigned ht_gpu_buffers_in_use(int device);

/* Frees the buffers that no page has. Returns whether there were any. */
bool ht_gpu_buffers_forget(void);

#endif
