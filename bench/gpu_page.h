/*
 * gpu_page.h - a page on the device, its kernels launched and its dots compared
 * without the engine around them.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef BENCH_GPU_PAGE_H
#define BENCH_GPU_PAGE_H

#include <cuda_runtime_api.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "gpu/band.h"
#include "halftone/definition.h"

#define PAGE_CHECKED_ROWS 96u /* the first ones, of pages that have more */

/* Ends the program where a call fails; all functions here do, too, and where
 * memory is short. */
#define TRY(call)                                                              \
    do {                                                                       \
        cudaError_t error_ = (call);                                           \
        if (error_ != cudaSuccess) {                                           \
            fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__,                 \
                    cudaGetErrorString(error_));                               \
            exit(1);                                                           \
        }                                                                      \
    } while (0)

/* What a page's samples are: those of CURVED pages have 8 bits, and a curve. */
enum samples { SHALLOW, DEEP, CURVED };

/* What a page is like. */
struct kind {
    ht_method_t method;
    uint32_t segment, width, rows, inks;
    enum samples samples;
    uint32_t pages;      /* as in struct ht_gpu_plan */
    uint32_t first, end; /* inks first..end-1 have all its samples */
};

/* A page on the device. */
struct page {
    struct kind kind;
    struct ht_gpu_plan plan;
    struct ht_gpu_band band;
    size_t samples;
    size_t dots; /* bytes, whole words */
    uint8_t *memory;
    cudaStream_t stream;
    cudaEvent_t done;
};

/* Sets kind->first and kind->end to the inks that the samples [rows][inks]
 * [width] have, as the engine does. */
void page_find_inks(const uint8_t *samples, struct kind *kind);

/* A page of bare paper, until page_close(). */
void page_open(struct page *page, const struct kind *kind);
void page_close(struct page *page);

/* Puts samples [rows][inks][width] of the page's kind on the device, as the
 * engine does: uint16_t where they are DEEP, else uint8_t. */
void page_give_samples(struct page *page, const void *samples);

/* Halftones the pages, all at the same time; milliseconds on the device. */
double pages_run(struct page *pages, int count);

/* Whether the dots of the first PAGE_CHECKED_ROWS rows are the reference's,
 * given the same errors (none); says where not. `samples` as were given. */
bool page_check(const struct page *page, const void *samples);

#endif
