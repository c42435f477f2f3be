/*
 * gpu_test.h - functions that the parts of test_gpu share, and the devices that
 * it is built for.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef TEST_GPU_TEST_H
#define TEST_GPU_TEST_H

#include <stdbool.h>

#include "halftone/halftone.h"
#include "test/quick.h"
#include "test/unit/pages.h"

#ifdef OPENCL
#define ENGINE "opencl"
#else
#define ENGINE "cuda"
#endif

#if defined OPENCL /* builds a program for each kind of pages */
#define PAGES (24 / one_in(2))
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

/* Tests. */
void inks_come_and_go(void **state);
void pages_with_tables_too(void **state);
void their_state_is_handed_over(void **state);
void they_have_curves_too(void **state);
void their_inks_come_and_go(void **state);
void they_are_printed_in_a_crowd(void **state);
void a_row_waits_for_the_one_below(void **state);
void tables_that_no_kernel_suits_are_refused(void **state);
void a_page_outlives_the_device(void **state);
void a_whole_page_waits_in_the_engine(void **state);
void rows_may_be_put_in_the_buffer(void **state);
void any_call_may_fail(void **state);
void drops_may_have_several_sizes(void **state);
void their_inks_and_state_are_the_reference_s(void **state);

/* Tests of CUDA alone; the last one comes last. */
void pages_in_a_crowd_are_the_reference_s(void **state);
void a_device_that_cannot_be_opened_is_an_error(void **state);
void memory_that_is_refused_is_no_trouble_later(void **state);
void pages_go_round_the_devices(void **state);
void pages_share_the_memory(void **state);
void the_choice_is_explained(void **state);
void they_have_several_sizes_in_a_crowd(void **state);
void other_methods_leave_several_sizes_to_the_processor(void **state);
#ifdef FAKE
void a_device_that_is_dead_is_left_alone(void **state);
#endif

/* Tests of OpenCL alone; the last one comes last. */
void a_machine_without_opencl_has_no_such_engine(void **state);
void other_tables_are_the_reference_s(void **state);
void pages_wait_for_the_memory_of_others(void **state);
void a_program_that_is_wrong_is_left_alone(void **state);
void a_device_that_hangs_is_left_alone(void **state);

#endif
