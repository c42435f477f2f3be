/*
 * band.h - a band of rows on the device, and the launches that work on one:
 * where the CUDA engine's host side ends and its kernels begin.
 *
 * ht_gpu_diffuse() is in plan.c, which sends a band to the kernel of its
 * method, tdfed/tdfed.cu or floyd/floyd.cu.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HT_GPU_BAND_H
#define HT_GPU_BAND_H

#include <cuda_runtime_api.h>
#include <stdbool.h>
#include <stdint.h>

#include "halftone/definition.h"

#ifdef __cplusplus
extern "C" {
#endif

struct ht_gpu_entry; /* gpu/cuda/tdfed/lookup.h */

/* Samples before and behind the rows that kernels may read, and ignore. */
#define HT_GPU_PAD 512

#define HT_GPU_REACH 4      /* columns -4..+1 of the next row */
#define HT_GPU_CURVES 3840  /* [HT_MAX_INKS][HT_LEVELS] samples of 16 bits */
#define HT_GPU_ONE_SWATH 31 /* swath_log2 of a page that is one swath */

/*
 * Terms of cutting the bands of a page into work:
 *
 * sweep: rows that run side by side, one a lane. TDFED: a swath, or a part of
 * one if there are more than eight inks. Floyd-Steinberg: up to 64 rows of the
 * page, 32 with drops of several sizes.
 *
 * strip: one ink in one segment of a sweep.
 *
 * task: the work that a ticket stands for. TDFED: neighbouring segments of a
 * sweep, all inks. Floyd-Steinberg, which has no segments: a sweep.
 *
 * team: the warps that do a task. Two teams of Floyd-Steinberg share a sweep.
 *
 * chunk: columns of a task that go from warp to warp together.
 *
 * Lanes of a diffusing warp are [segments][inks][rows].
 *
 * A band may leave out the page's first and last inks if they have neither
 * samples nor errors in it.
 */
struct ht_gpu_plan {
    uint32_t width;       /* columns */
    uint32_t planes;      /* of a row: the page's inks */
    uint32_t first, inks; /* first..first+inks-1 are diffused */
    uint32_t bits;        /* of a sample: 8, or 16 if there are tones */
    uint32_t swath_log2;  /* of the rows of a swath, or HT_GPU_ONE_SWATH */
    uint32_t segment;     /* columns; 0 = unbroken rows */
    bool meets;           /* inks have rules together: */
    struct ht_meeting_rules meeting;
    struct ht_sizes sizes; /* of drops; several need tones */
    uint32_t rows;         /* of a sweep, a power of two, 1..64 */
    uint32_t segments;     /* of a task, at most: ht_gpu_diffuse() takes fewer
                              where there are multiprocessors for more tasks */
    uint32_t tasks;        /* of a sweep */
    uint32_t at_once;      /* tasks of a page that have work at the same time,
                              at most */
    uint32_t pages;        /* on the device at the same time, 1..; the caller
                              sets it */
};

/* A band. All pointers are to the device's memory, which the caller owns and
 * keeps until the launch has ended; `stop` is the host's, mapped. */
struct ht_gpu_band {
    const uint8_t *level; /* [rows][planes][width], HT_GPU_PAD more before and
                             behind */
    const int16_t *tone;  /* likewise, where samples have 16 bits; else NULL */
    const uint8_t *below; /* levels [planes][width] of the row below the last
                             one, with HT_GPU_PAD, too */
    uint16_t *spans;      /* of drops of several sizes, of the shape of `level`
                             even if row_step is 0, for ht_gpu_diffuse() to
                             write, tdfed/spans.cuh; else NULL */
    const struct ht_gpu_entry *entries; /* [HT_GPU_ENTRIES] */
    const uint8_t *pattern;             /* [HT_PATTERN_BYTES] */
    const uint32_t *shifts; /* where cuts begin in each swath that the band
                               touches */
    uint8_t *dots;  /* [rows][planes][ht_row_bytes()] zeros, up to a whole word;
                       NULL = no dots are wanted */
    uint32_t *line; /* [ht_state_lines()][width], line.cuh: what the first
                       sweep inherits; then what the last one leaves */
    uint32_t *ticket;  /* 0; then the band's own */
    const int *stop;   /* not 0 = give up */
    uint64_t row;      /* the first, counted from the pre-roll's start */
    uint32_t rows;     /* 1.. */
    uint32_t row_step; /* 1; 0 = all rows have the samples of the first one */
    uint32_t sweep;    /* number of the first sweep, of the page's */
};

