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
#define KEPT "/.kept"
#define MIB (UINT64_C(1) << 20)

/* Set before there are jobs. */
static uint64_t most_of_document = SPOOL_DOCUMENT;
static uint64_t most_of_all = SPOOL_ALL;
static char spool[MAX_PATH];              /* "" = not known */
static char kept[MAX_PATH + sizeof KEPT]; /* likewise */

void spool_limit(uint64_t document, uint64_t all)
{
    most_of_document = document;
    most_of_all = all;
}

void spool_folder(const char *folder)
{
    snprintf(spool, sizeof spool, "%s", folder);
    snprintf(kept, sizeof kept, "%s" KEPT, spool);
}

const char *spool_kept(void)
{
    return kept;
}

bool spool_has(const char *file)
{
    const size_t length = strlen(spool);

    return strncmp(file, spool, length) == 0 && file[length] == '/';
}

void spool_each(void (*see)(const struct spool_name *name, void *data),
                void *data)
{
    spool_each_in(spool, see, data);
}

void spool_each_in(const char *path,
                   void (*see)(const struct spool_name *name, void *data),
                   void *data)
{
    DIR *folder = path[0] != '\0' ? opendir(path) : NULL;
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

/* The documents that are kept. */
struct all {
    uint64_t bytes;
    double since;   /* s, of the oldest */
    char name[256]; /* likewise; "" = there is none */
};

static void see_document(const struct spool_name *of, void *data)
{
    struct all *all = data;
    struct stat info;

    if (strcmp(strchr(of->name, '-') + 1, SPOOL_KEPT) != 0 ||
        fstatat(of->folder, of->name, &info, AT_SYMLINK_NOFOLLOW) < 0)
        return;
    const double since =
        (double)info.st_mtim.tv_sec + (double)info.st_mtim.tv_nsec / 1e9;

    all->bytes += (uint64_t)info.st_size;
    if (all->name[0] != '\0' && since >= all->since)
        return;
    snprintf(all->name, sizeof all->name, "%s", of->name);
    all->since = since;
}

bool spool_drop(uint64_t most, time_t before)
{
    struct all all = {.bytes = 0};
    char path[sizeof kept + sizeof all.name + 1];

    spool_each_in(kept, see_document, &all);
    snprintf(path, sizeof path, "%s/%s", kept, all.name);
    return all.name[0] != '\0' &&
           (all.bytes > most || all.since < (double)before) &&
           unlink(path) == 0;
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

const char *spool_is_full(void)
{
    struct statvfs disk;

    while (statvfs(spool, &disk) == 0 && disk.f_blocks != 0 &&
           disk.f_bavail < disk.f_blocks / FREE_PART)
        if (!spool_drop(0, 0))
            return "The disk of the documents that wait is full";
    return NULL;
}

/* Whether the file may have that many more bytes, and how many it then may have
 * without another look. */
static bool has_room(struct papplfixes_file *file, size_t more, char *why)
{
    const char *full;

    file->is_too_large = file->bytes + more > most_of_document;
    if (file->is_too_large)
        return refuse(why, "The document has more than", most_of_document);
    const uint64_t all = all_files(file->path) + more;

    if (all > most_of_all)
        return refuse(why, "The documents that wait would have more than",
                      most_of_all);
    const uint64_t step = lesser(STEP, most_of_all - all);

    while (spool_drop(most_of_all - all - step, 0))
        ;
    if ((full = spool_is_full()) != NULL) {
        snprintf(why, PAPPLFIXES_WHY, "%s", full);
        return false;
    }
    file->allowed = lesser(most_of_document, file->bytes + more + step);
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
