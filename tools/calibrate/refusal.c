/*
 * refusal.c - says in one sentence why something was not accepted.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <stdarg.h>
#include <stdio.h>

#include "tools/calibrate/refusal.h"

bool refuse(struct refusal *refusal, unsigned line, const char *format, ...)
{
    va_list arguments;

    refusal->line = line;
    va_start(arguments, format);
    vsnprintf(refusal->why, sizeof refusal->why, format, arguments);
    va_end(arguments);
    return false;
}
