/*
 * form.h - the readings of a chart as the fields of a form, whoever shows it:
 * a list of numbers for each ink, in the order of its patches, the unit that
 * all are in, and the gain that the curve is to have.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef CALIBRATE_FORM_H
#define CALIBRATE_FORM_H

#include <cups/cups.h>

#include "tools/calibrate/chart.h"
#include "tools/calibrate/readings.h"

#define FORM_UNIT "unit" /* the field with the name of a unit */
#define FORM_GAIN "gain" /* in percent, as fit_gain() reads it */

#define FORM_TEXT_BYTES 8192u /* no form's CSV is longer, with its NUL */

/* The units, by enum readings_unit. */
#define FORM_UNITS 2
struct form_unit {
    const char *name;  /* the field's value, and the column of the CSV */
    const char *label; /* in English */
};
extern const struct form_unit form_units[FORM_UNITS];

/* The list of an ink. */
struct form_field {
    char ink;
    const char *name;  /* of the field */
    const char *label; /* in English */
    unsigned numbers;  /* that the list has, unless it is empty */
};

/* The field of ink `number` of a chart, from 0. */
struct form_field form_field(const struct chart *chart, unsigned number);

/*
 * Makes a CSV for readings_parse() of the fields, with a NUL. Numbers are
 * separated by blanks, line ends, semicolons, or commas with a blank behind; a
 * comma within a number is its decimal point. An ink whose list is empty, or
 * is not there, has not been measured. Refuses fields that are not what they
 * should be; says of which ink and patch. Fields with other names are ignored.
 */
bool form_readings(const struct chart *chart, int count,
                   const cups_option_t *fields, char text[FORM_TEXT_BYTES],
                   struct refusal *refusal);

#endif
