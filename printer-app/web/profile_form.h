/*
 * profile_form.h - the part of a printer's web page that gives it a profile of
 * its own.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef PRINTER_APP_PROFILE_FORM_H
#define PRINTER_APP_PROFILE_FORM_H

#include <stdbool.h>
#include <stddef.h>

#include <pappl/pappl.h>

/* Its actions; the field of the file is "profile". */
#define PROFILE_TAKE "profile"
#define PROFILE_REMOVE "remove-profile"

/* Gives the printer the profile of the file at `path`, where PAPPL has put what
 * was uploaded, after the checks of the command halftone-profile; or takes it
 * away. `says` [size] gets what to say of it; false if it did not work. */
bool profile_form_take(const char *printer, const char *path, char *says,
                       size_t size);
bool profile_form_remove(const char *printer, char *says, size_t size);

void profile_form_show(pappl_client_t *client, const char *uri,
                       const char *printer);

#endif
