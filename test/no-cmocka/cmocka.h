/*
 * cmocka.h - stands in for cmocka where there is none for the processor at
 * hand: as much as the tests of the library use. Prints TAP; the first
 * assertion that fails ends the program.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef CMOCKA_H
#define CMOCKA_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct CMUnitTest {
    const char *name;
    void (*run)(void **state);
    int (*setup)(void **state);
    int (*teardown)(void **state);
    void *initial_state;
};

#define cmocka_unit_test(test)                                                 \
    ((struct CMUnitTest){#test, test, NULL, NULL, NULL})
#define cmocka_unit_test_setup(test, setup)                                    \
    ((struct CMUnitTest){#test, test, setup, NULL, NULL})

/* The test that runs: one for all files of the program. */
__attribute__((weak)) const struct CMUnitTest *no_cmocka_test;

static inline void no_cmocka_end(void)
{
    void *state = no_cmocka_test->initial_state;

    if (no_cmocka_test->teardown != NULL)
        no_cmocka_test->teardown(&state);
}

#define print_message printf
#define test_malloc malloc
#define test_free free

#define fail_msg(...)                                                          \
    do {                                                                       \
        printf("# ");                                                          \
        printf(__VA_ARGS__);                                                   \
        printf("\n");                                                          \
        no_cmocka_end();                                                       \
        printf("Bail out! %s:%d\n", __FILE__, __LINE__);                       \
        exit(1);                                                               \
    } while (0)

#define assert_true(a)                                                         \
    do {                                                                       \
        if (!(a))                                                              \
            fail_msg("not true: %s", #a);                                      \
    } while (0)

#define assert_false(a) assert_true(!(a))
#define assert_null(a) assert_true((a) == NULL)
#define assert_non_null(a) assert_true((a) != NULL)
#define assert_int_equal(a, b) assert_true((intmax_t)(a) == (intmax_t)(b))
#define assert_ptr_equal(a, b) assert_true((a) == (b))
#define assert_memory_equal(a, b, size) assert_true(same_bytes(a, b, size))
#define assert_string_equal(a, b) assert_true(strcmp(a, b) == 0)
#define assert_string_not_equal(a, b) assert_true(strcmp(a, b) != 0)

static inline int same_bytes(const void *a, const void *b, size_t size)
{
    return memcmp(a, b, size) == 0;
}

static inline int run_tests(const struct CMUnitTest *test, int count)
{
    printf("1..%d\n", count);
    for (int i = 0; i < count; i++) {
        void *state = test[i].initial_state;

        fflush(stdout);
        no_cmocka_test = &test[i];
        if (test[i].setup != NULL && test[i].setup(&state) != 0)
            exit(1);
        test[i].run(&state);
        no_cmocka_end();
        printf("ok %d - %s\n", i + 1, test[i].name);
    }
    return 0;
}

#define cmocka_run_group_tests(tests, setup, teardown)                         \
    run_tests(tests, (int)(sizeof(tests) / sizeof((tests)[0])))
#define _cmocka_run_group_tests(name, tests, count, setup, teardown)           \
    run_tests(tests, (int)(count))

#endif
