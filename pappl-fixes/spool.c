/*
 * spool.c - documents that wait fill neither the disk nor each other's room.
 *
 * What all of them have is counted anew each time, by the files that are there:
 * so it is right after a restart and whoever removed them.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "pappl-fixes/durable.h"
#include "pappl-fixes/spool.h"

#define MAX_PATH 1024
#define STEP (UINT64_C(4) << 20) /* bytes between two looks */
#define FREE_PART 20             /* a twentieth of the disk stays free */
#define MIB (UINT64_C(1) << 20)

/* Set before there are jobs. */
static uint64_t most_of_document = SPOOL_DOCUMENT;
static uint64_t most_of_all = SPOOL_ALL;
static char spool[MAX_PATH]; /* "" = not known */

void spool_limit(uint64_t document, uint64_t all)
{
    most_of_document = document;
    most_of_all = all;
}

void spool_folder(const char *folder)
{
    snprintf(spool, sizeof spool, "%s", folder);
}

void spool_each(void (*see)(const struct spool_name *name, void *data),
                void *data)
{
    DIR *folder = spool[0] != '\0' ? opendir(spool) : NULL;
    const struct dirent *entry;

    while (folder != NULL && (entry = readdir(folder)) != NULL) {
        struct spool_name of = {.folder = dirfd(folder), .name = entry->d_name};
        int end = 0;

        if (sscanf(of.name, "p%5dj%9d-%n", &of.printer, &of.job, &end) == 2 &&
            end > 0 && of.printer > 0)
            see(&of, data);
    }
    if (folder != NULL)
        closedir(folder);
}

static void see_number(const struct spool_name *name, void *data)
{
    struct spool_name *highest = data;

    if (name->printer == highest->printer && name->job > highest->job)
        highest->job = name->job;
}

int spool_highest(int printer)
{
    struct spool_name highest = {.printer = printer};

    spool_each(see_number, &highest);
    return highest.job;
}

static uint64_t lesser(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

/* Returns the bytes of all files beside this one, and of itself. */
static uint64_t all_files(const char *path)
{
    char folder[MAX_PATH];
    const char *slash = strrchr(path, '/');
    const struct dirent *entry;
    struct stat info;
    uint64_t bytes = 0;

    snprintf(folder, sizeof folder, "%.*s",
             slash != NULL ? (int)(slash - path) : 0, path);
    DIR *files = opendir(folder);

    while (files != NULL && (entry = readdir(files)) != NULL)
        if (fstatat(dirfd(files), entry->d_name, &info, AT_SYMLINK_NOFOLLOW) ==
                0 &&
            S_ISREG(info.st_mode))
            bytes += (uint64_t)info.st_size;
    if (files != NULL)
        closedir(files);
    return bytes;
}

uint64_t spool_most(void)
{
    return most_of_all;
}

uint64_t spool_left(void)
{
    char path[MAX_PATH + 1];

    snprintf(path, sizeof path, "%s/", spool);
    const uint64_t all = all_files(path);

    return all < most_of_all ? most_of_all - all : 0;
}

/* Says how much there may be; false. */
static bool refuse(char why[PAPPLFIXES_WHY], const char *what, uint64_t most)
{
    if (most >= MIB)
        snprintf(why, PAPPLFIXES_WHY, "%s %" PRIu64 " MiB", what, most / MIB);
    else
        snprintf(why, PAPPLFIXES_WHY, "%s %" PRIu64 " bytes", what, most);
    return false;
}

static const char full[] = "The disk of the documents that wait is full";

/* Whether a disk has room, if it could be asked. */
static bool disk_has_room(bool is_known, const struct statvfs *disk)
{
    return !is_known || disk->f_blocks == 0 ||
           disk->f_bavail >= disk->f_blocks / FREE_PART;
}

const char *spool_is_full(void)
{
    struct statvfs disk;

    return disk_has_room(statvfs(spool, &disk) == 0, &disk) ? NULL : full;
}

/* Whether the file may have that many more bytes, and how many it then may have
 * without another look. */
static bool has_room(struct papplfixes_file *file, size_t more, char *why)
{
    struct statvfs disk;

    file->is_too_large = file->bytes + more > most_of_document;
    if (file->is_too_large)
        return refuse(why, "The document has more than", most_of_document);
    const uint64_t all = all_files(file->path) + more;

    if (all > most_of_all)
        return refuse(why, "The documents that wait would have more than",
                      most_of_all);
    if (!disk_has_room(fstatvfs(file->fd, &disk) == 0, &disk)) {
        snprintf(why, PAPPLFIXES_WHY, "%s", full);
        return false;
    }
    file->allowed = lesser(
        most_of_document, file->bytes + more + lesser(STEP, most_of_all - all));
    return true;
}

bool papplfixes_file_write(struct papplfixes_file *file, const void *data,
                           size_t bytes, char *why)
{
    if (file->bytes + bytes > file->allowed && !has_room(file, bytes, why))
        return false;
    if (!durable_put(file->fd, data, bytes)) {
        snprintf(why, PAPPLFIXES_WHY, "The document cannot be kept: %s",
                 strerror(errno));
        return false;
    }
    file->bytes += bytes;
    return true;
}
