/*
 * fault.c - see fault.h; only builds for tests have it.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "gpu/host/fault.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

/* Returns how often the process has been here with this `wanted`, from 1. */
static unsigned long count(const char *wanted)
{
    static char current[32]; /* what `times` counts for */
    static unsigned long times;

    pthread_mutex_lock(&mutex);
    if (strncmp(current, wanted, sizeof current - 1) != 0) {
        strncpy(current, wanted, sizeof current - 1);
        times = 0;
    }
    unsigned long number = ++times;
    pthread_mutex_unlock(&mutex);
    return number;
}

bool ht_fault(const char *where)
{
    const char *wanted = getenv("HALFTONE_GPU_FAULT");
    size_t length = strlen(where);

    if (wanted == NULL || strncmp(wanted, where, length) != 0 ||
        (wanted[length] != '\0' && wanted[length] != ':'))
        return false;
    return count(wanted) ==
           (wanted[length] == ':' ? strtoul(wanted + length + 1, NULL, 10) : 1);
}

const char *ht_load_wanted(void)
{
    return getenv("HALFTONE_GPU_LOAD");
}
