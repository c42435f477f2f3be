/*
 * sources.c - compiles each .drv file once, for all of its models, and
 * reads files where they are. cups-driverd would read all of a .drv file, or
 * its list of files, for each model.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cups/cups.h>

#include "page/choice.h"
#include "driver/sources.h"
#include "ppd-convert/program.h"

#define PATH_BYTES (2 * CHOICE_MAX_PATH) /* of a file in a folder */

/* ---- Names --------------------------------------------------------------- */

/* Where CUPS has the files whose names begin so. */
static const char *const places[][2] = {{"lsb/usr/", "/usr/share/ppd/"},
                                        {"lsb/local/", "/usr/local/share/ppd/"},
                                        {"lsb/opt/", "/opt/share/ppd/"}};

/* Whether some part of a path is "..". */
static bool climbs(const char *path)
{
    for (; path != NULL; path = strchr(path, '/')) {
        path += strspn(path, "/");
        if (strncmp(path, "..", 2) == 0 && (path[2] == '/' || path[2] == '\0'))
            return true;
    }
    return false;
}

/* Splits drv:///FILE.drv/PPD, whose two names go to `file` and `ppd`. */
static bool split_drv(const char *name, char *file, char *ppd, size_t size)
{
    char scheme[16], user[16], host[16];
    int port;

    if (strncmp(name, "drv:///", 7) != 0 ||
        httpSeparateURI(HTTP_URI_CODING_ALL, name, scheme, sizeof scheme, user,
                        sizeof user, host, sizeof host, &port, file,
                        (int)size) < HTTP_URI_STATUS_OK)
        return false;
    char *slash = strrchr(file, '/');
    if (slash == file || climbs(file))
        return false;
    snprintf(ppd, size, "%s", slash + 1);
    *slash = '\0';
    return true;
}

bool driver_sources_is_program(const char *name)
{
    return strncmp(name, "drv:", 4) != 0 && strchr(name, ':') != NULL;
}

void driver_sources_of(const char *name, char *path, size_t size)
{
    char drv[CHOICE_MAX_PATH], ppd[CHOICE_MAX_PATH];

    path[0] = '\0';
    if (driver_sources_is_program(name))
        snprintf(path, size, "%s/driver/%.*s", choice_program_directory(),
                 (int)strcspn(name, ":"), name);
    else if (split_drv(name, drv, ppd, sizeof drv))
        snprintf(path, size, "%s/drv%s", choice_data_directory(), drv);
}

/* ---- Compiling ----------------------------------------------------------- */

/* The folder of the PPDs of a .drv file: its name, all on one level. */
static void folder_of(const char *folder, const char *drv, char *path,
                      size_t size)
{
    snprintf(path, size, "%s/%s", folder, drv + 1);
    for (char *c = path + strlen(folder) + 1; *c != '\0'; c++)
        if (*c == '/')
            *c = '_';
}

static void compile(const char *folder, const char *drv)
{
    char out[PATH_BYTES], in[PATH_BYTES], bytes[4096];
    const char *const argv[] = {"ppdc", "-d", out, in, NULL};
    struct program program;

    folder_of(folder, drv, out, sizeof out);
    snprintf(in, sizeof in, "%s/drv%s", choice_data_directory(), drv);
    if (mkdir(out, 0700) != 0 || !program_start(&program, argv))
        return;
    while (read(program.output, bytes, sizeof bytes) > 0)
        ; /* a line for each PPD */
    close(program.output);
    program_end(&program);
}

void driver_sources_compile(const struct driver_models *models, char *folder,
                            size_t size)
{
    const char *temporary = getenv("TMPDIR");
    char drv[CHOICE_MAX_PATH], ppd[CHOICE_MAX_PATH], path[PATH_BYTES];

    snprintf(folder, size, "%s/halftone-XXXXXX",
             temporary == NULL ? "/tmp" : temporary);
    if (mkdtemp(folder) == NULL) {
        folder[0] = '\0';
        return;
    }
    for (size_t i = 0; i < models->count; i++) {
        if (!split_drv(models->models[i].name, drv, ppd, sizeof drv))
            continue;
        folder_of(folder, drv, path, sizeof path);
        if (access(path, F_OK) != 0)
            compile(folder, drv);
    }
}

static int remove_one(const char *path, const struct stat *info, int type,
                      struct FTW *where)
{
    (void)info, (void)type, (void)where;
    remove(path);
    return 0;
}

void driver_sources_remove(const char *folder)
{
    if (folder[0] != '\0')
        nftw(folder, remove_one, 8, FTW_DEPTH | FTW_PHYS);
}

/* ---- Reading ------------------------------------------------------------- */

/* The file that has the PPD. False where there is none, as in an archive. */
static bool path_of(const char *folder, const char *name, char *path,
                    size_t size)
{
    char drv[CHOICE_MAX_PATH], ppd[CHOICE_MAX_PATH], out[PATH_BYTES];
    struct stat info;

    if (split_drv(name, drv, ppd, sizeof drv)) {
        if (folder[0] == '\0')
            return false;
        folder_of(folder, drv, out, sizeof out);
        snprintf(path, size, "%s/%s", out, ppd);
    } else if (strchr(name, ':') != NULL || climbs(name)) {
        return false;
    } else {
        snprintf(path, size, "%s/model/%s", choice_data_directory(), name);
        for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
            size_t length = strlen(places[i][0]);
            if (strncmp(name, places[i][0], length) == 0)
                snprintf(path, size, "%s%s", places[i][1], name + length);
        }
    }
    return stat(path, &info) == 0 && S_ISREG(info.st_mode);
}

char *driver_sources_read(const char *folder, const char *name, size_t *size,
                          char why[SOURCE_WHY])
{
    char path[2 * PATH_BYTES];

    return path_of(folder, name, path, sizeof path)
               ? source_read(path, size, why)
               : source_read_listed(name, size, why);
}
