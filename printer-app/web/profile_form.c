/*
 * profile_form.c - the part of a printer's web page that gives it a profile of
 * its own.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "page/color/profile_file.h"
#include "printer-app/service/own_file.h"
#include "printer-app/web/page_form.h"
#include "printer-app/web/profile_form.h"

/* Whether PAPPL may have put an upload there. A form that has no file can name
 * any, whose contents are no business of its sender's. */
static bool is_upload(const char *path)
{
    const char *folder = getenv("TMPDIR");

    if (folder == NULL)
        folder = "/tmp";
    const size_t length = strlen(folder);

    return strncmp(path, folder, length) == 0 && path[length] == '/' &&
           strchr(path + length + 1, '/') == NULL;
}

bool profile_form_take(const char *printer, const char *path, char *says,
                       size_t size)
{
    struct profile profile;
    char why[PROFILE_WHY];
    uint8_t black[4];

    if (!is_upload(path)) {
        snprintf(says, size, "No profile has come. It may have 2 MB here.");
        return false;
    }
    if (!profile_file_check(&profile, path, black, why)) {
        snprintf(says, size, "The profile is refused: %s.", why);
        return false;
    }
    const bool ok =
        own_file_save(printer, OWN_PROFILE, profile.data, profile.size);

    if (ok)
        snprintf(says, size, "The printer has a profile now.");
    else
        snprintf(says, size, "The profile cannot be saved: %s.",
                 strerror(errno));
    profile_free(&profile);
    return ok;
}

bool profile_form_remove(const char *printer, char *says, size_t size)
{
    const bool ok = own_file_remove(printer, OWN_PROFILE);

    if (ok)
        snprintf(says, size, "The printer has no profile of its own any more.");
    else
        snprintf(says, size, "The profile cannot be removed: %s.",
                 strerror(errno));
    return ok;
}

void profile_form_show(pappl_client_t *client, const char *uri,
                       const char *printer)
{
    const bool own = own_file_has(printer, OWN_PROFILE);

    page_text(client, "h2", NULL, "Color profile");
    page_text(client, "p", NULL,
              own ? "This printer has a profile of its own: jobs with the "
                    "usual profile take it."
                  : "This printer has the generic profile.");
    page_form_start(client, uri, PROFILE_TAKE, true);
    page_input(client,
               &(struct page_field){.name = "profile",
                                    .label = "ICC profile",
                                    .type = "file",
                                    .more = "accept=\".icc,.icm\"",
                                    .hint = "Of the class \"output\", for CMYK "
                                            "or RGB, measured with the curve "
                                            "above."});
    page_form_end(client, "Take the Profile");
    if (own)
        page_button(client, uri, PROFILE_REMOVE, "Remove the Profile");
}