/* Completes a plan that has its width, planes, first, inks (1 or more), bits,
 * segment and meets, for swaths of `swath` rows, a power of two; 0 =
 * the page is one swath. `pages` becomes 1. A single ink meets none. */
void ht_gpu_plan_make(struct ht_gpu_plan *plan, uint32_t swath);

/* Returns how many sweeps a band of `rows` rows has. */
uint32_t ht_gpu_sweeps(const struct ht_gpu_plan *plan, uint32_t rows);

/* Makes the kernels of a plan ready on the selected device. */
cudaError_t ht_gpu_prepare(const struct ht_gpu_plan *plan);

/*
 * Launches. None waits; each returns the error of its launch, or one of an
 * earlier call that nobody has asked for. They read and write the device's
 * memory.
 */

/* Diffuses a band with the kernel of the plan's method. */
cudaError_t ht_gpu_diffuse(const struct ht_gpu_plan *plan,
                           const struct ht_gpu_band *band, cudaStream_t stream);

/* Sets `count` words of the error lines, 1 or more, to what the sweep of number
 * `sweep` inherits: errors [count], NULL = 0. */
cudaError_t ht_gpu_set_line(uint32_t *line, const int16_t *errors, size_t count,
                            uint32_t sweep, cudaStream_t stream);

/* Copies errors [count], 1 or more, out of the error lines. */
cudaError_t ht_gpu_get_line(const uint32_t *line, int16_t *errors, size_t count,
                            cudaStream_t stream);

/* Splits 16-bit samples [rows][planes][width] of the inks that are diffused
 * into tones and levels, doc/dev/halftone.md "Tones". */
cudaError_t ht_gpu_split(const struct ht_gpu_plan *plan,
                         const uint16_t *samples, size_t rows, int16_t *tone,
                         uint8_t *level, cudaStream_t stream);

/* ht_gpu_split() for 8-bit samples, each of which stands for a 16-bit one of
 * curves [planes][HT_LEVELS]. */
cudaError_t ht_gpu_look_up(const struct ht_gpu_plan *plan,
                           const uint8_t *samples, const uint16_t *curves,
                           size_t rows, int16_t *tone, uint8_t *level,
                           cudaStream_t stream);

/*
 * Makes a dot where a sample is not below the least one that has a dot there,
 * for the plan's inks; others' dots are left alone. It needs the same fields of
 * the plan as ht_gpu_plan_make(), and its sizes; `bits` are those of samples.
 *
 *   samples  [rows][planes][width], HT_GPU_PAD bytes more before and behind
 *   least    [sizes][planes][HT_SCREEN_SIZE][HT_SCREEN_SIZE],
 *            ht_find_least(); at a multiple of 4 bytes
 *   row      the page's, of the first of `rows`
 *   dots     [rows][planes][ht_row_bytes()]
 */
cudaError_t ht_gpu_compare(const struct ht_gpu_plan *plan, const void *samples,
                           const void *least, uint64_t row, uint32_t rows,
                           uint8_t *dots, cudaStream_t stream);

/* Runs until *stop, mapped memory of the host, is not 0, or if it is NULL for
 * ever. Only builds with HT_GPU_FAULTS have it, for tests of a device that
 * hangs. */
cudaError_t ht_gpu_hang(const int *stop, cudaStream_t stream);

#ifdef __cplusplus
}
#endif
#endif
