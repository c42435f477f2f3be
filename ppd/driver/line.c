/*
 * line.c - "NAME" LANGUAGE "MAKE" "MODEL" "DEVICE ID" "PRODUCT"
 * "VERSION".
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <string.h>

#include "ppd/driver/line.h"

#define MOST 1800     /* bytes; cups-driverd takes lines of 2047 */
#define MOST_NAME 480 /* ... and names of 511 */

/* ---- Writing ------------------------------------------------------------- */

/* No quote, and no control character. */
static bool is_plain(unsigned char byte)
{
    return byte >= ' ' && byte != 0x7f && byte != '"';
}

static void write_quoted(FILE *out, const char *text, const char *suffix)
{
    putc('"', out);
    for (; *text != '\0'; text++)
        putc(is_plain((unsigned char)*text) ? *text : '?', out);
    fprintf(out, "%s\"", suffix);
}

static bool is_name(const char *name)
{
    size_t length = 0;

    while (is_plain((unsigned char)name[length]))
        length++;
    return name[length] == '\0' && length > 0 && length <= MOST_NAME;
}

static bool is_language(const char *language)
{
    return language[0] != '\0' && strlen(language) <= 40 &&
           language[strspn(language, "abcdefghijklmnopqrstuvwxyz"
                                     "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                     "0123456789_-")] == '\0';
}

void line_write(FILE *out, const struct driver_model *model, const char *suffix)
{
    size_t length = strlen(model->make) + strlen(model->model) +
                    strlen(model->device_id) + strlen(model->product) +
                    strlen(model->version);

    if (!is_name(model->name) || length > MOST - MOST_NAME - 150)
        return;
    fprintf(out, "\"" DRIVER_SCHEME "%s\" %s ", model->name,
            is_language(model->language) ? model->language : "en");
    write_quoted(out, model->make, "");
    putc(' ', out);
    write_quoted(out, model->model, suffix);
    putc(' ', out);
    write_quoted(out, model->device_id, "");
    putc(' ', out);
    write_quoted(out, model->product, "");
    putc(' ', out);
    write_quoted(out, model->version, "");
    putc('\n', out);
}

/* ---- Checking ------------------------------------------------------------ */

/* Takes a quoted text, and what is between it and the next. */
static bool take_quoted(const char **line)
{
    if (*(*line)++ != '"')
        return false;
    while (is_plain((unsigned char)**line))
        ++*line;
    if (*(*line)++ != '"')
        return false;
    *line += **line == ' ';
    return true;
}

bool line_is_valid(const char *line, size_t size)
{
    char text[MOST + 1];
    const char *rest = text;

    if (size > MOST || memchr(line, '\0', size) != NULL)
        return false;
    memcpy(text, line, size);
    text[size] = '\0';
    if (strncmp(text, "\"" DRIVER_SCHEME, sizeof DRIVER_SCHEME) != 0 ||
        !take_quoted(&rest))
        return false;
    size_t language = strcspn(rest, " \"");
    rest += language;
    if (language == 0 || *rest++ != ' ')
        return false;
    for (int i = 0; i < 5; i++)
        if (!take_quoted(&rest))
            return false;
    return *rest == '\0';
}
