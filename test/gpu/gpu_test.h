/*
 * gpu_test.h - functions that the parts of test_gpu share, and the devices that
 * it is built for.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef TEST_GPU_TEST_H
#define TEST_GPU_TEST_H

#include "halftone/halftone.h"
#include "test/cases.h"
#include "test/quick.h"
#include "test/unit/pages.h"

#ifdef OPENCL
#define ENGINE "opencl"
#else
#define ENGINE "cuda"
#endif

#if defined OPENCL /* builds a program for each kind of pages */
#define PAGES 12
#define CROWD 0
#define SHRINK 1
#define FAULT_STEP 1
#define CALL_STEP 1
#define LARGE_PAGES 0
#elif defined EMULATED /* hundreds of times slower than the reference */
#define PAGES (10 / one_in(2))
#define CROWD 72 /* pages: three fake devices have 20 multiprocessors each */
#define SHRINK 6 /* times narrower are pages that only wait or fail */
#define FAULT_STEP 3 /* one of so many faults is tried, and */
#define CALL_STEP 10 /* one of so many calls fails */
#define LARGE_PAGES 0
#elif defined FAKE /* does the reference's work, as slowly */
#define PAGES (150 / one_in(5))
#define CROWD 72
#define SHRINK 1
#define FAULT_STEP 1
#define CALL_STEP 1
#define LARGE_PAGES 1
#else
#define PAGES 150
#define CROWD 176 /* pages: enough for two devices of 175 multiprocessors */
#define SHRINK 1
#define FAULT_STEP 1
#define CALL_STEP 1
#define LARGE_PAGES 10
#endif

#define CALLS 160 /* of the device's runtime, or less for a page */

/* A page of any method, shape and bits, without a height. */
ht_page_t random_page(uint64_t *seed);

/* Checks that a page through the engines `name` and `heir`, as halftone_page()
 * has it, is the reference's. */
void check_page(const char *name, const char *heir, const ht_page_t *page,
                size_t rows, size_t handover, uint64_t seed);

/* Does that with random pages, beginning with seed `first`. */
void check_pages(const char *name, const char *heir, bool handover,
                 uint64_t first, unsigned count);

/* Checks a page of a method that is in the engine as a whole, with a fault on
 * its way, and whether the engine says that there was trouble. */
void check_waiting_page(ht_method_t method, const struct curves *curves,
                        const char *fault, bool troubled);

/* Checks that a page whose inks are only in some bands of it, and the state
 * behind it, are the reference's. */
void check_inks(const ht_page_t *page, uint64_t seed);

/* Returns whether the engine does a page that needs no table: to leave tests
 * out, it is no reason that the kernels cannot use a table. */
bool gpu_is_usable(void);

/* For HALFTONE_GPU_LOAD: nobody else wants a processor. */
#define NO_LOAD "0 0 0 1/1 1"

extern const char *program; /* the path of this one */

#endif
