/*
 * table_file.c - reads the text of a tone table, doc/dev/table-format.md.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "halftone/definition.h"
#include "halftone/base/text.h"

#define FORMAT_LINE "halftone-table " /* and the version, */
#define FORMAT_VERSION '4'
#define OLDER_VERSIONS "123"
#define CLASSES 26    /* A..Z */
#define TONE_FIELDS 9 /* "tone N CLASS t_u t_l begin w w w w", but "tone" */
#define MAX_FIELDS 10 /* with the feedback */

struct parser {
    ht_tone_t tone[HT_TONES];
    bool seen[HT_TONES];
    int column[CLASSES][HT_TAPS]; /* [0] is 0 while a class is undefined */
    ht_rules_t rules;
    bool overlap, light; /* the lines that have been read */
};

/* Reads all of `text` as a whole number low..high. Refuses the blanks, plus
 * sign and leading zeros that strtol() would take. */
static bool parse_integer(const char *text, long low, long high, int *out)
{
    const char *digits = text + (*text == '-');
    size_t count = strspn(digits, "0123456789");
    long value = strtol(text, NULL, 10);

    if (count == 0 || digits[count] != '\0' ||
        (*digits == '0' && strcmp(text, "0") != 0) || value < low ||
        value > high)
        return false;
    *out = (int)value;
    return true;
}

/* Splits a line at blanks, in place, and returns how many fields there are; of
 * more than `most`, most + 1. */
static int split(char *line, char *field[], int most)
{
    int count = 0;

    for (char *rest = line, *word; count <= most; count++) {
        word = strtok_r(count == 0 ? line : NULL, TEXT_BLANKS, &rest);
        if (word == NULL)
            break;
        if (count < most)
            field[count] = word;
    }
    return count;
}

static bool parse_class_name(const char *text, int *out)
{
    *out = text[0] - 'A';
    return text[0] >= 'A' && text[0] <= 'Z' && text[1] == '\0';
}

/* Parses `class NAME 0,1 1,COLUMN 1,COLUMN 1,0`, whose columns differ and are
 * not 0. */
static bool parse_class(struct parser *p, char *field[], int count)
{
    int name;

    if (count != 5 || !parse_class_name(field[0], &name) ||
        p->column[name][0] != 0 || strcmp(field[1], "0,1") != 0 ||
        strcmp(field[4], "1,0") != 0)
        return false;
    for (unsigned k = 1; k < HT_TAPS - 1; k++)
        if (strncmp(field[1 + k], "1,", 2) != 0 ||
            !parse_integer(field[1 + k] + 2, -HT_REACH, 1,
                           &p->column[name][k]) ||
            p->column[name][k] == 0)
            return false;
    if (p->column[name][1] == p->column[name][2])
        return false;
    p->column[name][0] = 1;
    return true;
}

/* Parses `overlap FROM STEPS`. */
static bool parse_overlap(struct parser *p, char *field[], int count)
{
    bool again = p->overlap;

    p->overlap = true;
    return !again && count == 2 &&
           text_decimal(field[0], 0, 1, &p->rules.from) &&
           parse_integer(field[1], 0, HT_MAX_STEPS, &p->rules.steps);
}

/* Parses `light K C M Y`. */
static bool parse_light(struct parser *p, char *field[], int count)
{
    bool ok = !p->light && count == HT_LIGHTS;

    p->light = true;
    for (unsigned i = 0; ok && i < HT_LIGHTS; i++)
        ok = text_decimal(field[i], 0, 1, &p->rules.light[i]);
    return ok;
}

/* Parses `tone NUMBER CLASS t_u t_l begin w w w w`, with or without feedback
 * behind. */
static bool parse_tone(struct parser *p, char *field[], int count)
{
    int number, class;

    if (count < TONE_FIELDS || count > MAX_FIELDS ||
        !parse_integer(field[0], 0, HT_TONES - 1, &number) || p->seen[number] ||
        !parse_class_name(field[1], &class) || p->column[class][0] == 0)
        return false;

    ht_tone_t *tone = &p->tone[number];
    field += 2;
    if (!text_decimal(*field++, 0, 1, &tone->t_upper) ||
        !text_decimal(*field++, 0, 1, &tone->t_lower) ||
        !text_decimal(*field++, 0, 1, &tone->begin))
        return false;
    for (unsigned k = 0; k < HT_TAPS; k++) {
        tone->column[k] = p->column[class][k];
        if (!text_decimal(field[k], 0, 1, &tone->weight[k]))
            return false;
    }
    p->seen[number] = true;
    return (count == TONE_FIELDS ||
            text_decimal(field[HT_TAPS], 0, 1, &tone->feedback)) &&
           ht_tone_valid(tone);
}

