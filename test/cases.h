/*
 * cases.h - names the case when a test that goes through many of them fails.
 *
 *   for (uint32_t width = 1; width <= 70; width++) {
 *       case_is("%s, width %u", space->name, width);
 *       assert_int_equal(...);
 *   }
 *
 * A test that is listed with cases_test() instead of cmocka_unit_test() prints
 * its last case when it fails. For the file that has main().
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef TEST_CASES_H
#define TEST_CASES_H

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

struct cases_function {
    void (*run)(void **state);
};

static char case_text[256];

/* Says which case begins. */
__attribute__((format(printf, 1, 2))) static inline void
case_is(const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(case_text, sizeof case_text, format, arguments);
    va_end(arguments);
}

/* Says more about it. */
__attribute__((format(printf, 1, 2))) static inline void
case_add(const char *format, ...)
{
    size_t length = strlen(case_text);
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(case_text + length, sizeof case_text - length, format, arguments);
    va_end(arguments);
}

/* Runs a test; an assertion that fails does not come back here. */
static inline void cases_run(void **state)
{
    const struct cases_function *test = *state;

    case_text[0] = '\0';
    test->run(state);
    case_text[0] = '\0';
}

static inline int cases_end(void **state)
{
    (void)state;
    if (case_text[0] != '\0')
        print_message("# case: %s\n", case_text);
    return 0;
}

/* clang-format off */
#define cases_test(test)                                                       \
    {#test, cases_run, NULL, cases_end, &(struct cases_function){test}}
/* clang-format on */

/* Prints both numbers, unlike assert_true(). */
#define assert_near(got, wanted, within)                                       \
    do {                                                                       \
        double got_ = (got), wanted_ = (wanted), within_ = (within);           \
                                                                               \
        if (!(fabs(got_ - wanted_) <= within_))                                \
            fail_msg("%s is %.9g, not within %g of %.9g", #got, got_, within_, \
                     wanted_);                                                 \
    } while (0)

#endif
