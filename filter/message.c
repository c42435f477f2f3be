/*
 * message.c - lines for the scheduler on standard error.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <stdarg.h>
#include <stdio.h>

#include "filter/message.h"

#define MAX_TEXT 1000 /* CUPS cuts lines at 2048, some log readers at 1024 */

void message(const char *prefix, const char *format, ...)
{
    char text[MAX_TEXT];
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    for (char *c = text; *c != '\0'; c++)
        if ((unsigned char)*c < ' ' || *c == 0x7f)
            *c = '?';
    fprintf(stderr, "%s: %s\n", prefix, text);
}
