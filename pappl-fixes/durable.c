/*
 * durable.c - writes files beside the old ones, and waits for the disk.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "pappl-fixes/durable.h"

#define MAX_PATH 1024

static bool write_all(int file, const void *data, size_t bytes)
{
    const uint8_t *at = data;

    while (bytes > 0) {
        const ssize_t wrote = write(file, at, bytes);

        if (wrote < 0 && errno == EINTR)
            continue;
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

bool durable_write(const char *path, const void *data, size_t bytes)
{
    char made[MAX_PATH];
    struct stat old;

    if (snprintf(made, sizeof made, "%s.new", path) >= (int)sizeof made) {
        errno = ENAMETOOLONG;
        return false;
    }
    const mode_t mode = stat(path, &old) == 0 ? old.st_mode & 0777 : 0600;
    const int file =
        open(made, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, mode);
    bool ok = file >= 0 && write_all(file, data, bytes);
    int error = errno;

    if (ok) {
        ok = sync_and_close(file) && rename(made, path) == 0 &&
             sync_folder(path);
        error = errno;
    } else if (file >= 0)
        close(file);
    if (!ok)
        unlink(made);
    errno = error;
    return ok;
}
