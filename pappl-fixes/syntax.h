/*
 * syntax.h - whether a printer's attributes have values of their kind.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef PRINTER_APP_OVERRIDES_SYNTAX_H
#define PRINTER_APP_OVERRIDES_SYNTAX_H

#include <stdbool.h>
#include <stddef.h>

#include <cups/cups.h>

/* Whether an attribute that sets something of a printer has values of its kind,
 * and no more than PAPPL has room for; else `why` [size] is the reason. */
bool syntax_is_right(ipp_attribute_t *attribute, char *why, size_t size);

#endif
