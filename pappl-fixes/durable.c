/*
 * durable.c - writes files beside the old ones, and waits for the disk.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#define _GNU_SOURCE /* fallocate() */

#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "pappl-fixes/durable.h"

#define MAX_PATH 2048

/* Held while a file is written beside the one that it replaces. */
static pthread_mutex_t writing = PTHREAD_MUTEX_INITIALIZER;

bool durable_put(int file, const void *data, size_t bytes)
{
    const char *at = data;

    while (bytes > 0) {
        const ssize_t wrote = write(file, at, bytes);

        if (wrote < 0 && errno == EINTR)
            continue;
        if (wrote == 0)
            errno = ENOSPC;
        if (wrote <= 0)
            return false;
        at += wrote;
        bytes -= (size_t)wrote;
    }
    return true;
}

/* Writes the names in a file's folder to the disk. */
static bool sync_folder(const char *path)
{
    char folder[MAX_PATH];
    char *slash;

    snprintf(folder, sizeof folder, "%s", path);
    slash = strrchr(folder, '/');
    if (slash == NULL)
        strcpy(folder, ".");
    else
        slash[slash == folder] = '\0';

    const int file = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    const bool ok = file >= 0 && fsync(file) == 0;
    const int error = errno;

    if (file >= 0)
        close(file);
    errno = error;
    return ok;
}

static bool sync_and_close(int file)
{
    const bool ok = fsync(file) == 0;
    const int error = errno;
    const bool closed = close(file) == 0;

    if (!ok)
        errno = error;
    return ok && closed;
}

bool durable_close(int file, const char *path)
{
    return file >= 0 && sync_and_close(file) && sync_folder(path);
}

/* Writes the file and gives it its name. Needs the lock. */
static bool replace(const char *path, const char *made, const void *data,
                    size_t bytes, mode_t mode)
{
    const int file =
        open(made, O_WRONLY | O_CREAT | O_NOFOLLOW | O_CLOEXEC, mode);

    if (file < 0)
        return false;
    if (durable_put(file, data, bytes) && ftruncate(file, (off_t)bytes) == 0)
        return sync_and_close(file) && rename(made, path) == 0 &&
               sync_folder(path);
    const int error = errno;

    close(file);
    errno = error;
    return false;
}

bool papplfixes_save(const char *path, const void *data, size_t bytes,
                     mode_t mode)
{
    char made[MAX_PATH], room[MAX_PATH + 1];
    struct stat old;

    snprintf(room, sizeof room, "%s.room", path);
    if (snprintf(made, sizeof made, "%s.new", path) >= (int)sizeof made) {
        errno = ENAMETOOLONG;
        return false;
    }
    if (stat(path, &old) == 0)
        mode = old.st_mode & 0777;
    pthread_mutex_lock(&writing);
    (void)rename(room, made);
    const bool ok = replace(path, made, data, bytes, mode);
    const int error = errno;

    if (!ok)
        unlink(made);
    pthread_mutex_unlock(&writing);
    errno = error;
    return ok;
}

bool durable_reserve(const char *path, off_t more)
{
    struct stat old = {.st_mode = 0600};
    char room[MAX_PATH];

    snprintf(room, sizeof room, "%s.room", path);
    pthread_mutex_lock(&writing);
    (void)stat(path, &old);
    const int file = open(room, O_WRONLY | O_CREAT | O_NOFOLLOW | O_CLOEXEC,
                          old.st_mode & 0777);
    const bool ok = file >= 0 && (fallocate(file, FALLOC_FL_KEEP_SIZE, 0,
                                            old.st_size + more) == 0 ||
                                  errno == EOPNOTSUPP);

    if (file >= 0)
        close(file);
    pthread_mutex_unlock(&writing);
    return ok;
}

bool durable_lock(const char *path, pid_t *holder)
{
    struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    const int file =
        open(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600);

    *holder = 0;
    if (file < 0 || fcntl(file, F_SETLK, &lock) == 0)
        return file >= 0;
    const int error = errno == EACCES ? EAGAIN : errno;

    if (fcntl(file, F_GETLK, &lock) == 0 && lock.l_type != F_UNLCK)
        *holder = lock.l_pid;
    close(file);
    errno = error;
    return false;
}
