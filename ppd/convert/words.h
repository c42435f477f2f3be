/*
 * words.h - the names of our options in a PPD's languages.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef PPD_CONVERT_WORDS_H
#define PPD_CONVERT_WORDS_H

#include "ppd/convert/text.h"

/* Adds translations of those of our options and choices that have been added
 * to the PPD: in the languages that its cupsLanguages lists, or in all that we
 * have if it lists none. A language that we do not have gets English, since a
 * PPD has to have all texts in all languages of its list. */
void words_add(struct ppd_text *text);

#endif
