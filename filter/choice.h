/*
 * choice.h - choices of the job and of the queue's PPD, and what they may be.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef FILTER_CHOICE_H
#define FILTER_CHOICE_H

#include <stdbool.h>
#include <stdint.h>

#include <cups/cups.h>
#include <cups/ppd.h>

#define CHOICE_MAX_NAME 64   /* characters, of a table or curve */
#define CHOICE_MAX_VALUE 255 /* of any, in a message */
#define CHOICE_MAX_PATH 1024 /* bytes, of a file that one names */

/* Where a choice comes from. */
struct choices {
    ppd_file_t *ppd; /* marked; may be NULL */
    int count;
    cups_option_t *options; /* of the job */
};

/* Parses the job's options and opens the PPD of the environment, if there is
 * one: one that cannot be used is a WARNING line. Free with choices_close(). */
void choices_open(struct choices *from, const char *text);
void choices_close(struct choices *from);

/* The job's choice, or NULL. Strings last until choices_close(). */
const char *choice_of_job(const struct choices *from, const char *keyword);

/* The choice of the queue's PPD, with the job's marked, in which an attribute
 * will do where there is no option of the name; or NULL. */
const char *choice_of_queue(const struct choices *from, const char *keyword);

/* The job's choice, else the queue's; or NULL. */
const char *choice_of(const struct choices *from, const char *keyword);

/* Whether the queue's PPD has a filter that packs our dots for the printer. */
bool choice_has_packer(const struct choices *from);

/* Whether they are equal but for capitals; NULL is equal to nothing. */
bool choice_is(const char *value, const char *expected);

/* An ERROR line; false. */
bool choice_unknown(const char *keyword, const char *value);

/* A number low..high, that is divided by `unit`; stays as it is when nobody
 * says one. It may be the number of a custom option: "Custom.1.3". False after
 * an ERROR line when it is none. */
bool choice_number(const struct choices *from, const char *keyword, double low,
                   double high, double unit, double *out);

/* The same for a whole number up to `most`, at most 9 digits. */
bool choice_count(const struct choices *from, const char *keyword,
                  unsigned long most, uint32_t *number);

/* Whether this may be a part of a file's name: letters, digits, - and _, at
 * most CHOICE_MAX_NAME. */
bool choice_is_plain_name(const char *name);

/* CUPS's data directory, in whose rastertohalftone/ tables and curves are. */
const char *choice_data_directory(void);

#endif
