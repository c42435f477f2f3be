/*
 * module_filter.c - makes the filter that it is linked with take the
 * accelerator's module that HALFTONE_MODULE names, for tests: the filter itself
 * takes the installed one and nothing else.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>

#include "halftone/halftone.h"

__attribute__((constructor)) static void use_module(void)
{
    const char *path = getenv("HALFTONE_MODULE");

    if (path != NULL && ht_engine_use_module(path) != HT_OK) {
        fprintf(stderr, "%s cannot be loaded\n", path);
        _Exit(2);
    }
}
