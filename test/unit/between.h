/*
 * between.h - an assertion that cmocka 1 and 2 have under different names.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef TEST_BETWEEN_H
#define TEST_BETWEEN_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

/* Fails unless a value of 0 or more is in least..most. */
#define assert_between(value, least, most)                                     \
    do {                                                                       \
        const uintmax_t value_ = (uintmax_t)(value);                           \
        const uintmax_t least_ = (uintmax_t)(least),                           \
                        most_ = (uintmax_t)(most);                             \
                                                                               \
        if (value_ < least_ || value_ > most_)                                 \
            fail_msg("%s is %ju, not in %ju..%ju", #value, value_, least_,     \
                     most_);                                                   \
    } while (0)

#endif
