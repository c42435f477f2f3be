/*
 * sources.c - looks for sources where cups-driverd does.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "ppd/driver/sources.h"
#include "page/choice.h"

#define DEEPEST 16 /* folders in a folder; links may make circles */

bool source_is_other(const char *name)
{
    /* "everywhere" and "raw" are whole names. */
    static const char *const ours[] = {"halftone", "driverless",
                                       "driverless-fax", "everywhere", "raw"};
    size_t length = strcspn(name, ":");

    for (size_t i = 0; i < sizeof ours / sizeof ours[0]; i++)
        if (strlen(ours[i]) == length && strncmp(name, ours[i], length) == 0)
            return false;
    return name[0] != '\0';
}

static bool is_drv(const char *path)
{
    size_t length = strlen(path);

    return length > 4 && strcmp(path + length - 4, ".drv") == 0;
}

const char *source_scheme(const char *path)
{
    return path[0] == '\0' ? "file"
           : is_drv(path)  ? "drv"
                           : strrchr(path, '/') + 1;
}

/* ---- Finding ------------------------------------------------------------- */

static bool add(struct sources *sources, const char *path)
{
    struct source *more =
        realloc(sources->list, (sources->count + 1) * sizeof *more);

    if (more == NULL)
        return false;
    sources->list = more;
    struct source *source = &more[sources->count++];
    *source = (struct source){.path = strdup(path)};
    return source->path != NULL && stamp_source(path, source->now);
}

/* A path that can be in a line of the list. */
static bool is_plain(const char *path)
{
    for (; *path != '\0'; path++)
        if ((unsigned char)*path < ' ' || *path == 0x7f)
            return false;
    return true;
}

/* Adds the file if it is a source, or those that are below the folder. Where
 * one cannot be read for a lack of memory or files, a source is not gone. */
static bool add_below(struct sources *sources, const char *path, bool drv,
                      int depth)
{
    struct dirent **entries = NULL;
    struct stat info;
    char below[CHOICE_MAX_PATH];
    bool ok = true;

    if (stat(path, &info) != 0)
        return true;
    if (S_ISREG(info.st_mode))
        return !is_plain(path) ||
               (drv ? !is_drv(path)
                    : access(path, X_OK) != 0 ||
                          !source_is_other(strrchr(path, '/') + 1)) ||
               add(sources, path);
    if (!S_ISDIR(info.st_mode) || depth == (drv ? DEEPEST : 1))
        return true;
    int count = scandir(path, &entries, NULL, alphasort);
    if (count < 0)
        return errno == ENOENT || errno == EACCES;
    for (int i = 0; i < count; i++) {
        if (ok && entries[i]->d_name[0] != '.' &&
            snprintf(below, sizeof below, "%s/%s", path, entries[i]->d_name) <
                (int)sizeof below)
            ok = add_below(sources, below, drv, depth + 1);
        free(entries[i]);
    }
    free(entries);
    return ok;
}

bool sources_find(struct sources *sources)
{
    char drv[CHOICE_MAX_PATH], programs[CHOICE_MAX_PATH];

    *sources = (struct sources){.count = 0};
    snprintf(drv, sizeof drv, "%s/drv", choice_data_directory());
    snprintf(programs, sizeof programs, "%s/driver",
             choice_program_directory());
    return add(sources, "") && add_below(sources, drv, true, 0) &&
           add_below(sources, programs, false, 0);
}

void sources_free(struct sources *sources)
{
    for (size_t i = 0; i < sources->count; i++) {
        free(sources->list[i].path);
        free(sources->list[i].lines);
    }
    free(sources->list);
}

/* ---- What is known ------------------------------------------------------- */

struct source *sources_with(const struct sources *sources, const char *path,
                            size_t length)
{
    for (size_t i = 0; i < sources->count; i++)
        if (strlen(sources->list[i].path) == length &&
            memcmp(sources->list[i].path, path, length) == 0)
            return &sources->list[i];
    return NULL;
}

bool source_is_judged(const struct source *source)
{
    for (int i = 0; i < STAMPS; i++)
        if (strcmp(source->stamp, source->now[i]) == 0)
            return true;
    return false;
}
