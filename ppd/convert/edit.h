/*
 * edit.h - edits the text of a converted PPD, except its filters.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef PPD_CONVERT_EDIT_H
#define PPD_CONVERT_EDIT_H

#include "ppd/convert/survey.h"
#include "ppd/convert/text.h"

/* Tells whether `choices` choices can be removed within a second: each is
 * looked for in all statements. */
bool edit_can_drop(const struct ppd_text *text, size_t choices);

/* Puts the default resolution before the others: CUPS tells the clients of a
 * shared queue the first one alone for raster. */
void edit_resolution_first(struct ppd_text *text, ppd_file_t *ppd);

/* Puts a choice before the others of its option. */
void edit_choice_first(struct ppd_text *text, const char *option,
                       const char *choice);

/* Makes a choice the default of its option, Gutenprint's, too. */
void edit_set_default(struct ppd_text *text, const char *option,
                      const char *choice);

/* Whether the keyword is that of an option, or of a translation of it; or of
 * constraints and presets. */
bool edit_is_option(const struct ppd_statement *statement, const char *option);
bool edit_is_list(const struct ppd_statement *statement);

/* Removes the choices that are dropped, and what depends on them; a default
 * that was one of them becomes the first choice that is left. */
void edit_drop_choices(struct ppd_text *text, const struct survey *survey);

/* Removes a choice, and what depends on it; if it was the default, `left` is.
 */
void edit_drop_choice(struct ppd_text *text, const char *option,
                      const char *choice, const char *left);

/* Appends ", DOTS dots" to the name by which CUPS lists the PPD, and by which
 * an upgrade of the driver would replace it. */
void edit_name(struct ppd_text *text, const char *dots);

/* Declares the printer monochrome, if no choice with color is left. */
void edit_no_color(struct ppd_text *text);

/* Adds our options, in the languages that the PPD has: HalftoneBits, whose code
 * runs after all other code and makes the RIP render 8 bits, and
 * HalftoneContent, with the preset of label printers if `label`, and
 * HalftoneDrops if `sized`, and those of all inks if `inks`. */
void edit_add_options(struct ppd_text *text, bool label, bool sized, bool inks);

/* Has cups-filters fill shapes exactly, unless the PPD says how: it fills the
 * pixels whose centers they cover, so that bars are as wide as drawn. */
void edit_fill_exactly(struct ppd_text *text);

#endif
