/*
 * test_log_numbers.c - PAPPL's log gets the numbers of its messages as text,
 * and its strings as strings.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include "pappl-fixes/log_numbers.h"
#include "pappl-fixes/replaced.h"
#include "test/cases.h"

static char got[4096], format_got[1024];

/* In place of PAPPL's functions. */
static void take(void *of, pappl_loglevel_t level, const char *format, ...)
{
    va_list arguments;

    assert_ptr_equal(of, got);
    assert_int_equal(level, PAPPL_LOGLEVEL_WARN);
    snprintf(format_got, sizeof format_got, "%s", format);
    va_start(arguments, format);
    vsnprintf(got, sizeof got, format, arguments);
    va_end(arguments);
}

#define TAKE(name) .name = (__typeof__(name) *)(void (*)(void))take

/* In place of replaced.c. */
const struct replaced_functions *replaced_functions(void)
{
    static const struct replaced_functions functions = {
        TAKE(papplLog), TAKE(papplLogClient), TAKE(papplLogPrinter)};

    return &functions;
}

/* Logs by each function; its text is printf()'s, and its format has "%s" and
 * "%%" alone. */
#define LOGS(...)                                                              \
    do {                                                                       \
        char wanted[4096];                                                     \
                                                                               \
        snprintf(wanted, sizeof wanted, __VA_ARGS__);                          \
        papplLog((void *)got, PAPPL_LOGLEVEL_WARN, __VA_ARGS__);               \
        check_line(wanted);                                                    \
        papplLogClient((void *)got, PAPPL_LOGLEVEL_WARN, __VA_ARGS__);         \
        check_line(wanted);                                                    \
        papplLogPrinter((void *)got, PAPPL_LOGLEVEL_WARN, __VA_ARGS__);        \
        check_line(wanted);                                                    \
    } while (0)

static void check_line(const char *wanted)
{
    assert_string_equal(got, wanted);
    for (const char *at = format_got; (at = strchr(at, '%')) != NULL; at += 2)
        assert_true(at[1] == 's' || at[1] == '%');
}

TEST(numbers_are_text)
{
    LOGS("no number");
    LOGS("%s", "");
    LOGS("%d", -1);
    LOGS("IPP/%d.%d request-id=%d, status-code=%s", 2, 0, 27, "successful-ok");
    LOGS("%s: %ld second(s), %lu and %lld, 100 %% of '%s:%d'", "up", -5L, 6UL,
         -7LL, "host", 631);
    LOGS("%02X%02X %04x %u %i %o %5d|%-5d|%+d", 10, 255, 0xbeef, 4000000000u, 3,
         8, 42, 42, 42);
    LOGS("%.2f of %8.3f", 1.5, 2.25);
    assert_string_equal(format_got, "1.50 of    2.250");
}

TEST(strings_are_left_to_pappl)
{
    LOGS("'%s' of %d, %s", "50 % of %d\n", 3, "\x1b[31m");
    assert_string_equal(format_got, "'%s' of 3, %s");
    LOGS("%s%s%s%s%s%s%s%s", "1", "2", "3", "4", "5", "6", "7", "8");
    assert_int_equal(strlen(format_got), 2 * LOG_STRINGS);
}

TEST(what_is_else_is_one_string)
{
    char many[600];

    LOGS("%s%s%s%s%s%s%s%s%s", "1", "2", "3", "4", "5", "6", "7", "8", "9");
    assert_string_equal(format_got, "%s");
    LOGS("%.3s, %c, %*d", "1234", 'x', 4, 5);
    assert_string_equal(format_got, "%s");
    LOGS("%p and %zu", (void *)many, sizeof many);
    memset(many, '0', 20);
    many[0] = '%';
    memcpy(many + 20, "9d", sizeof "9d");
    LOGS(many, 7);
    assert_string_equal(format_got, "%s");
    for (size_t length = 500; length < 520; length++) {
        memset(many, 'x', length);
        memcpy(many + length, "%d%s", sizeof "%d%s");
        LOGS(many, 1234, "end");
    }
}
