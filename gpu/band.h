/*
 * band.h - between the CUDA engine's host side and its kernels: a band of rows
 * on the device, and the launches that work on one.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HT_GPU_BAND_H
#define HT_GPU_BAND_H

#include <cuda_runtime_api.h>
#include <stdbool.h>
#include <stdint.h>

#include "gpu/tdfed/lookup.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Samples that kernels may read, and ignore, before and behind the rows. */
#define HT_GPU_PAD 512

#define HT_GPU_REACH 4     /* columns -4..+1 of the next row */
#define HT_GPU_CURVES 3840 /* [HT_MAX_INKS][HT_LEVELS] samples of 16 bits */

/*
 * How bands of a page are cut into work. A strip is the rows of a swath that a
 * team does at once, one a lane; a stream is one ink of a segment of a strip.
 * The lanes of a warp are [segments][inks][rows]. (Floyd-Steinberg: several
 * warps share the rows of a strip.)
 *
 * The first and the last inks, if they have neither samples nor errors in a
 * band, may be left out.
 */
#define HT_GPU_ONE_SWATH 31 /* the whole page, as Floyd-Steinberg has it */
struct ht_gpu_plan {
    uint32_t width;
    uint32_t planes;      /* of a row: the page's inks */
    uint32_t first, inks; /* that are diffused: first..first+inks-1 */
    uint32_t bits;        /* of a sample */
    uint32_t swath_log2;  /* of the rows of a swath, or HT_GPU_ONE_SWATH */
    uint32_t segment;     /* columns; 0 = unbroken rows */
    uint32_t middle;      /* of the table */
    uint32_t rows;        /* of a strip, a power of two, 1..64 */
    uint32_t segments;    /* that a team does at once; where there are enough
                             multiprocessors, ht_gpu_diffuse() takes fewer */
    uint32_t groups;      /* of so many segments, in a swath */
    uint32_t at_once;     /* strips that are of use at the same time */
    uint32_t pages; /* on the device at the same time, 1..; the caller's */
};

/* A band: all pointers are the device's. */
struct ht_gpu_band {
    const uint8_t *level; /* [rows][planes][width], HT_GPU_PAD on both sides */
    const int16_t *tone;  /* the same of 16-bit samples, else NULL */
    const struct ht_gpu_entry *entries; /* [HT_GPU_ENTRIES] */
    const uint8_t *pattern;             /* [HT_PATTERN_BYTES] */
    const uint32_t *shifts; /* the first cut of each swath of the band */
    uint8_t *dots;          /* [rows][planes][(width+7)/8] zeroed, in whole
                               words; NULL throws the dots away */
    uint32_t *line;   /* [planes][width] error, the strip's number above it */
    uint32_t *ticket; /* 0 */
    const int *stop;  /* the host's: not 0 = give up */
    uint64_t row;     /* the first, counted with the pre-roll */
    uint32_t rows;
    uint32_t row_step; /* 0: all rows are the first one; else 1 */
    uint32_t strip;    /* number of the first strip */
};

/* Completes a plan that has its width, planes, first, inks, bits and segment,
 * for swaths of so many rows, 0 = the whole page. */
void ht_gpu_plan_make(struct ht_gpu_plan *plan, uint32_t swath);

/* Strips that a band of `rows` rows has. */
uint32_t ht_gpu_strips(const struct ht_gpu_plan *plan, uint32_t rows);

/* Makes the kernels of such a plan ready on the current device. */
cudaError_t ht_gpu_prepare(const struct ht_gpu_plan *plan);

/* Diffuses a band. Does not wait. */
cudaError_t ht_gpu_diffuse(const struct ht_gpu_plan *plan,
                           const struct ht_gpu_band *band, cudaStream_t stream);

/* Sets the error lines to what the strip of number `strip` inherits:
 * errors [count], NULL for 0. Does not wait. */
cudaError_t ht_gpu_set_line(uint32_t *line, const int16_t *errors, size_t count,
                            uint32_t strip, cudaStream_t stream);

/* The reverse: errors [count] out of the lines. Does not wait. */
cudaError_t ht_gpu_get_line(const uint32_t *line, int16_t *errors, size_t count,
                            cudaStream_t stream);

/* Splits 16-bit samples [rows][planes][width] of the inks that are diffused
 * into tones and levels, doc/halftone.md "Tones". Does not wait. */
cudaError_t ht_gpu_split(const struct ht_gpu_plan *plan,
                         const uint16_t *samples, size_t rows, int16_t *tone,
                         uint8_t *level, cudaStream_t stream);

/* The same of 8-bit samples, in whose place are the 16-bit ones that curves
 * [planes][HT_LEVELS] have for them. */
cudaError_t ht_gpu_look_up(const struct ht_gpu_plan *plan,
                           const uint8_t *samples, const uint16_t *curves,
                           size_t rows, int16_t *tone, uint8_t *level,
                           cudaStream_t stream);

/* Runs until `*stop` is not 0, or with NULL for ever: for the tests of a device
 * that hangs, whose builds alone have it. Does not wait. */
cudaError_t ht_gpu_hang(const int *stop, cudaStream_t stream);

/* Dots where the tone is 1/2 or more: samples [rows][width] of `bits`, dots
 * [rows][(width+7)/8]. Does not wait. */
cudaError_t ht_gpu_threshold(const void *samples, uint32_t bits, uint8_t *dots,
                             uint32_t width, size_t rows, cudaStream_t stream);

#ifdef __cplusplus
}
#endif
#endif
