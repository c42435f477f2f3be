/*
 * cmocka.h - stands in for cmocka in targets, as much as test/unit/pages.c
 * uses: an assertion that fails aborts.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef CMOCKA_H
#define CMOCKA_H

#include <stdint.h>

#include "test/fuzz/run.h"

#define fail_msg(...) run_fail(__VA_ARGS__)
#define assert_true(a) ((a) ? (void)0 : run_fail("not true: %s", #a))
#define assert_null(a) assert_true((a) == NULL)
#define assert_non_null(a) assert_true((a) != NULL)
#define assert_int_equal(a, b) assert_true((intmax_t)(a) == (intmax_t)(b))

#endif
