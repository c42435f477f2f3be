/*
 * gpu_page.h - a page on the device without the engine: its kernels are
 * launched, its dots compared.
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

#include "gpu/cuda/band.h"
#include "halftone/definition.h"

#define PAGE_CHECKED_ROWS 96u /* of pages that have more, the first so many */

/* Ends the program if a call of the runtime fails. All functions here do so
 * too, and if memory is short. */
#define TRY(call)                                                              \
    do {                                                                       \
        cudaError_t error_ = (call);                                           \
        if (error_ != cudaSuccess) {                                           \
            fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__,                 \
                    cudaGetErrorString(error_));                               \
            exit(1);                                                           \
        }                                                                      \
    } while (0)

/* A page's samples: of 8 bits, of 16 bits, or of 8 bits with curves. */
enum samples { SHALLOW, DEEP, CURVED };

/* A kind of page. */
struct page_kind {
    ht_method_t method;
    bool apart; /* of TDFED: without the rules for inks together */
    uint32_t segment, width, rows, inks;
    enum samples samples;
    uint32_t levels, mixed; /* as in ht_page_t, in equal steps of area; levels
                               0: one size */
    uint32_t pages;         /* ht_gpu_plan.pages */
    uint32_t first, end;    /* only inks first..end-1 have samples */
};

/* A page on the device. */
struct bench_page {
    struct page_kind kind;
    struct ht_gpu_plan plan;
    struct ht_gpu_band band; /* of Screen: level (its samples), rows, dots */
    const uint8_t *least;    /* ht_find_least(), of Screen; else NULL */
    size_t samples;
    size_t lines;   /* words of the error lines */
    size_t dot_row; /* bytes of a row's dots, all inks */
    size_t dots;    /* bytes, up to a whole word */
    uint8_t *memory;
    cudaStream_t stream;
    cudaEvent_t done;
};

/* Sets kind->first and kind->end to the inks that the samples [rows][inks]
 * [width] have, as the engine does. */
void page_find_inks(const uint8_t *samples, struct page_kind *kind);

/* Opens a page of bare paper; give it back with page_close(). */
void page_open(struct bench_page *page, const struct page_kind *kind);
void page_close(struct bench_page *page);

/* Copies samples [rows][inks][width] of the page's kind to the device, as the
 * engine does: uint16_t if they are DEEP, else uint8_t. */
void page_give_samples(struct bench_page *page, const void *samples);

/* Halftones the pages, all at the same time; returns milliseconds on the
 * device. */
double pages_run(struct bench_page *pages, int count);

/* Returns whether the dots of the first PAGE_CHECKED_ROWS rows are the
 * reference's, which begins with no errors, too; prints where not. `samples`:
 * as they were given to the page. */
bool page_check(const struct bench_page *page, const void *samples);

#endif
