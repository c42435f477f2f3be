/*
 * log_numbers.h - messages for PAPPL's log, with their numbers printed.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef PAPPL_FIXES_LOG_NUMBERS_H
#define PAPPL_FIXES_LOG_NUMBERS_H

#include <stdarg.h>

#define LOG_STRINGS 8

/* A format of "%s" and "%%" alone, and its strings, of which PAPPL escapes
 * control characters. */
struct log_line {
    char format[512];
    const char *string[LOG_STRINGS];
    char text[1024]; /* of a message that string[0] has whole */
};

/* Makes the line that printf() would make of `format`, up to the size of `text`
 * bytes. It has the strings themselves, not copies. */
void log_numbers(struct log_line *line, const char *format, va_list arguments);

/* A line as arguments of a function that takes a format. */
#define LOG_LINE(line)                                                         \
    (line).format, (line).string[0], (line).string[1], (line).string[2],       \
        (line).string[3], (line).string[4], (line).string[5],                  \
        (line).string[6], (line).string[7]

#endif
