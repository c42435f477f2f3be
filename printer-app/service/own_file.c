/*
 * own_file.c - a printer's own files in the application's folder.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "pappl-fixes/pappl-fixes.h"
#include "printer-app/app.h"
#include "printer-app/service/own_file.h"

#define MAX_PATH 1400

/* Writes the path of a printer's file. False for names that are none of a
 * file, with errno set; page/ and page/color/ look for no such files, either.
 */
static bool path_of(const char *printer, const char *end, char path[MAX_PATH])
{
    const bool ok = printer[0] != '\0' && printer[0] != '.' &&
                    strchr(printer, '/') == NULL && strlen(printer) < 250;

    snprintf(path, MAX_PATH, "%s/rastertohalftone/%s%s", app_state_directory(),
             printer, end);
    if (!ok)
        errno = EINVAL;
    return ok;
}

bool own_file_has(const char *printer, const char *end)
{
    char path[MAX_PATH];

    return path_of(printer, end, path) && access(path, R_OK) == 0;
}

bool own_file_save(const char *printer, const char *end, const void *data,
                   size_t size)
{
    char folder[MAX_PATH], path[MAX_PATH];

    snprintf(folder, sizeof folder, "%s/rastertohalftone",
             app_state_directory());
    (void)mkdir(app_state_directory(), 0755);
    (void)mkdir(folder, 0755);
    return path_of(printer, end, path) &&
           papplfixes_save(path, data, size, 0644);
}

bool own_file_remove(const char *printer, const char *end)
{
    char path[MAX_PATH];

    return path_of(printer, end, path) &&
           (unlink(path) == 0 || errno == ENOENT);
}
