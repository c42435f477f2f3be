/*
 * list.h - the list of our PPDs, with what is still known of an older
 * one.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DRIVER_LIST_H
#define DRIVER_LIST_H

#include <stdbool.h>
#include <stddef.h>

/* Makes the text that cache.h keeps, which the caller frees. `old` is
 * such a text of before, or NULL: sources that have not changed are not judged
 * again. False after a message in `*why`. */
bool driver_list_make(const char *old, size_t old_size, char **text,
                      size_t *size, const char **why);

#endif
