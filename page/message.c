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

#include "page/message.h"
#include "page/owner.h"

#define MAX_TEXT 1000 /* CUPS cuts lines at 2048, some log readers at 1024 */

/* Of work that has no owner. */
static atomic_flag error_said = ATOMIC_FLAG_INIT;

/* The user has to know what went wrong first; later errors follow from it, also
 * in other threads. */
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

/* Returns how many bytes the character at `c` has in UTF-8, or 0 if these are
 * none, or a control character. Unicode 15, tables 3-7 and 23-1. */
static size_t character(const unsigned char *c)
{
    const unsigned bytes = c[0] < 0x80   ? 1
                           : c[0] < 0xc2 ? 0
                           : c[0] < 0xe0 ? 2
                           : c[0] < 0xf0 ? 3
                           : c[0] < 0xf5 ? 4
                                         : 0;

    if (bytes == 1)
        return c[0] >= ' ' && c[0] != 0x7f;
    for (unsigned i = 1; i < bytes; i++)
        if ((c[i] & 0xc0) != 0x80)
            return 0;
    const bool bad = (c[0] == 0xc2 && c[1] < 0xa0) || /* controls */
                     (c[0] == 0xe0 && c[1] < 0xa0) || /* too long */
                     (c[0] == 0xed && c[1] > 0x9f) || /* surrogates */
                     (c[0] == 0xf0 && c[1] < 0x90) || /* too long */
                     (c[0] == 0xf4 && c[1] > 0x8f);   /* beyond Unicode */

    return bad ? 0 : bytes;
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
    for (char *c = text; *c != '\0';) {
        const size_t bytes = character((const unsigned char *)c);

        if (bytes == 0)
            *c = '?';
        c += bytes > 0 ? bytes : 1;
    }
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
