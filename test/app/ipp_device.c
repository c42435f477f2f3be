/*
 * ipp_device.c - ipp-device [OPTION] URI... <RASTER: prints to IPP printers as
 * PAPPL does, in odd chunks, through the device of printer-app/, to each in a
 * thread of its own; then their ids, states and supplies, and its own peak of
 * memory in KiB. RASTER is a file.
 * Options: --end and --cancel end the job so before the device is closed;
 * --cancel-after SECONDS cancels the work. Or --list: the printers that are
 * found.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "page/owner.h"
#include "printer-app/ipp/ipp_device.h"

#define MOST_PRINTERS 8

static atomic_bool is_late; /* free of locks, so a signal may set it */
static atomic_int errors;
static const char *how = "";

static void be_late(int signal_number)
{
    (void)signal_number;
    is_late = true;
}

static bool is_canceled(struct owner *owner)
{
    (void)owner;
    return is_late;
}

static struct owner owner = {.is_canceled = is_canceled,
                             .error_said = ATOMIC_FLAG_INIT};

static void say_error(const char *text, void *context)
{
    (void)context;
    errors++;
    fprintf(stderr, "ERROR: %s\n", text);
}

static bool print_device(const char *info, const char *uri, const char *id,
                         void *context)
{
    (void)context;
    printf("%s\t%s\t%s\n", uri, info, id != NULL ? id : "");
    return false;
}

static void ask(pappl_device_t *device)
{
    char id[1024];
    pappl_supply_t supplies[16];

    if (papplDeviceGetID(device, id, sizeof id) != NULL)
        printf("id %s\n", id);
    printf("status %#x\n", papplDeviceGetStatus(device));
    const int count = papplDeviceGetSupplies(device, 16, supplies);
    for (int i = 0; i < count; i++)
        printf("supply %s: color %d, type %d, %d%s\n", supplies[i].description,
               supplies[i].color, supplies[i].type, supplies[i].level,
               supplies[i].is_consumed ? "" : ", filled");
}

static void *print(void *uri)
{
    static const size_t sizes[] = {1, 3, 1799, 20011, 8192, 7};
    char chunk[20011];
    off_t at = 0;
    ssize_t got = 1;
    pappl_device_t *device =
        papplDeviceOpen(uri, "A job's name", say_error, NULL);

    if (device == NULL)
        return NULL;
    for (size_t i = 0; got > 0; i++) {
        got = pread(STDIN_FILENO, chunk, sizes[i % 6], at);
        if (got > 0 && papplDeviceWrite(device, chunk, (size_t)got) < 0)
            got = 0;
        at += got;
    }
    if (how[0] != '\0')
        printf("end %d\n",
               ipp_device_end_job(device, uri, strcmp(how, "--cancel") == 0));
    ask(device);
    papplDeviceClose(device);
    return NULL;
}

int main(int argc, char **argv)
{
    pthread_t threads[MOST_PRINTERS];
    int i = 1;

    ipp_device_add();
    if (argc == 2 && strcmp(argv[1], "--list") == 0) {
        papplDeviceList(PAPPL_DEVTYPE_CUSTOM_NETWORK, print_device, NULL,
                        say_error, NULL);
        return errors > 0;
    }
    if (i < argc && argv[i][0] == '-')
        how = argv[i++];
    if (strcmp(how, "--cancel-after") == 0 && i < argc) {
        signal(SIGALRM, be_late);
        alarm((unsigned)strtoul(argv[i++], NULL, 10));
    }
    if (i == argc || argc - i > MOST_PRINTERS)
        return 2;

    owner_set(&owner);
    for (int t = i; t < argc; t++)
        if (owner_thread(&threads[t - i], print, argv[t]) != 0)
            return 2;
    for (int t = i; t < argc; t++)
        pthread_join(threads[t - i], NULL);

    struct rusage usage;
    if (getrusage(RUSAGE_SELF, &usage) == 0)
        printf("peak %ld\n", usage.ru_maxrss);
    return errors > 0;
}
