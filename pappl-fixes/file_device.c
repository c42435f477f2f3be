/*
 * file_device.c - files as devices, and folders in which each job is a file.
 *
 * PAPPL 1.3 makes the file's name of the job's (pappl_file_open,
 * device-file.c:80-135): one that is longer than a file's name may be cannot be
 * opened, and is tried again every 5 s while the queue is "paused" for ever. It
 * writes over the file of an earlier job of that name, makes hidden files, and
 * underscores of what is not ASCII, and takes pipes and sockets without opening
 * them. So this is the scheme "file" in its place.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "halftone/base/utf8.h"
#include "pappl-fixes/replaced.h"

#define MAX_PATH 1024
#define MOST_NUMBER 100000 /* files of one name */
#define NUMBER_BYTES 8     /* "-99999" and a point */

/* ---- Names ----------------------------------------------------------------
 */

/* Makes the beginning of a file's name of a job's: nobody's path, and not
 * hidden. `room` is at least 2 bytes. */
static void name_file(char *to, size_t room, const char *job)
{
    if (utf8_copy(to, room, job, '_') == 0)
        snprintf(to, room, "_");
    for (char *c = to; *c != '\0'; c++)
        if (*c == '/')
            *c = '_';
    if (to[0] == '.')
        to[0] = '_';
}

/* Makes a file "JOB.EXTENSION", "JOB-2.EXTENSION", ... that was not there.
 * Returns it, or -1 with errno set. */
static int make_file(const char *folder, const char *job, const char *extension,
                     char path[MAX_PATH])
{
    const size_t end = strlen(extension) + NUMBER_BYTES;
    char name[NAME_MAX + 1];

    errno = ENAMETOOLONG;
    if (end + 2 > sizeof name)
        return -1;
    name_file(name, sizeof name - end, job);
    for (int number = 1; number < MOST_NUMBER; number++) {
        char suffix[NUMBER_BYTES] = "";

        if (number > 1)
            snprintf(suffix, sizeof suffix, "-%d", number);
        const int length = snprintf(path, MAX_PATH, "%s/%s%s.%s", folder, name,
                                    suffix, extension);
        if (length < 0 || length >= MAX_PATH) {
            errno = ENAMETOOLONG;
            return -1;
        }
        const int fd =
            open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);

        if (fd >= 0 || errno != EEXIST)
            return fd;
    }
    return -1;
}

/* ---- The device ------------------------------------------------------------
 */

struct file_device {
    int fd;
    bool is_job;         /* it was made for the job, and goes if it is empty */
    char path[MAX_PATH]; /* which file */
};

/* Opens what is at the path of an address. */
static int open_path(struct file_device *to, char path[MAX_PATH],
                     const char *job)
{
    const char *extension = "prn";
    char *options = strchr(path, '?');
    struct stat info = {.st_mode = S_IFREG};
    bool is_folder = false; /* whatever is there */

    if (options != NULL) {
        *options++ = '\0';
        is_folder = strncmp(options, "ext=", 4) == 0;
        if (is_folder && strchr(options, '/') == NULL)
            extension = options + 4;
    }
    snprintf(to->path, MAX_PATH, "%s", path);
    if (stat(path, &info) < 0 && (is_folder || errno != ENOENT))
        return -1;
    to->is_job = S_ISDIR(info.st_mode);
    if (to->is_job)
        return make_file(path, job, extension, to->path);
    if (S_ISCHR(info.st_mode))
        return open(path, O_WRONLY | O_CLOEXEC);
    if (S_ISREG(info.st_mode))
        return open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0666);
    errno = EINVAL;
    return -1;
}

static bool open_device(pappl_device_t *device, const char *uri,
                        const char *job)
{
    char scheme[32], user[256], host[256], path[MAX_PATH];
    struct file_device *to = calloc(1, sizeof *to);
    int port;

    if (to == NULL) {
        papplDeviceError(device, "Not enough memory");
        return false;
    }
    if (httpSeparateURI(HTTP_URI_CODING_ALL, uri, scheme, sizeof scheme, user,
                        sizeof user, host, sizeof host, &port, path,
                        sizeof path) < HTTP_URI_STATUS_OK) {
        papplDeviceError(device, "\"%s\" is no address of a file", uri);
        free(to);
        return false;
    }
    to->fd = open_path(to, path, job != NULL ? job : "");
    if (to->fd < 0) {
        papplDeviceError(device, "Cannot write %s: %s", to->path,
                         strerror(errno));
        free(to);
        return false;
    }
    papplDeviceSetData(device, to);
    return true;
}

static void close_device(pappl_device_t *device)
{
    struct file_device *to = papplDeviceGetData(device);
    struct stat info;

    if (to != NULL && to->is_job && fstat(to->fd, &info) == 0 &&
        info.st_size == 0)
        unlink(to->path);
    if (to != NULL && close(to->fd) < 0)
        papplDeviceError(device, "Cannot write: %s", strerror(errno));
    free(to);
    papplDeviceSetData(device, NULL);
}

static ssize_t write_device(pappl_device_t *device, const void *data,
                            size_t bytes)
{
    const struct file_device *to = papplDeviceGetData(device);
    const char *rest = data;

    while (bytes > 0) {
        const ssize_t written = write(to->fd, rest, bytes);

        if (written < 0 && (errno == EINTR || errno == EAGAIN))
            continue; /* stalls.c ends it */
        if (written < 0) {
            papplDeviceError(device, "Cannot write: %s", strerror(errno));
            return -1;
        }
        rest += written;
        bytes -= (size_t)written;
    }
    return rest - (const char *)data;
}

void _papplDeviceAddFileScheme(void)
{
    papplDeviceAddScheme("file", PAPPL_DEVTYPE_FILE, NULL, open_device,
                         close_device, NULL, write_device, NULL, NULL);
}
