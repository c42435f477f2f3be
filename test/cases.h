/*
 * cases.h - what the unit tests share, with cmocka: a test that registers
 * itself, and the name of the case when one that goes through many of them
 * fails.
 *
 *   TEST(pages_are_as_wide_as_they_say)
 *   {
 *       for (uint32_t width = 1; width <= 70; width++) {
 *           case_is("%s, width %u", space->name, width);
 *           assert_int_equal(...);
 *       }
 *   }
 *
 * cases.c has main(). Tests run in the order in which they stand in their file,
 * files in the order in which they are linked.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef TEST_CASES_H
#define TEST_CASES_H

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* A test of the program; `run` gets `context`. */
struct test {
    const char *name, *file;
    unsigned line;
    void (*run)(const void *context);
    const void *context;
};

/* Adds a test behind those of its file on earlier lines. */
void test_add(struct test test);

#define TEST(name)                                                             \
    static void name(const void *test_context);                                \
    __attribute__((constructor)) static void add_##name(void)                  \
    {                                                                          \
        test_add((struct test){#name, __FILE__, __LINE__, name, NULL});        \
    }                                                                          \
    static void name(__attribute__((unused)) const void *test_context)

/* A program may define these: the first takes its command line, and is false
 * for one that is wrong, the others go before and behind the tests. */
__attribute__((weak)) bool tests_options(int argc, char **argv);
__attribute__((weak)) void tests_begin(void);
__attribute__((weak)) void tests_end(void);

/* Tests run whose names fit, with "*" for any text. */
extern const char *tests_pattern;

/* Says which case begins. */
void case_is(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Says more about it. */
void case_add(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Prints both numbers, unlike assert_true(). */
#define assert_near(got, wanted, within)                                       \
    do {                                                                       \
        double got_ = (got), wanted_ = (wanted), within_ = (within);           \
                                                                               \
        if (!(fabs(got_ - wanted_) <= within_))                                \
            fail_msg("%s is %.9g, not within %g of %.9g", #got, got_, within_, \
                     wanted_);                                                 \
    } while (0)

/* Fails unless a value of 0 or more is in least..most; cmocka 1 and 2 have this
 * under different names. */
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
