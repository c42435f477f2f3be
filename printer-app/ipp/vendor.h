/*
 * vendor.h - the options of halftoning as IPP attributes of a printer, and a
 * job's choices of them.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef PRINTER_APP_VENDOR_H
#define PRINTER_APP_VENDOR_H

#include <pappl/pappl.h>

#include "page/choice.h"
#include "printer-app/families/family.h"

/* Names the attributes in `data`, and adds their "-default" and "-supported" to
 * `attributes`, as the kind of printer asks. */
void vendor_describe(pappl_pr_driver_data_t *data, ipp_t *attributes,
                     const struct family *family);

#define VENDOR_WHY 256 /* bytes, of a line of text */

/* Whether a job of the printer can have that value, as text, of our attribute
 * `name`; false with the reason in `why` [VENDOR_WHY]. True of other
 * attributes. */
bool vendor_accepts(pappl_printer_t *printer, const char *name,
                    const char *value, char *why);

/*
 * Reads the choices of a job from what PAPPL made of its attributes, and those
 * of its printer. Call choices_close() whatever happens. Folder and name of
 * choices.h are the caller's to add.
 */
void vendor_choose(struct choices *choices, pappl_printer_t *printer,
                   const pappl_pr_options_t *options);

#endif
