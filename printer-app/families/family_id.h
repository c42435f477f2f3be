/*
 * family_id.h - the family that a printer's IEEE 1284 identification names.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef PRINTER_APP_FAMILY_ID_H
#define PRINTER_APP_FAMILY_ID_H

#include <stddef.h>

#include "printer-app/families/family.h"

#define FAMILY_REFUSAL 400u

/*
 * Finds the family of a device by its id ("MFG:HP;MDL:...;CMD:...;") and URI;
 * either may be NULL. NULL = no family can print there, or it is not known that
 * one can; then `why` is a line of ASCII that says so by the printer's name and
 * the languages that it names.
 */
const struct family *family_of_id(const char *id, const char *uri,
                                  char why[FAMILY_REFUSAL]);

#endif
