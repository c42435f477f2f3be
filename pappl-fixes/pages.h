/*
 * pages.h - what a page of PAPPL's says is wrong with its form.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef PRINTER_APP_OVERRIDES_PAGES_H
#define PRINTER_APP_OVERRIDES_PAGES_H

/* Has the next page of this thread say why it refuses what a field has, or any:
 * then `field` is "". PAPPL itself says no more than "Bad printer defaults". */
void page_is_wrong(const char *field, const char *why);

#endif
