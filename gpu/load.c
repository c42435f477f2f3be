/*
 * load.c - the processors, and how many threads of others want them; see
 * load.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <stdio.h>
#include <unistd.h>

#include "gpu/fault.h"
#include "gpu/load.h"
#include "halftone/pool.h"

/* The fourth number is of this moment. The ones before are means of minutes:
 * they miss jobs that have just begun, and remember others that are over. */
unsigned ht_gpu_others(const char *loadavg)
{
    unsigned running = 0;

    if (sscanf(loadavg, "%*f %*f %*f %u/", &running) != 1)
        return 0;
    return running > 0 ? running - 1 : 0;
}

static unsigned others_now(void)
{
    char text[128] = "";
    FILE *file = fopen("/proc/loadavg", "re");

    if (file != NULL) {
        if (fgets(text, sizeof text, file) == NULL)
            text[0] = '\0';
        fclose(file);
    }
    return ht_gpu_others(text);
}

struct ht_gpu_load ht_gpu_load_now(void)
{
    long online = sysconf(_SC_NPROCESSORS_ONLN);
    const char *wanted = ht_gpu_load_wanted();

    return (struct ht_gpu_load){.allowed = ht_pool_processors(),
                                .online = online > 0 ? (unsigned)online : 1,
                                .others = wanted != NULL ? ht_gpu_others(wanted)
                                                         : others_now()};
}
