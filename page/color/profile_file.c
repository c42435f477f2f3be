/*
 * profile_file.c - finds the file of a printer's profile by its name.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "page/color/profile_file.h"
#include "page/color/table.h"

#define MOST_NAME 250 /* characters */

/* A '.' in front would lead to hidden files, or out of the folder. */
static bool is_file_name(const char *name)
{
    return name[0] != '\0' && name[0] != '.' && strchr(name, '/') == NULL &&
           strlen(name) <= MOST_NAME;
}

bool profile_file_named(struct profile *profile, char path[PROFILE_PATH],
                        const char *own, const char *data, const char *name,
                        char why[PROFILE_WHY])
{
    const struct {
        const char *folder, *part;
    } places[] = {{own, "rastertohalftone/"},
                  {data, "rastertohalftone/"},
                  {PROFILES, ""}};
    bool ok = false;

    *profile = (struct profile){.data = NULL};
    snprintf(path, PROFILE_PATH, "%s.icc", name);
    snprintf(why, PROFILE_WHY, "%s", strerror(ENOENT));
    errno = ENOENT;
    for (size_t i = 0; !ok && errno == ENOENT && i < 3 && is_file_name(name);
         i++) {
        if (places[i].folder == NULL)
            continue;
        snprintf(path, PROFILE_PATH, "%s/%s%s.icc", places[i].folder,
                 places[i].part, name);
        ok = profile_load(profile, path, PROFILE_OUTPUT, why);
    }
    return ok;
}

bool profile_file_default(struct profile *profile, char path[PROFILE_PATH],
                          const char *own, const char *data,
                          const char *printer, char why[PROFILE_WHY])
{
    if (printer != NULL &&
        profile_file_named(profile, path, own, NULL, printer, why))
        return true;
    return (printer == NULL || errno == ENOENT) &&
           profile_file_named(profile, path, NULL, data, PROFILE_GENERIC_NAME,
                              why);
}

bool profile_file_check(struct profile *profile, const char *path,
                        uint8_t black[4], char why[PROFILE_WHY])
{
    if (!profile_load(profile, path, PROFILE_OUTPUT, why))
        return false;
    struct color_table *table =
        color_table_make(COLOR_SRGB, NULL, profile, COLOR_RELATIVE_BLACK, why);

    if (table != NULL)
        color_table_black(table, black);
    else
        profile_free(profile);
    free(table);
    return table != NULL;
}
