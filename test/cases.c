/*
 * cases.c - main() of the unit tests, and the case of the one that runs.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <fnmatch.h>
#include <signal.h>
#include <unistd.h>

#include "test/cases.h"

#define MOST_TESTS 128

static struct test registered[MOST_TESTS];
static size_t count;
static char case_text[256];

const char *tests_pattern = "*";

void test_add(struct test test)
{
    size_t at = count;

    if (count == MOST_TESTS)
        abort();
    /* Constructors of a file may run in any order. */
    for (; at > 0 && strcmp(registered[at - 1].file, test.file) == 0 &&
           registered[at - 1].line > test.line;
         at--)
        registered[at] = registered[at - 1];
    registered[at] = test;
    count++;
}

void case_is(const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(case_text, sizeof case_text, format, arguments);
    va_end(arguments);
}

void case_add(const char *format, ...)
{
    size_t length = strlen(case_text);
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(case_text + length, sizeof case_text - length, format, arguments);
    va_end(arguments);
}

/* Runs a test; an assertion that fails does not come back here. */
static void run(void **state)
{
    const struct test *test = *state;

    case_text[0] = '\0';
    test->run(test->context);
    case_text[0] = '\0';
}

static int say_case(void **state)
{
    (void)state;
    if (case_text[0] != '\0')
        print_message("# case: %s\n", case_text);
    return 0;
}

/* Says which case does not end: test/limited has no more patience with it. */
static void say_hanging(int signal)
{
    static const char text[] = "# hangs: ";

    (void)signal;
    (void)!write(STDOUT_FILENO, text, sizeof text - 1);
    (void)!write(STDOUT_FILENO, case_text, strlen(case_text));
    (void)!write(STDOUT_FILENO, "\n", 1);
    _exit(1);
}

int main(int argc, char **argv)
{
    static struct CMUnitTest chosen[MOST_TESTS];
    size_t wanted = 0;
    int failed = 1;

    signal(SIGALRM, say_hanging);
    signal(SIGTERM, say_hanging);
    if (tests_options != NULL && !tests_options(argc, argv))
        return 1;
    if (tests_begin != NULL)
        tests_begin();
    for (size_t i = 0; i < count; i++)
        if (fnmatch(tests_pattern, registered[i].name, 0) == 0)
            chosen[wanted++] = (struct CMUnitTest){
                registered[i].name, run, NULL, say_case, &registered[i]};
    if (wanted > 0)
        failed = _cmocka_run_group_tests("tests", chosen, wanted, NULL, NULL);
    if (tests_end != NULL)
        tests_end();
    return failed != 0;
}
