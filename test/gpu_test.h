/*
 * gpu_test.h - what the parts of test_gpu share: test_gpu.c and gpu_inks.c.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef TEST_GPU_TEST_H
#define TEST_GPU_TEST_H

#include "halftone/halftone.h"

#if defined EMULATED /* hundreds of times slower than the reference */
#define PAGES 20
#define SHRINK 6     /* times narrower are pages that only wait or fail */
#define FAULT_STEP 3 /* one of so many faults is tried */
#define LARGE_PAGES 0
#elif defined FAKE /* does the reference's work, as slowly */
#define PAGES 150
#define SHRINK 1
#define FAULT_STEP 1
#define LARGE_PAGES 1
#else
#define PAGES 150
#define SHRINK 1
#define FAULT_STEP 1
#define LARGE_PAGES 8
#endif

/* A page of any method, shape and bits, without a height. */
ht_page_t random_page(uint64_t *seed);

/* Fails unless two pages of `rows` rows have the same dots. */
void compare(const ht_page_t *page, size_t rows, uint64_t seed,
             const uint8_t *got, const uint8_t *wanted);

/* A test. */
void inks_come_and_go(void **state);

#endif
