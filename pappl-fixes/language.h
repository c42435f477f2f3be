/*
 * language.h - the language of the page that a client gets.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef PAPPL_FIXES_LANGUAGE_H
#define PAPPL_FIXES_LANGUAGE_H

#include <cups/cups.h>

/* Takes what the request of this thread asks for, whose head has been read. */
void language_take(http_t *http);

#endif
