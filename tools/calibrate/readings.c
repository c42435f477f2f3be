/*
 * readings.c - readings of a chart's patches, from a CSV.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <assert.h>
#include <ctype.h>
#include <math.h>
#include <string.h>
#include <strings.h>

#include "halftone/base/text.h"
#include "tools/calibrate/readings.h"

#define MAX_LINE 1022                  /* bytes of a line, without its end */
#define MAX_FIELDS (MAX_LINE + 1)      /* no line has more */
#define BYTE_ORDER_MARK "\xef\xbb\xbf" /* of UTF-8, as some programs write */

/* The columns of the CSV and which are used; -1 = it has none such. */
struct csv_columns {
    char between; /* them: a comma, a semicolon or a tab */
    int count;
    int ink, percent, density, reflectance;
};

/* ---- Lines and fields --------------------------------------------------- */

/* Takes a line off the text, without its line feed. False when there is none
 * that a CSV may have: the line is too long or has a NUL. */
static bool take_line(const char **text, size_t *size, char line[MAX_LINE + 1])
{
    const char *end = memchr(*text, '\n', *size);
    size_t length = end ? (size_t)(end - *text) : *size;

    if (length > MAX_LINE || memchr(*text, '\0', length) != NULL)
        return false;
    memcpy(line, *text, length);
    line[length] = '\0';
    *text += end ? length + 1 : length;
    *size -= end ? length + 1 : length;
    return true;
}

/* Returns what is between the columns of a line of names: the first of these
 * that is not quoted, or a comma if the line has none. */
static char find_between(const char *line)
{
    bool quoted = false;

    for (; *line != '\0'; line++)
        if (*line == '"')
            quoted = !quoted;
        else if (!quoted && strchr(",;\t", *line) != NULL)
            return *line;
    return ',';
}

/* Takes a field off a line, and goes behind what is between it and the next;
 * `*rest` is NULL after the last one. The blanks around it go, quotes, and one
 * of two inside. */
static char *take_field(char **rest, char between)
{
    const char *blanks = between == '\t' ? " " : TEXT_BLANKS;
    char *field = *rest + strspn(*rest, blanks), *from = field;
    char *to = field;

    if (*field == '"') {
        for (from++; *from != '\0'; *to++ = *from++)
            if (*from == '"' && *++from != '"')
                break;
    }
    while (*from != '\0' && *from != between)
        *to++ = *from++;
    *rest = *from == between ? from + 1 : NULL;
    while (to > field && strchr(blanks, to[-1]) != NULL)
        to--;
    *to = '\0';
    return field;
}

/* Splits in place; returns the number of fields, at most `most`. */
static int split(char *line, char between, char *field[], int most)
{
    int count = 0;

    line[strcspn(line, "\r")] = '\0';
    for (char *rest = line; rest != NULL && count < most;)
        field[count++] = take_field(&rest, between);
    return count;
}

/* Returns the field with a decimal point in place of a comma. */
static const char *with_point(char *field)
{
    char *comma = strchr(field, ',');

    if (comma != NULL)
        *comma = '.';
    return field;
}

/* ---- Readings ----------------------------------------------------------- */

/* Reasons to refuse a line. */
#define NO_HEADER                                                              \
    "not a CSV's line of names: ink, percent, and density or reflectance"
#define NO_LINE "not as many fields as the first line has, or too long"
#define NO_INK "the ink is not C, M, Y or K"
#define NO_PERCENT "the percent is not a number from 0 to 100"
#define NO_DENSITY "the density is not a number from -10 to 10"
#define NO_REFLECTANCE "the reflectance is not a number from 0 to 1000"
#define TOO_MANY "more than 64 tones of an ink"
static_assert(CURVE_MAX_POINTS == 64, "TOO_MANY says so");

