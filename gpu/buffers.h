/*
 * buffers.h - what a page needs of the device and of pinned memory. Taking it
 * from the system costs as much as a page, so it is kept for the next page of
 * the same shape.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HT_GPU_BUFFERS_H
#define HT_GPU_BUFFERS_H

#include "gpu/band.h"

#define HT_GPU_PARTS 16 /* launches of a ring that is full, or less of one */
/* Those, one that is smaller for each end of the ring and of the page, one
 * that was sent for want of others, and one at rest. */
#define HT_GPU_LAUNCHES (HT_GPU_PARTS + 5)

/* Of one shape of page. */
struct ht_gpu_sizes {
    size_t samples;    /* of a row, all inks */
    bool deep;         /* they have 16 bits, or curves */
    size_t ring;       /* rows that the host keeps and the device has */
    size_t part;       /* most rows of a launch */
    size_t sample_row; /* bytes */
    size_t dot_row;    /* bytes */
    size_t state;      /* bytes of the errors of a row */
    size_t swaths;     /* most of a launch */
    size_t launches;   /* 6..HT_GPU_LAUNCHES */
};

/* Rows on their way through the device, with what they bring back. */
struct ht_gpu_launch {
    uint64_t end;     /* the page row behind its last */
    uint8_t *dots;    /* device: [part][dot_row] */
    uint32_t *ticket; /* device */
    uint32_t *shifts; /* device: [swaths] */
    int16_t *errors;  /* device: [samples], behind the last row */
    uint32_t *host_shifts;
    int16_t *host_errors;
    cudaEvent_t copied, ran, done;
};

struct ht_gpu_buffers {
    struct ht_gpu_sizes sizes;
    int device;
    bool made; /* all that follows */
    cudaStream_t in, run, out;
    uint8_t *samples;             /* device: [ring][sample_row], padded */
    uint8_t *level;               /* device: of deep samples, padded */
    int16_t *tone;                /* the same */
    uint16_t *curves;             /* device: [HT_GPU_CURVES] */
    uint32_t *line;               /* device: [samples] */
    struct ht_gpu_entry *entries; /* device */
    uint8_t *pattern;             /* device */
    uint8_t *host_samples;        /* [ring][sample_row], pinned */
    uint8_t *host_dots;           /* [ring][dot_row], pinned */
    int *stop;                    /* pinned: 1 ends the kernels */
    struct ht_gpu_launch launch[HT_GPU_LAUNCHES];
    struct ht_gpu_buffers *next; /* of those that wait, or are taken */
};

/* Buffers for a page, on the device whose turn it is, or on the next one that
 * can; it is selected. `most` as ht_page_t.device_memory. HT_ERR_BUSY when
 * there is not enough memory for this page and those that have buffers now;
 * HT_ERR_MEMORY when there would not be enough for this page alone;
 * HT_ERR_DEVICE. */
ht_status_t ht_gpu_buffers_take(struct ht_gpu_buffers **out,
                                const struct ht_gpu_sizes *sizes, size_t most);

/* Keeps them for another page, after what is on its way has been given up;
 * those of a page that `failed` are freed. What a device has that hangs is
 * left to the end of the process, since freeing it would wait. NULL is
 * allowed. */
void ht_gpu_buffers_give_back(struct ht_gpu_buffers *buffers, bool failed);

/* Pages that have buffers now on a device, or, with -1, on any. */
unsigned ht_gpu_buffers_in_use(int device);

/* Frees all that wait for a page; whether there were any. */
bool ht_gpu_buffers_forget(void);

#endif
