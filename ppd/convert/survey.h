/*
 * survey.h - finds the raster that a PPD asks its RIP for, with any of its
 * choices: libcups interprets its code.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef PPD_CONVERT_SURVEY_H
#define PPD_CONVERT_SURVEY_H

#include <stdbool.h>

#include <cups/cups.h>
#include <cups/ppd.h>

#define SURVEY_MAX_OPTIONS 16
#define SURVEY_MAX_CHOICES 4096 /* of an option */
#define SURVEY_MAX_COMBINATIONS 20000

/* Work of a PPD: one for each marked option of a combination, and one for each
 * SURVEY_BYTES_OF_WORK bytes of its code; each takes a microsecond at most. */
#define SURVEY_BYTES_OF_WORK 32
#define SURVEY_MAX_WORK 1000000
#define SURVEY_WHY 256 /* bytes of a reason */

/* The fields of a raster header on which it depends whether raster is dots. */
enum survey_field { SURVEY_BITS, SURVEY_SPACE, SURVEY_ORDER, SURVEY_FIELDS };
#define SURVEY_UNSET (-1)

struct survey_choice {
    const char *name;
    int sets[SURVEY_FIELDS]; /* SURVEY_UNSET where it leaves a field alone */
    bool dropped;
};

/* An option with a choice that sets one of the fields. */
struct survey_option {
    const ppd_option_t *option;
    struct survey_choice *choices;
    int count;
};

struct survey {
    ppd_file_t *ppd;
    struct survey_option options[SURVEY_MAX_OPTIONS];
    int count;
    long combination_work; /* of one combination */
    long work;             /* of all that have been interpreted */
    char why[SURVEY_WHY];  /* why something is false */
};

/* Writes the reason, and returns false. */
bool survey_refuse(struct survey *survey, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Finds out what each choice sets. Nothing must be marked in the PPD yet.
 * False, with the reason, when there are too many; free in any case. */
bool survey_open(struct survey *survey, ppd_file_t *ppd);
void survey_free(struct survey *survey);

/*
 * Interprets the PPD once for each combination of choices that are not dropped
 * and differ in what they set; all other options have their defaults. `judge`
 * gets the fields of the header and, by option, the choices that are marked. It
 * may drop choices, whose other combinations are then left out; it returns
 * false, with the reason, to end the walk. False then, and when libcups does
 * not understand the code of a combination, or there are too many of them.
 */
typedef bool survey_judge_fn(struct survey *survey,
                             const int fields[SURVEY_FIELDS],
                             struct survey_choice *const marked[],
                             void *context);
bool survey_walk(struct survey *survey, survey_judge_fn *judge, void *context);

/* Returns the marked choice that determines a field of the header: the one
 * whose code runs last. NULL when none sets it. */
struct survey_choice *survey_setter(const struct survey *survey,
                                    struct survey_choice *const marked[],
                                    enum survey_field field);

/* Drops a choice, and those of its option that set the same. False when the
 * option has no other. */
bool survey_drop(struct survey *survey, struct survey_choice *choice);

/* The option's first choice that is not dropped, or NULL. */
const char *survey_first(const struct survey_option *option);

#endif