/* Reads the first line. Returns what is wrong with it, NULL = nothing. */
static const char *read_columns(struct csv_columns *columns, char *line)
{
    static const char mark[] = BYTE_ORDER_MARK;
    char *names =
        line + (strncmp(line, mark, strlen(mark)) == 0 ? strlen(mark) : 0);
    const char between = find_between(names);
    char *field[MAX_FIELDS];
    int count = split(names, between, field, MAX_FIELDS);

    *columns = (struct csv_columns){between, count, -1, -1, -1, -1};
    for (int i = 0; i < count; i++) {
        if (strcasecmp(field[i], "ink") == 0)
            columns->ink = i;
        else if (strcasecmp(field[i], "percent") == 0)
            columns->percent = i;
        else if (strcasecmp(field[i], "density") == 0)
            columns->density = i;
        else if (strcasecmp(field[i], "reflectance") == 0)
            columns->reflectance = i;
    }
    return columns->ink >= 0 && columns->percent >= 0 &&
                   (columns->density >= 0) != (columns->reflectance >= 0)
               ? NULL
               : NO_HEADER;
}

/* Puts a reading among those of its ink; false when there are too many. */
static bool add(struct readings_ink *ink, double tone, double reflectance)
{
    unsigned i = 0;

    while (i < ink->steps && ink->tone[i] < tone)
        i++;
    if (i == ink->steps || ink->tone[i] > tone) {
        if (ink->steps == CURVE_MAX_POINTS)
            return false;
        for (unsigned j = ink->steps++; j > i; j--) {
            ink->tone[j] = ink->tone[j - 1];
            ink->sum[j] = ink->sum[j - 1];
            ink->count[j] = ink->count[j - 1];
        }
        ink->tone[i] = tone;
        ink->sum[i] = 0;
        ink->count[i] = 0;
    }
    ink->sum[i] += reflectance;
    ink->count[i]++;
    return true;
}

const char *readings_value(enum readings_unit unit, const char *text,
                           double *reflectance)
{
    double value;

    if (unit == READINGS_REFLECTANCE)
        return text_decimal(text, 0, 1000, reflectance) ? NULL : NO_REFLECTANCE;

    /* Above paper, a lighter spot of it is below 0. */
    bool negative = text[0] == '-';
    if (!text_decimal(text + negative, 0, 10, &value))
        return NO_DENSITY;
    *reflectance = pow(10, negative ? value : -value);
    return NULL;
}

/* Reads another line. Returns what is wrong with it, NULL = nothing. */
static const char *read_row(struct readings *readings,
                            const struct csv_columns *columns, char *line)
{
    bool dense = columns->density >= 0;
    char *field[MAX_FIELDS];
    int count = split(line, columns->between, field, MAX_FIELDS);
    double tone, reflectance;

    if (count == 1 && field[0][0] == '\0')
        return NULL;
    if (count != columns->count) /* one more for a decimal comma, say */
        return NO_LINE;
    const char *name = field[columns->ink];
    const char *letter = strchr(CURVE_LETTERS, toupper((unsigned char)name[0]));
    if (name[0] == '\0' || name[1] != '\0' || letter == NULL)
        return NO_INK;
    if (!text_decimal(with_point(field[columns->percent]), 0, 100, &tone))
        return NO_PERCENT;
    const char *wrong = readings_value(
        dense ? READINGS_DENSITY : READINGS_REFLECTANCE,
        with_point(field[dense ? columns->density : columns->reflectance]),
        &reflectance);
    if (wrong != NULL)
        return wrong;
    return add(&readings->ink[letter - CURVE_LETTERS], tone / 100, reflectance)
               ? NULL
               : TOO_MANY;
}

static bool is_empty(const struct readings *readings)
{
    for (unsigned i = 0; i < CURVE_INKS; i++)
        if (readings->ink[i].steps > 0)
            return false;
    return true;
}

bool readings_parse(struct readings *readings, const char *text, size_t size,
                    struct refusal *refusal)
{
    struct csv_columns columns = {',', 0, -1, -1, -1, -1};
    char line[MAX_LINE + 1];

    *readings = (struct readings){0};
    if (size > READINGS_MOST_BYTES)
        return refuse(refusal, 0, "more than 1 MiB");
    for (unsigned number = 1; size > 0; number++) {
        const char *wrong = !take_line(&text, &size, line) ? NO_LINE
                            : number == 1 ? read_columns(&columns, line)
                                          : read_row(readings, &columns, line);

        if (wrong != NULL)
            return refuse(refusal, number, "%s", wrong);
    }
    return !is_empty(readings) || refuse(refusal, 0, "no measurements");
}
