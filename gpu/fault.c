/*
 * fault.c - see fault.h; only builds for tests have it.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "gpu/fault.h"

bool ht_gpu_fault(const char *where)
{
    static char current[32]; /* what `times` counts for */
    static unsigned long times;
    const char *wanted = getenv("HALFTONE_GPU_FAULT");
    size_t length = strlen(where);

    if (wanted == NULL || strncmp(wanted, where, length) != 0 ||
        (wanted[length] != '\0' && wanted[length] != ':'))
        return false;
    if (strncmp(current, wanted, sizeof current - 1) != 0) {
        strncpy(current, wanted, sizeof current - 1);
        times = 0;
    }
    return ++times ==
           (wanted[length] == ':' ? strtoul(wanted + length + 1, NULL, 10) : 1);
}
