/*
 * lists.h - attributes of the printer or job that came last into a message,
 * which may have several, and lists of words among them.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef PAPPL_FIXES_LISTS_H
#define PAPPL_FIXES_LISTS_H

#include <cups/cups.h>

/* Returns the attribute; NULL = there is none. */
ipp_attribute_t *lists_find(ipp_t *in, const char *name);

/* Adds a word to a list that is there, unless it has it. `word` lives as long
 * as the message. */
void lists_add(ipp_t *in, const char *name, const char *word);

/* Takes a word out of a list, and the list away if it had no other. */
void lists_remove(ipp_t *in, const char *name, const char *word);

/* Puts a word of a list, if it has it, before the others. It lives as long as
 * the message. */
void lists_put_first(ipp_t *in, const char *name, const char *word);

/* Leaves what an answer begins with, for another answer. */
void lists_clear(ipp_t *answer);

/* Makes a text that is there another one. */
void lists_say(ipp_t *in, const char *name, const char *text);

#endif
