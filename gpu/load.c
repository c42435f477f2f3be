/*
 * load.c - how many processors other processes leave to this one; see load.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <stdio.h>
#include <unistd.h>

#include "gpu/load.h"
#include "halftone/pool.h"

/* The fourth number is of the threads that run or want to at this moment. The
 * ones before are means of minutes: they miss jobs that have just begun, and
 * remember others that are over. */
unsigned ht_gpu_processors_left(unsigned allowed, unsigned online,
                                const char *loadavg)
{
    unsigned running, left = 1;

    if (sscanf(loadavg, "%*f %*f %*f %u/", &running) != 1)
        return allowed;
    if (running < 1)
        running = 1; /* the one that asks */
    if (running <= online)
        left = online - (running - 1);
    return left < allowed ? left : allowed;
}

unsigned ht_gpu_free_processors(void)
{
    char text[128] = "";
    long online = sysconf(_SC_NPROCESSORS_ONLN);
    FILE *file = fopen("/proc/loadavg", "re");

    if (file != NULL) {
        if (fgets(text, sizeof text, file) == NULL)
            text[0] = '\0';
        fclose(file);
    }
    return ht_gpu_processors_left(ht_pool_processors(),
                                  online > 0 ? (unsigned)online : 1, text);
}
