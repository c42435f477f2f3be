/*
 * message.c - lines for the scheduler on standard error.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "filter/message.h"

#define MAX_TEXT 1000 /* CUPS cuts lines at 2048, some log readers at 1024 */

/* The user has to know what went wrong first; later errors follow from it, also
 * in other threads. */
static atomic_flag error_said = ATOMIC_FLAG_INIT;

void message_begin(void)
{
    atomic_flag_clear(&error_said);
}

static bool is_late_error(const char *prefix)
{
    return strcmp(prefix, "ERROR") == 0 &&
           atomic_flag_test_and_set(&error_said);
}

void message(const char *prefix, const char *format, ...)
{
    char text[MAX_TEXT];
    va_list arguments;

    if (is_late_error(prefix))
        return;

    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    for (char *c = text; *c != '\0'; c++)
        if ((unsigned char)*c < ' ' || *c == 0x7f)
            *c = '?';
    fprintf(stderr, "%s: %s\n", prefix, text);
}

void message_hand_on(const char *line)
{
    bool error = strncmp(line, "ERROR:", 6) == 0;

    if (!error || !is_late_error("ERROR"))
        fprintf(stderr, "%s\n", line);
}
