/*
 * table_file.c - reads the text of a tone table, doc/table-format.md.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "halftone/internal.h"

#define FORMAT_LINE "halftone-table 1"
#define CLASSES 26   /* A..Z */
#define MAX_FIELDS 8 /* "tone N CLASS t_u avoid w w w w" after the keyword */
#define MAX_LINE 256

struct parser {
    ht_tone_t tone[HT_TONES];
    bool seen[HT_TONES];
    int column[CLASSES][HT_TAPS]; /* [0] is 0 while a class is undefined */
};

/* A decimal number without exponent, at most nine digits behind the point:
 * strtod() would read the point of the user's locale. */
static bool parse_decimal(const char *text, double *out)
{
    double value = 0, scale = 1;
    int whole = 0, fraction = 0;

    for (; *text >= '0' && *text <= '9' && whole < 9; text++, whole++)
        value = value * 10 + (*text - '0');
    if (*text == '.')
        for (text++; *text >= '0' && *text <= '9' && fraction < 9;
             text++, fraction++) {
            value = value * 10 + (*text - '0');
            scale *= 10;
        }
    *out = value / scale;
    return *text == '\0' && whole > 0;
}

static bool parse_integer(const char *text, long low, long high, int *out)
{
    char *end;
    long value = strtol(text, &end, 10);

    if (end == text || *end != '\0' || value < low || value > high)
        return false;
    *out = (int)value;
    return true;
}

/* Splits a line at blanks, in place. More than `most` fields: most + 1. */
static int split(char *line, char *field[], int most)
{
    int count = 0;

    for (char *rest = line, *word; count <= most; count++) {
        word = strtok_r(count == 0 ? line : NULL, " \t\r", &rest);
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

/* class NAME 0,1 1,COLUMN 1,COLUMN 1,0 */
static bool parse_class(struct parser *p, char *field[], int count)
{
    int name;

    if (count != 5 || !parse_class_name(field[0], &name) ||
        p->column[name][0] != 0 || strcmp(field[1], "0,1") != 0 ||
        strcmp(field[4], "1,0") != 0)
        return false;
    for (unsigned k = 1; k < HT_TAPS - 1; k++)
        if (strncmp(field[1 + k], "1,", 2) != 0 ||
            !parse_integer(field[1 + k] + 2, -HT_REACH, 1, &p->column[name][k]))
            return false;
    p->column[name][0] = 1;
    return true;
}

/* tone NUMBER CLASS t_u avoid w w w w */
static bool parse_tone(struct parser *p, char *field[], int count)
{
    int number, class;

    if (count != 8 || !parse_integer(field[0], 0, HT_TONES - 1, &number) ||
        p->seen[number] || !parse_class_name(field[1], &class) ||
        p->column[class][0] == 0)
        return false;

    ht_tone_t *tone = &p->tone[number];
    if (!parse_decimal(field[2], &tone->t_upper) ||
        !parse_decimal(field[3], &tone->avoid))
        return false;
    for (unsigned k = 0; k < HT_TAPS; k++) {
        tone->column[k] = p->column[class][k];
        if (!parse_decimal(field[4 + k], &tone->weight[k]))
            return false;
    }
    p->seen[number] = true;
    return ht_tone_valid(tone);
}

/* Lines that say who made the table, and empty lines and comments, pass. */
static bool parse_line(struct parser *p, char *line)
{
    static const char *const provenance[] = {"name", "made-by", "seed", "cost"};
    char *field[MAX_FIELDS + 1] = {NULL};
    char *keyword = line + strspn(line, " \t\r");

    if (*keyword == '\0' || *keyword == '#')
        return true;
    for (size_t i = 0; i < sizeof provenance / sizeof provenance[0]; i++) {
        size_t length = strlen(provenance[i]);
        if (strncmp(keyword, provenance[i], length) == 0 &&
            keyword[length] == ' ')
            return true;
    }

    int count = split(keyword, field, MAX_FIELDS + 1) - 1;
    if (strcmp(field[0], "class") == 0)
        return parse_class(p, field + 1, count);
    return strcmp(field[0], "tone") == 0 && parse_tone(p, field + 1, count);
}

static bool parse_text(struct parser *p, const char *text, size_t size,
                       unsigned *line)
{
    char buffer[MAX_LINE];

    for (*line = 1; size > 0; ++*line) {
        const char *end = memchr(text, '\n', size);
        size_t length = end ? (size_t)(end - text) : size;

        if (length >= sizeof buffer || memchr(text, '\0', length) != NULL)
            return false;
        memcpy(buffer, text, length);
        buffer[length] = '\0';
        if (*line == 1 ? strcmp(buffer, FORMAT_LINE) != 0
                       : !parse_line(p, buffer))
            return false;
        size -= end ? length + 1 : length;
        text += end ? length + 1 : length;
    }
    for (unsigned i = 0; i < HT_TONES; i++)
        if (!p->seen[i])
            return false;
    return true;
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
    if (size <= HT_MAX_TABLE_BYTES && parse_text(p, text, size, &number)) {
        status = ht_table_new(out, p->tone, NULL);
        number = 0; /* what is wrong now is in no line alone */
    }
    free(p);
    if (line != NULL)
        *line = number;
    return status;
}

/* Reads up to `capacity` bytes of a regular file; -1 with errno set. */
static ssize_t read_file(const char *path, char *text, size_t capacity)
{
    struct stat info;
    ssize_t size = -1, got = 1;
    int fd = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);

    if (fd < 0)
        return -1;
    if (fstat(fd, &info) == 0 && !S_ISREG(info.st_mode))
        errno = EINVAL;
    else
        for (size = 0; got > 0 && (size_t)size < capacity; size += got) {
            got = read(fd, text + size, capacity - (size_t)size);
            if (got < 0)
                break;
        }
    int error = errno;
    close(fd);
    errno = error;
    return got < 0 ? -1 : size;
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

    ssize_t size = read_file(path, text, HT_MAX_TABLE_BYTES + 1);
    ht_status_t status =
        size < 0 ? HT_ERR_FILE : ht_table_parse(out, text, (size_t)size, line);
    free(text);
    return status;
}
