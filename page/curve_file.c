/*
 * curve_file.c - finds the file of a tone curve by its name.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "page/curve_file.h"

#define MAX_QUEUE 255 /* characters of a name */

/* Whether a name may be one that cupsd gives to a queue, or PAPPL to a printer:
 * all that can be printed but '/' and a few more. A '.' in front would lead to
 * hidden files, or out of the directory. */
static bool is_queue_name(const char *name)
{
    return name[0] != '\0' && name[0] != '.' && strchr(name, '/') == NULL &&
           strlen(name) <= MAX_QUEUE;
}

/* Loads NAME.curve of a directory's rastertohalftone/. False when there is no
 * such file or no directory, so that another may be tried. */
static bool find(struct curve *curve, struct curve_file *file,
                 const char *directory, const char *name)
{
    if (directory == NULL)
        return false;
    snprintf(file->path, sizeof file->path, "%s/rastertohalftone/%s.curve",
             directory, name);
    file->status = curve_load(curve, file->path, &file->line);
    return file->status != CURVE_NO_FILE || errno != ENOENT;
}

bool curve_file_named(struct curve *curve, struct curve_file *file,
                      const char *own, const char *data, const char *name)
{
    return find(curve, file, own, name) || find(curve, file, data, name);
}

void curve_file_default(struct curve *curve, struct curve_file *file,
                        const char *own, const char *queue)
{
    if (queue != NULL && is_queue_name(queue) && find(curve, file, own, queue))
        return;
    *file = (struct curve_file){.status = CURVE_OK};
    curve_default(curve);
}
