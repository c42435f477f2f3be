/*
 * ppds.c - compiles each .drv file once, for all of its models, and reads files
 * where they are. cups-driverd would read all of a .drv file, or its list of
 * files, for each model.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#define _GNU_SOURCE /* memmem() */

#include "config.h"

#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cups/cups.h>

#include "page/choice.h"
#include "ppd/driver/ppds.h"
#include "ppd/convert/program.h"

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

void ppds_source(const char *name, char path[PPDS_PATH])
{
    char drv[CHOICE_MAX_PATH], ppd[CHOICE_MAX_PATH];

    path[0] = '\0';
    if (split_drv(name, drv, ppd, sizeof drv))
        snprintf(path, PPDS_PATH, "%s/drv%s", choice_data_directory(), drv);
    else if (strncmp(name, "file:", 5) != 0 && strchr(name, ':') != NULL)
        snprintf(path, PPDS_PATH, "%s/driver/%.*s", choice_program_directory(),
                 (int)strcspn(name, ":"), name);
}

/* ---- Compiling ----------------------------------------------------------- */

struct compiling {
    const char *drv, *folder;
};

static bool compile(void *context, size_t worker, int output)
{
    const struct compiling *compiling = context;
    const char *const argv[] = {"ppdc", "-d", compiling->folder, compiling->drv,
                                NULL};
    struct other_program program;
    char bytes[4096];

    (void)worker, (void)output;
    if (!program_start(&program, argv))
        return false;
    while (read(program.output, bytes, sizeof bytes) > 0)
        ; /* a line for each PPD */
    close(program.output);
    return program_end(&program);
}

void ppds_compile(struct crew *crew, const char *drv, char folder[PPDS_PATH])
{
    const char *temporary = getenv("TMPDIR");
    struct compiling compiling = {drv, folder};
    char *text = NULL;
    size_t size;

    snprintf(folder, PPDS_PATH, "%s/halftone-XXXXXX",
             temporary == NULL ? "/tmp" : temporary);
    if (mkdtemp(folder) == NULL)
        folder[0] = '\0';
    else if (crew_run_one(crew, compile, &compiling, &text, &size) == CREW_DONE)
        free(text);
}

static int remove_one(const char *path, const struct stat *info, int type,
                      struct FTW *where)
{
    (void)info, (void)type, (void)where;
    remove(path);
    return 0;
}

void ppds_remove(const char *folder)
{
    if (folder[0] != '\0')
        nftw(folder, remove_one, 8, FTW_DEPTH | FTW_PHYS);
}

/* ---- Reading ------------------------------------------------------------- */

/* The file that has the PPD. False where there is none, as in an archive. */
static bool path_of(const char *folder, const char *name, char path[PPDS_PATH])
{
    char drv[CHOICE_MAX_PATH], ppd[CHOICE_MAX_PATH];
    struct stat info;
    int length;

    if (split_drv(name, drv, ppd, sizeof drv)) {
        length = snprintf(path, PPDS_PATH, "%s/%s", folder, ppd);
        if (folder[0] == '\0')
            return false;
    } else if (strchr(name, ':') != NULL || climbs(name)) {
        return false;
    } else {
        length = snprintf(path, PPDS_PATH, "%s/model/%s",
                          choice_data_directory(), name);
        for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
            size_t known = strlen(places[i][0]);
            if (strncmp(name, places[i][0], known) == 0)
                length = snprintf(path, PPDS_PATH, "%s%s", places[i][1],
                                  name + known);
        }
    }
    return length < PPDS_PATH && stat(path, &info) == 0 &&
           S_ISREG(info.st_mode);
}

/* Whether ppdc has written all of the PPD, to its last line: a full disk does
 * not disturb it. */
static bool is_whole(const char *bytes, size_t size)
{
    size_t last = size < 400 ? size : 400;

    return memmem(bytes + size - last, last, "\n*% End of ", 11) != NULL &&
           bytes[size - 1] == '\n';
}

char *ppds_read(const char *folder, const char *name, size_t *size,
                char why[SOURCE_WHY])
{
    char path[PPDS_PATH];

    if (!path_of(folder, name, path))
        return source_read_listed(name, size, why);
    char *bytes = source_read(path, size, why);
    if (folder[0] == '\0' || (bytes != NULL && is_whole(bytes, *size)))
        return bytes;
    free(bytes);
    return source_read_listed(name, size, why);
}
