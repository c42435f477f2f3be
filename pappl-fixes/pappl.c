/*
 * pappl.c - finds the functions of PAPPL that the program has, too.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#define _GNU_SOURCE /* RTLD_NEXT */

#include "pappl-fixes/pappl.h"

#include <dlfcn.h>
#include <string.h>

void override_find(void *function, const char *name)
{
    void *symbol = dlsym(RTLD_NEXT, name);

    memcpy(function, &symbol, sizeof symbol);
}
