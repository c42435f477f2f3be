/*
 * form.c - the readings of a chart as the fields of a form.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "tools/calibrate/form.h"
#include "tools/calibrate/numbers.h"

#define SEPARATORS " \t\r\n;"
#define MOST_NUMBER 20 /* bytes: a sign, a point and 9 digits each side */

const struct form_unit form_units[FORM_UNITS] = {
    [READINGS_DENSITY] = {"density", "Density"},
    [READINGS_REFLECTANCE] = {"reflectance", "Reflectance"}};

static const struct ink {
    char letter;
    const char *field, *label;
} inks[] = {{'C', "ink-c", "Cyan"},
            {'M', "ink-m", "Magenta"},
            {'Y', "ink-y", "Yellow"},
            {'K', "ink-k", "Black"}};

/* A CSV that is being written. */
struct csv {
    char *text; /* [FORM_TEXT_BYTES] */
    size_t size;
    enum readings_unit unit;
};

static void append(struct csv *csv, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static void append(struct csv *csv, const char *format, ...)
{
    size_t room = FORM_TEXT_BYTES - csv->size;
    va_list arguments;

    va_start(arguments, format);
    int bytes = vsnprintf(csv->text + csv->size, room, format, arguments);
    va_end(arguments);
    assert(bytes >= 0 && (size_t)bytes < room);
    csv->size += (size_t)bytes;
}

struct form_field form_field(const struct chart *chart, unsigned number)
{
    const struct ink *ink =
        &inks[strchr(CHART_INKS, chart->inks[number]) - CHART_INKS];

    return (struct form_field){ink->letter, ink->field, ink->label,
                               chart->steps};
}

/* Takes a number off the list, with a point in the place of a comma; its length
 * is 0 at the end of the list. Text longer than a number is cut, but stays too
 * long for one. */
static size_t take_number(const char **list, char number[MOST_NUMBER + 2])
{
    *list += strspn(*list, SEPARATORS);

    size_t taken = strcspn(*list, SEPARATORS), length = taken;
    if (length > 1 && (*list)[length - 1] == ',') /* a separator */
        length--;
    if (length > MOST_NUMBER + 1)
        length = MOST_NUMBER + 1;
    memcpy(number, *list, length);
    number[length] = '\0';
    char *comma = strchr(number, ',');
    if (comma != NULL)
        *comma = '.';
    *list += taken;
    return length;
}

/* Writes the readings of an ink. */
static bool write_list(struct csv *csv, const struct form_field *field,
                       const char *list, struct refusal *refusal)
{
    char number[MOST_NUMBER + 2];
    double reflectance;
    unsigned count = 0;

    for (; take_number(&list, number) > 0; count++) {
        double percent = 100.0 * count / (field->numbers - 1);

        if (count == field->numbers)
            return refuse(refusal, 0, "%s has more than %u numbers",
                          field->label, field->numbers);
        const char *wrong = readings_value(csv->unit, number, &reflectance);
        if (wrong != NULL)
            return refuse(refusal, 0, "%s, number %u, of %.4g percent: %s",
                          field->label, count + 1, percent, wrong);
        append(csv, "%c,%.4g,%s\n", field->ink, percent, number);
    }
    if (count > 0 && count < field->numbers)
        return refuse(refusal, 0, "%s has %u numbers, not %u", field->label,
                      count, field->numbers);
    return true;
}

/* In any order, unlike cupsGetOption(); NULL when there is none. */
static const char *value_of(const char *name, int count,
                            const cups_option_t *fields)
{
    for (int i = 0; i < count; i++)
        if (strcmp(fields[i].name, name) == 0)
            return fields[i].value;
    return NULL;
}

static bool find_unit(const char *name, enum readings_unit *unit)
{
    for (int i = 0; i < FORM_UNITS && name != NULL; i++)
        if (strcmp(name, form_units[i].name) == 0) {
            *unit = (enum readings_unit)i;
            return true;
        }
    return false;
}

bool form_readings(const struct chart *chart, int count,
                   const cups_option_t *fields, char text[FORM_TEXT_BYTES],
                   struct refusal *refusal)
{
    struct csv csv = {.text = text};
    bool ok = true;

    if (!find_unit(value_of(FORM_UNIT, count, fields), &csv.unit))
        return refuse(refusal, 0, "neither densities nor reflectances");

    struct numbers numbers = numbers_begin();
    append(&csv, "ink,percent,%s\n", form_units[csv.unit].name);
    size_t names = csv.size;
    for (unsigned i = 0; ok && chart->inks[i] != '\0'; i++) {
        struct form_field field = form_field(chart, i);
        const char *list = value_of(field.name, count, fields);

        ok = list == NULL || write_list(&csv, &field, list, refusal);
    }
    numbers_end(numbers);
    if (ok && csv.size == names)
        return refuse(refusal, 0, "no measurements");
    return ok;
}
