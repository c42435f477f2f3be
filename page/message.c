/*
 * message.c - lines for the scheduler on standard error.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "halftone/base/utf8.h"
#include "page/message.h"
#include "page/owner.h"

#define MAX_TEXT 1000 /* CUPS cuts lines at 2048, some log readers at 1024 */

/* For threads without an owner. */
static atomic_flag error_said = ATOMIC_FLAG_INIT;

/* Returns the flag that the owner's first ERROR line sets. Later errors, in
 * other threads, too, follow from the first and are left out. */
static atomic_flag *first_error(void)
{
    struct owner *owner = owner_of_thread();

    return owner != NULL ? &owner->error_said : &error_said;
}

void message_begin(void)
{
    atomic_flag_clear(first_error());
}

static bool is_late_error(const char *prefix)
{
    return strcmp(prefix, "ERROR") == 0 &&
           atomic_flag_test_and_set(first_error());
}

static void say(const char *prefix, const char *text)
{
    struct owner *owner = owner_of_thread();

    if (owner != NULL && owner->hear != NULL)
        owner->hear(owner, prefix, text);
    else
        fprintf(stderr, "%s: %s\n", prefix, text);
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
    utf8_copy(text, sizeof text, text, '?');
    say(prefix, text);
}

void message_hand_on(const char *line)
{
    const char *text = strstr(line, ": ");
    char prefix[16];

    if (strncmp(line, "ERROR:", 6) == 0 && is_late_error("ERROR"))
        return;

    struct owner *owner = owner_of_thread();
    const bool whole = owner == NULL || owner->hear == NULL;

    if (whole) {
        fprintf(stderr, "%s\n", line);
    } else if (text != NULL && text - line < (ptrdiff_t)sizeof prefix) {
        snprintf(prefix, sizeof prefix, "%.*s", (int)(text - line), line);
        owner->hear(owner, prefix, text + 2);
    } else {
        owner->hear(owner, "DEBUG", line);
    }
}
