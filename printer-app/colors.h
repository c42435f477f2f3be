/*
 * colors.h - turns the light of a job into ink, by profiles.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef PRINTER_APP_COLORS_H
#define PRINTER_APP_COLORS_H

#include "page/color/profile.h"
#include "page/color/table.h"
#include "page/choice.h"
#include "page/ink.h"
#include "page/option.h"
#include "printer-app/separate.h"

struct printer_colors {
    struct profile printer;  /* of no data: C, M and Y are complements */
    struct profile document; /* of no data: its light is sRGB */
    enum color_intent intent;
    struct color_table *table[COLOR_BY_PROFILE + 1]; /* made when needed */
};

/* Reads the profile that the job and its printer choose, the value of
 * OPTION_PROFILE, in the folders of choice.h. `intent` is the job's
 * print-rendering-intent; NULL or unknown: the default, relative with black
 * point compensation. False after an ERROR line. Call colors_close() whatever
 * it returned. */
bool colors_choose(struct printer_colors *colors, const struct choices *from,
                   const struct option_value *profile, const char *intent);
void colors_close(struct printer_colors *colors); /* {0} is allowed */

/* Takes the document's own RGB profile, of `size` bytes, for its light from now
 * on. One that is not valid is a WARNING line, and sRGB. */
void colors_of_document(struct printer_colors *colors, const void *icc,
                        size_t size);

/* Separates the light of a page by the profiles, if that is wanted. False after
 * an ERROR line. */
bool colors_separate(struct printer_colors *colors,
                     struct separation *separation);

/* Sets in `ink` the inks that black sRGB becomes; false after an ERROR line.
 * The job must have a profile, and `*colors` lasts as long. */
bool colors_black(struct printer_colors *colors, struct ink_settings *ink);

/* The same of all grays of sRGB: ink->axis. */
bool colors_grays(struct printer_colors *colors, struct ink_settings *ink);

#endif
