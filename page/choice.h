/*
 * choice.h - finds the choices of a job and of its queue's PPD, not checked
 * yet.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef PAGE_CHOICE_H
#define PAGE_CHOICE_H

#include <stdbool.h>

#include <cups/cups.h>
#include <cups/ppd.h>

#include "page/curve.h"

#define CHOICE_MAX_VALUE 255 /* of any, in a message */
#define CHOICE_MAX_PATH 1024 /* bytes, of a file that one names */

/* Sources of choices. */
struct choices {
    ppd_file_t *ppd; /* marked; may be NULL */
    int count;
    cups_option_t *options; /* of the job */
    int queue_count;
    cups_option_t *queue; /* where there is no PPD, its choices */
    /* Folder of its curves, and its name; NULL: the environment has them. */
    const char *own, *name;
    /* paper_file_choose() loads it. */
    int paper_count;
    cups_option_t *paper;
    bool paper_curved; /* it has a curve */
    struct curve paper_curve;
};

/* Parses the job's options and reads the PPD that the environment names, if it
 * does. False after an ERROR line about a PPD that cannot be used; one that is
 * not there or empty is a WARNING line, and none. Loses options where there is
 * no memory: see memory.h. Whatever it returned, call choices_close(). */
bool choices_open(struct choices *from, const char *text);
void choices_close(struct choices *from);

/* The job's choice, or NULL. Strings last until choices_close(). */
const char *choice_of_job(const struct choices *from, const char *keyword);

/* Returns the choice that is marked in the queue's PPD, the job's if it has
 * one; if the PPD has no such option, the value of its attribute; or NULL. */
const char *choice_of_queue(const struct choices *from, const char *keyword);

/* Returns the value of the attribute that the queue's PPD has for the marked
 * choice of `option`, as "*KEYWORD CHOICE: VALUE"; else choice_of_queue(). */
const char *choice_of_queue_at(const struct choices *from, const char *keyword,
                               const char *option);

/* Whether the queue's PPD has a filter that packs our dots for the printer. */
bool choice_has_packer(const struct choices *from);

/* Whether the queue's PPD says that its filter of CUPS raster makes `type`: the
 * cupsFilter2 of the least cost, if there are several. */
bool choice_makes(const struct choices *from, const char *type);

/* Whether a filter of that name is Gutenprint's: halftonetogutenprint starts no
 * other, whatever the PPD says. */
bool choice_is_gutenprint(const char *program);

/* Whether both are equal, whatever their case. NULL is equal to nothing. */
bool choice_is(const char *value, const char *expected);

#define CHOICE_CUSTOM_BYTES 32 /* of any float or int, and a NUL */

/* Takes the number out of a value that was entered where a PPD's option takes
 * any: "Custom.1.3" of a job, or the choice "Custom" of a PPD, whose parameter
 * is printed to `text`. Returns other values as they are. */
const char *choice_custom(const struct choices *from, const char *keyword,
                          const char *value, char text[CHOICE_CUSTOM_BYTES]);

/* The folder in whose rastertohalftone/ curves are that were made for this
 * system's printers, and the queue's name; NULL: not known. */
const char *choice_own_directory(const struct choices *from);
const char *choice_queue_name(const struct choices *from);

/* CUPS's data directory, in whose rastertohalftone/ tables and curves are, and
 * its directory of programs, in whose filter/ packers are. */
const char *choice_data_directory(void);
const char *choice_program_directory(void);

#endif
