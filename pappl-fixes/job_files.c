/*
 * job_files.c - the attributes of a job are never half a file.
 *
 * PAPPL 1.3 writes those of all jobs that wait anew whenever it saves
 * (system-loadsave.c:582-593), each into the file that it truncates, and looks
 * at no error: who is killed then has lost options of jobs that were accepted
 * long ago, and with a full disk all of them. Here PAPPL writes into memory,
 * and what has changed replaces the file. That is at most one job, as a rule.
 *
 * Whenever it saves it also removes the file of each job that has ended, with
 * locks that new jobs wait for: 100 jobs that have none are 200 calls of the
 * kernel's. Here the folder is read once.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#define _GNU_SOURCE /* memfd_create() */

#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "pappl-fixes/deletion.h"
#include "pappl-fixes/durable.h"
#include "pappl-fixes/job_files.h"
#include "pappl-fixes/replaced.h"
#include "pappl-fixes/spool.h"

#define MAX_PATH 1024

struct file_of {
    int printer, job;
};

/* Files that this thread saves. */
static _Thread_local struct {
    bool saves;
    int made; /* what PAPPL writes of a job; -1 = nothing */
    int error;
    char path[MAX_PATH];
    struct file_of *files; /* that are there, or were when the saving began */
    size_t count, room;
} mine = {.made = -1};

/* Returns what is in the file, which the caller frees, and closes it; NULL if
 * that cannot be read. */
static void *read_all(int file, size_t *bytes)
{
    struct stat info;
    char *data = NULL;

    if (fstat(file, &info) == 0 && info.st_size >= 0)
        data = malloc((size_t)info.st_size + 1);
    if (data != NULL &&
        pread(file, data, (size_t)info.st_size, 0) == (ssize_t)info.st_size) {
        *bytes = (size_t)info.st_size;
        close(file);
        return data;
    }
    free(data);
    close(file);
    return NULL;
}

/* Replaces the file of the last job, unless it has the same already. */
static void replace(void)
{
    size_t bytes = 0, old_bytes = 0;

    if (mine.made < 0)
        return;
    void *data = read_all(mine.made, &bytes), *old = NULL;
    const int file = open(mine.path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);

    mine.made = -1;
    if (file >= 0)
        old = read_all(file, &old_bytes);
    if (data == NULL)
        mine.error = ENOMEM;
    else if ((old == NULL || old_bytes != bytes ||
              memcmp(old, data, bytes) != 0) &&
             !papplfixes_save(mine.path, data, bytes, 0600))
        mine.error = errno;
    free(data);
    free(old);
}

static void keep_name(const struct spool_name *name, void *data)
{
    const size_t size = strlen(name->name);

    (void)data;
    if (size < 4 || strcmp(name->name + size - 4, ".ipp") != 0)
        return;
    if (mine.count == mine.room) {
        const size_t room = 2 * mine.room + 16;
        struct file_of *files = realloc(mine.files, room * sizeof *files);

        if (files == NULL)
            return; /* another saving removes it */
        mine.files = files;
        mine.room = room;
    }
    mine.files[mine.count++] = (struct file_of){name->printer, name->job};
}

static bool has_file(pappl_job_t *job)
{
    const int printer = papplPrinterGetID(papplJobGetPrinter(job)),
              id = papplJobGetID(job);

    for (size_t i = 0; i < mine.count; i++)
        if (mine.files[i].printer == printer && mine.files[i].job == id)
            return true;
    return false;
}

void job_files_begin(void)
{
    mine.saves = true;
    mine.error = 0;
    spool_each(keep_name, NULL);
}

bool job_files_end(void)
{
    replace();
    mine.saves = false;
    free(mine.files);
    mine.files = NULL;
    mine.count = mine.room = 0;
    errno = mine.error;
    return mine.error == 0;
}

/* Asks PAPPL for the path of a job's attributes; "" without a folder. */
static void find_path(pappl_job_t *job, char *path, size_t room,
                      const char *folder)
{
    path[0] = '\0';
    const int old = REAL(papplJobOpenFile)(job, path, room, folder, "ipp", "r");

    if (old >= 0)
        close(old);
}

void job_files_start(pappl_job_t *job, char start[static MAX_PATH])
{
    char path[MAX_PATH];

    find_path(job, path, sizeof path, NULL);
    const char *slash = strrchr(path, '/'), *dot = strrchr(path, '.');

    start[0] = '\0';
    if (slash != NULL && dot > slash)
        snprintf(start, MAX_PATH, "%.*s", (int)(dot - slash), slash + 1);
}

/* Opens memory for what PAPPL saves of a job. */
static int open_memory(pappl_job_t *job, char *name, size_t room,
                       const char *directory)
{
    replace();
    if (deletion_is_done(papplPrinterGetID(papplJobGetPrinter(job))))
        return memfd_create("job", MFD_CLOEXEC); /* for nobody */
    errno = ENOENT; /* stays without a folder, which PAPPL logs */
    find_path(job, name, room, directory);
    snprintf(mine.path, sizeof mine.path, "%s", name);
    if (name[0] != '\0')
        mine.made = memfd_create("job", MFD_CLOEXEC);

    const int file = mine.made >= 0 ? fcntl(mine.made, F_DUPFD_CLOEXEC, 0) : -1;

    if (file >= 0)
        return file;
    mine.error = errno;
    if (mine.made >= 0)
        close(mine.made);
    mine.made = -1;
    return -1;
}

int papplJobOpenFile(pappl_job_t *job, char *name, size_t room,
                     const char *directory, const char *extension,
                     const char *mode)
{
    if (mine.saves && extension != NULL && strcmp(extension, "ipp") == 0 &&
        strcmp(mode, "w") == 0)
        return open_memory(job, name, room, directory);
    if (mine.saves && strcmp(mode, "x") == 0 && !has_file(job))
        return 0;
    return REAL(papplJobOpenFile)(job, name, room, directory, extension, mode);
}
