/*
 * text.c - splits a PPD into statements, and joins them.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ppd/convert/text.h"

/* ---- Splitting ----------------------------------------------------------- */

/* The end of a line, behind the CR, LF or both that end it. */
static const char *line_end(const char *at, const char *end)
{
    while (at < end && *at != '\n' && *at != '\r')
        at++;
    if (end - at >= 2 && at[0] == '\r' && at[1] == '\n')
        at++;
    return at < end ? at + 1 : end;
}

static const char *skip_blanks(const char *at, const char *end)
{
    while (at < end && (*at == ' ' || *at == '\t'))
        at++;
    return at;
}

static const char *find(const char *at, const char *end, const char *set)
{
    while (at < end && (*at == '\0' || strchr(set, *at) == NULL))
        at++;
    return at;
}

/* A copy without the blanks at its end. */
static char *copy(const char *from, const char *to)
{
    while (to > from && strchr(" \t\r\n", to[-1]) != NULL)
        to--;
    return strndup(from, (size_t)(to - from));
}

/* Goes over the *End that follows a value of several lines. */
static const char *take_end(const char *at, const char *end)
{
    if (end - at >= 4 && strncmp(at, "*End", 4) == 0 &&
        find(at, end, "\r\n") == skip_blanks(at + 4, end))
        return line_end(at, end);
    return at;
}

/* Reads the value, which begins behind "at", in a line that ends at `eol`.
 * Returns the end of the statement. */
static const char *read_value(struct ppd_statement *statement, const char *at,
                              const char *eol, const char *end)
{
    at = skip_blanks(at, eol);
    if (at == eol || *at != '"') {
        statement->value = copy(at, eol);
        return eol;
    }
    const char *quote = find(at + 1, end, "\"");
    statement->value = copy(at + 1, quote);
    return quote < eol ? eol : take_end(line_end(quote, end), end);
}

/* Reads what is at `at`. Returns its end. */
static const char *read_statement(struct ppd_statement *statement,
                                  const char *at, const char *end)
{
    const char *eol = line_end(at, end), *colon = find(at, eol, ":");
    const char *after = eol;

    if (*at == '*' && end - at >= 2 && at[1] != '%' && colon < eol) {
        const char *keyword = find(at, colon, " \t/");
        const char *option = skip_blanks(keyword, colon);
        statement->keyword = copy(at + 1, keyword);
        statement->option = copy(option, find(option, colon, "/"));
        after = read_value(statement, colon + 1, eol, end);
    } else {
        statement->keyword = copy(at, at);
        statement->option = copy(at, at);
        statement->value = copy(at, at);
    }
    statement->raw = at;
    statement->size = (size_t)(after - at);
    return after;
}

static bool is_whole(const struct ppd_statement *statement)
{
    return statement->keyword != NULL && statement->option != NULL &&
           statement->value != NULL;
}

bool ppd_text_split(struct ppd_text *text, const char *bytes, size_t size)
{
    const char *at = bytes, *end = bytes + size;
    size_t room = 0;

    *text = (struct ppd_text){.statements = NULL};
    const char *eol = line_end(bytes, end);
    text->carriage = eol - bytes >= 2 && eol[-2] == '\r';
    while (at < end) {
        if (text->count == room) {
            room = room * 2 + 256;
            struct ppd_statement *more =
                realloc(text->statements, room * sizeof *more);
            if (more == NULL)
                return false;
            text->statements = more;
        }
        struct ppd_statement *statement = &text->statements[text->count++];
        *statement = (struct ppd_statement){.raw = NULL};
        at = read_statement(statement, at, end);
        if (!is_whole(statement))
            return false;
    }
    return true;
}

void ppd_text_free(struct ppd_text *text)
{
    for (size_t i = 0; i < text->count; i++) {
        free(text->statements[i].keyword);
        free(text->statements[i].option);
        free(text->statements[i].value);
        free(text->statements[i].instead);
    }
    free(text->statements);
    free(text->more);
    *text = (struct ppd_text){.statements = NULL};
}

/* ---- Editing ------------------------------------------------------------- */

bool ppd_text_is(const struct ppd_statement *statement, const char *keyword)
{
    return strcmp(statement->keyword, keyword) == 0 &&
           (statement->instead == NULL || statement->instead[0] != '\0');
}

/* Joins `before`, which is freed, and the lines that are printed; NULL without
 * memory. */
static char *print_after(char *before, const char *format, va_list values)
{
    char *lines = NULL, *all = NULL;

    if (vasprintf(&lines, format, values) < 0)
        lines = NULL;
    else if (asprintf(&all, "%s%s", before == NULL ? "" : before, lines) < 0)
        all = NULL;
    free(lines);
    free(before);
    return all;
}

void ppd_text_remove(struct ppd_text *text, struct ppd_statement *statement)
{
    free(statement->instead);
    statement->instead = strdup("");
    if (statement->instead == NULL)
        text->out_of_room = true;
}

void ppd_text_replace(struct ppd_text *text, struct ppd_statement *statement,
                      const char *format, ...)
{
    va_list values;

    va_start(values, format);
    free(statement->instead);
    statement->instead = print_after(NULL, format, values);
    va_end(values);
    if (statement->instead == NULL)
        text->out_of_room = true;
}

void ppd_text_append(struct ppd_text *text, const char *format, ...)
{
    va_list values;

    va_start(values, format);
    text->more = print_after(text->more, format, values);
    va_end(values);
    if (text->more == NULL)
        text->out_of_room = true;
}

/* ---- Joining ------------------------------------------------------------- */

/* Writes lines of ours, which end as those of the PPD do. */
static void write_lines(FILE *out, const char *lines, bool carriage)
{
    for (; *lines != '\0'; lines++) {
        if (*lines == '\n' && carriage)
            fputc('\r', out);
        fputc(*lines, out);
    }
}

char *ppd_text_join(const struct ppd_text *text, size_t *size)
{
    char *bytes = NULL;
    FILE *out = text->out_of_room ? NULL : open_memstream(&bytes, size);
    char last = '\n';

    if (out == NULL)
        return NULL;
    for (size_t i = 0; i < text->count; i++) {
        const struct ppd_statement *statement = &text->statements[i];
        if (statement->instead != NULL) {
            write_lines(out, statement->instead, text->carriage);
            continue;
        }
        fwrite(statement->raw, 1, statement->size, out);
        last = statement->raw[statement->size - 1];
    }
    if (text->more != NULL) {
        if (last != '\n' && last != '\r')
            write_lines(out, "\n", text->carriage);
        write_lines(out, text->more, text->carriage);
    }
    bool ok = !ferror(out);
    if (fclose(out) == 0 && ok)
        return bytes;
    free(bytes);
    return NULL;
}
