/*
 * list.h - the list of PPDs that can have our dots, whose lines are those that
 * CUPS reads from a driver program.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef PPD_DRIVER_LIST_H
#define PPD_DRIVER_LIST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>

/* Returns the path of the list: PPD_LIST of the build, unless the environment
 * has another. */
static inline const char *list_path(void)
{
    const char *path = getenv("HALFTONE_PPD_LIST");

    return path == NULL ? PPD_LIST : path;
}

/* Hears that `done` of `all` models of a scheme are done; all = 0 before a line
 * is written on standard error, and at the end. */
typedef void list_watch(void *context, const char *scheme, size_t done,
                        size_t all);

/* Converts all PPDs that CUPS offers, and replaces the list by those that can
 * be, once another update has ended. Leaves out a driver that hangs, and a PPD
 * that is refused or crashes libcups. False after a complaint when memory,
 * files or processes are lacking, and when a signal ends it; the list is then
 * as it was. */
bool list_update(list_watch *watch, void *context);

#endif
