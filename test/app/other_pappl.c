/*
 * other_pappl.c - a library to be preloaded: PAPPL says that it is version
 * 9.9.9. With OTHER_PAPPL=twice it writes all that is printed twice, with
 * OTHER_PAPPL=late the document of job 2 comes behind those of later jobs. With
 * OTHER_PAPPL=struct the lock of a job is not what it begins with.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#define _GNU_SOURCE

#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <time.h>

typedef int open_file(void *job, char *name, size_t room, const char *folder,
                      const char *ending, const char *mode);
typedef void set_reasons(void *job, unsigned add, unsigned remove);
typedef ssize_t write_device(void *device, const void *data, size_t bytes);

const char *papplSystemGetServerHeader(void *system);
ssize_t papplDeviceWrite(void *device, const void *data, size_t bytes);
int papplJobGetID(void *job);
void papplJobSetReasons(void *job, unsigned add, unsigned remove);
int papplJobOpenFile(void *job, char *name, size_t room, const char *folder,
                     const char *ending, const char *mode);

static int does(const char *what)
{
    const char *wanted = getenv("OTHER_PAPPL");

    return wanted != NULL && strcmp(wanted, what) == 0;
}

const char *papplSystemGetServerHeader(void *system)
{
    (void)system;
    return "halftone-printer-app/1.0 PAPPL/9.9.9 CUPS IPP/2.0";
}

ssize_t papplDeviceWrite(void *device, const void *data, size_t bytes)
{
    void *symbol = dlsym(RTLD_NEXT, "papplDeviceWrite");
    write_device *pappl;

    memcpy(&pappl, &symbol, sizeof pappl);
    if (does("twice"))
        (void)pappl(device, data, bytes);
    return pappl(device, data, bytes);
}

int papplJobOpenFile(void *job, char *name, size_t room, const char *folder,
                     const char *ending, const char *mode)
{
    static const struct timespec while_others_print = {.tv_nsec = 500000000};
    void *symbol = dlsym(RTLD_NEXT, "papplJobOpenFile");
    open_file *pappl;

    memcpy(&pappl, &symbol, sizeof pappl);
    if (does("late") && papplJobGetID(job) == 2 && strcmp(mode, "w") == 0)
        nanosleep(&while_others_print, NULL);
    return pappl(job, name, room, folder, ending, mode);
}

void papplJobSetReasons(void *job, unsigned add, unsigned remove)
{
    void *symbol = dlsym(RTLD_NEXT, "papplJobSetReasons");
    pthread_rwlock_t *lock = job;
    set_reasons *pappl;

    memcpy(&pappl, &symbol, sizeof pappl);
    pappl(job, add, remove);
    if (does("struct") && pthread_rwlock_wrlock(&lock[1]) == 0)
        pthread_rwlock_unlock(&lock[1]);
}
