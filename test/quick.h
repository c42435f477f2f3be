/*
 * quick.h - tells tests to leave cases out where everything is slow: under
 * sanitizers, on emulated processors and where coverage is counted. There QUICK
 * is in the environment, as "make check-quick" has it.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef TEST_QUICK_H
#define TEST_QUICK_H

#include <stdlib.h>

/* Says that one case in `count` is enough: returns that number if tests are to
 * be quick, otherwise 1. Cases that follow a pattern want a number that has no
 * divisor in common with its period. */
static inline unsigned one_in(unsigned count)
{
    return getenv("QUICK") != NULL ? count : 1;
}

#endif
