/*
 * other_pappl.c - a library to be preloaded: PAPPL says that it is version
 * 9.9.9, and with OTHER_PAPPL=twice writes all that is printed twice.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#define _GNU_SOURCE

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>

typedef ssize_t write_device(void *device, const void *data, size_t bytes);

const char *papplSystemGetServerHeader(void *system);
ssize_t papplDeviceWrite(void *device, const void *data, size_t bytes);

const char *papplSystemGetServerHeader(void *system)
{
    (void)system;
    return "halftone-printer-app/1.0 PAPPL/9.9.9 CUPS IPP/2.0";
}

ssize_t papplDeviceWrite(void *device, const void *data, size_t bytes)
{
    void *symbol = dlsym(RTLD_NEXT, "papplDeviceWrite");
    const char *does = getenv("OTHER_PAPPL");
    write_device *pappl;

    memcpy(&pappl, &symbol, sizeof pappl);
    if (does != NULL && strcmp(does, "twice") == 0)
        (void)pappl(device, data, bytes);
    return pappl(device, data, bytes);
}
