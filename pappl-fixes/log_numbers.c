/*
 * log_numbers.c - PAPPL's log has the numbers of its messages.
 *
 * PAPPL 1.3 (log.c:568-593) gives snprintf() a size that is negative, and so
 * reaches behind the end of memory. With glibc 2.43 the last digit of each
 * number is missing then. So PAPPL gets messages without numbers.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include "pappl-fixes/log_numbers.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "pappl-fixes/replaced.h"

static int print_integer(char *to, size_t size, const char *spec, size_t longs,
                         va_list *arguments)
{
    if (longs == 0) {
        const int value = va_arg(*arguments, int);

        return snprintf(to, size, spec, value);
    }
    if (longs == 1) {
        const long value = va_arg(*arguments, long);

        return snprintf(to, size, spec, value);
    }
    return snprintf(to, size, spec, va_arg(*arguments, long long));
}

/* Prints the argument of a conversion, `spec`, or for "%s" and "%%" the
 * conversion itself. Returns its length, or one that is too long for what
 * PAPPL and we do not know. */
static size_t print_one(char *to, size_t size, const char *spec,
                        va_list *arguments)
{
    const size_t length = strlen(spec);
    const char type = spec[length - 1];
    const size_t longs =
        length > 2 ? (spec[length - 2] == 'l') + (spec[length - 3] == 'l') : 0;
    int printed = -1;

    if (strcmp(spec, "%s") == 0 || strcmp(spec, "%%") == 0)
        printed = snprintf(to, size, "%s", spec);
    else if (strchr("diuxXo", type) != NULL)
        printed = print_integer(to, size, spec, longs, arguments);
    else if (strchr("fge", type) != NULL && longs == 0)
        printed = snprintf(to, size, spec, va_arg(*arguments, double));
    return printed < 0 ? size : (size_t)printed;
}

/* False where the line has no room, or a conversion is neither a number nor
 * "%s". */
static bool print_numbers(struct log_line *line, const char *format,
                          va_list *arguments)
{
    size_t used = 0, strings = 0;

    while (*format != '\0') {
        const size_t before = strcspn(format, "%");
        const size_t length =
            format[before] == '\0'
                ? 0
                : strspn(format + before + 1, " -+#0123456789.l") + 2;
        char spec[16];

        if (before >= sizeof line->format - used || length >= sizeof spec)
            return false;
        memcpy(line->format + used, format, before);
        used += before;
        line->format[used] = '\0';
        format += before;
        if (length == 0)
            return true;
        snprintf(spec, length + 1, "%s", format);
        used += print_one(line->format + used, sizeof line->format - used, spec,
                          arguments);
        if (used >= sizeof line->format)
            return false;
        format += length;
        if (strcmp(spec, "%s") != 0)
            continue;
        if (strings == LOG_STRINGS)
            return false;
        line->string[strings++] = va_arg(*arguments, const char *);
    }
    return true;
}

void log_numbers(struct log_line *line, const char *format, va_list arguments)
{
    va_list again, numbers;

    *line = (struct log_line){.string = {""}};
    va_copy(again, arguments);
    va_copy(numbers, arguments);
    if (!print_numbers(line, format, &numbers)) {
        vsnprintf(line->text, sizeof line->text, format, again);
        strcpy(line->format, "%s");
        line->string[0] = line->text;
    }
    va_end(numbers);
    va_end(again);
}

/* Begins a warning of each printer at each start: PAPPL's own icons will do. */
static const char no_icons[] = "Driver does not provide printer icons";

/* Defines a function of PAPPL's that logs for `type`. */
#define LOG(name, type)                                                        \
    void name(type *object, pappl_loglevel_t level, const char *format, ...)   \
    {                                                                          \
        struct log_line line;                                                  \
        va_list arguments;                                                     \
                                                                               \
        if (strncmp(format, no_icons, sizeof no_icons - 1) == 0)               \
            return;                                                            \
        va_start(arguments, format);                                           \
        log_numbers(&line, format, arguments);                                 \
        va_end(arguments);                                                     \
        REAL(name)(object, level, LOG_LINE(line));                             \
    }

LOG(papplLog, pappl_system_t)
LOG(papplLogClient, pappl_client_t)
LOG(papplLogPrinter, pappl_printer_t)