/* Parses a line. Empty lines, comments, and lines that say who made the table
 * pass. */
static bool parse_line(struct parser *p, char *line)
{
    static const char *const provenance[] = {"name", "made-by", "seed", "cost"};
    char *field[MAX_FIELDS + 1] = {NULL};
    char *keyword = line + strspn(line, TEXT_BLANKS);

    if (*keyword == '\0' || *keyword == '#')
        return true;
    for (size_t i = 0; i < sizeof provenance / sizeof provenance[0]; i++)
        if (text_begins(keyword, provenance[i]))
            return true;

    int count = split(keyword, field, MAX_FIELDS + 1) - 1;
    if (strcmp(field[0], "class") == 0)
        return parse_class(p, field + 1, count);
    if (strcmp(field[0], "overlap") == 0)
        return parse_overlap(p, field + 1, count);
    if (strcmp(field[0], "light") == 0)
        return parse_light(p, field + 1, count);
    return strcmp(field[0], "tone") == 0 && parse_tone(p, field + 1, count);
}

/* Judges the first line, "halftone-table VERSION" and nothing else. */
static ht_status_t judge_format(const char *line)
{
    const char *version = line + strlen(FORMAT_LINE);

    if (strncmp(line, FORMAT_LINE, strlen(FORMAT_LINE)) != 0 ||
        *version == '\0' || version[1] != '\0')
        return HT_ERR_TABLE;
    if (strchr(OLDER_VERSIONS, *version) != NULL)
        return HT_ERR_FORMAT;
    return *version == FORMAT_VERSION ? HT_OK : HT_ERR_TABLE;
}

static ht_status_t parse_text(struct parser *p, const char *text, size_t size,
                              unsigned *line)
{
    struct text in = {.rest = text, .size = size};
    ht_status_t status = text_next(&in) ? judge_format(in.line) : HT_ERR_TABLE;
    bool ok = status == HT_OK;

    while (ok && text_next(&in))
        ok = parse_line(p, in.line);
    *line = in.number;
    if (status != HT_OK)
        return status;
    for (unsigned i = 0; i < HT_TONES; i++)
        ok = ok && p->seen[i];
    p->rules.together = p->overlap;
    return ok && in.size == 0 && p->overlap == p->light ? HT_OK : HT_ERR_TABLE;
}

ht_status_t ht_table_parse(ht_table_t **out, const char *text, size_t size,
                           unsigned *line)
{
    unsigned number = 0;

    if (out == NULL || (text == NULL && size > 0))
        return HT_ERR_ARGUMENT;

    struct parser *p = calloc(1, sizeof *p);
    if (p == NULL)
        return HT_ERR_MEMORY;

    ht_status_t status = HT_ERR_TABLE;
    if (size <= HT_MAX_TABLE_BYTES)
        status = parse_text(p, text, size, &number);
    if (status == HT_OK) {
        status = ht_table_new(out, p->tone, NULL, &p->rules);
        number = 0; /* what is wrong now is in no line alone */
    }
    free(p);
    if (line != NULL)
        *line = number;
    return status;
}

ht_status_t ht_table_load(ht_table_t **out, const char *path, unsigned *line)
{
    if (out == NULL || path == NULL)
        return HT_ERR_ARGUMENT;
    if (line != NULL)
        *line = 0;

    char *text = malloc(HT_MAX_TABLE_BYTES + 1);
    if (text == NULL)
        return HT_ERR_MEMORY;

    ssize_t size = text_read(path, text, HT_MAX_TABLE_BYTES + 1);
    ht_status_t status =
        size < 0 ? HT_ERR_FILE : ht_table_parse(out, text, (size_t)size, line);
    int error = errno; /* older C libraries' free() may change it */
    free(text);
    errno = error;
    return status;
}
