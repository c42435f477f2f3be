/*
 * fields.h - the fields of a page's header that packers and writers read beside
 * its size: doc/dev/packers.md lists them.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef PRINTER_APP_FIELDS_H
#define PRINTER_APP_FIELDS_H

#include <stdbool.h>

#include <pappl/pappl.h>

#include "printer-app/families/family.h"

/*
 * Changes the header of a page, of a client's raster or of PAPPL, to that of a
 * page for printers of the family: what the page or the job asks for, as the
 * family's language has it, or else what leaves the choice to the printer.
 *
 * False after an ERROR line when the page or the job asks for a source or a
 * kind of paper that the language has no word for. The choices of `usual`, the
 * printer's default, are left to the printer, with a WARNING line: an older
 * version may have offered them.
 */
bool fields_tell(cups_page_header2_t *header, const struct family *family,
                 const pappl_pr_options_t *options,
                 const pappl_media_col_t *usual);

#endif
