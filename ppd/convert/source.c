/*
 * source.c - reads PPDs, of no more than SOURCE_MOST bytes.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#define _GNU_SOURCE /* memfd_create() */

#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cups/file.h>

#include "page/choice.h"
#include "ppd/convert/source.h"
#include "ppd/convert/program.h"

/* CUPS marks all of its PPD functions so. */
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

int source_lack(int error)
{
    static const int lacks[] = {ENOMEM, EMFILE, ENFILE, EAGAIN,
                                ENOSPC, EDQUOT, EFBIG,  EIO};

    for (size_t i = 0; i < sizeof lacks / sizeof lacks[0]; i++)
        if (error == lacks[i])
            return error;
    return 0;
}

/* Always NULL. */
static void *refuse(char why[SOURCE_WHY], const char *text, int error)
{
    snprintf(why, SOURCE_WHY, "%s", text);
    errno = source_lack(error);
    return NULL;
}

/* ---- Bytes --------------------------------------------------------------- */

/* Reads all of a file, through gzip if it is compressed, and closes it. At the
 * end libcups reports an error without a number. */
static char *read_all(cups_file_t *file, size_t *size, char why[SOURCE_WHY])
{
    size_t room = 1 << 16, used = 0;
    char *bytes = malloc(room);
    ssize_t count = 0;

    errno = 0;
    while (bytes != NULL && used <= SOURCE_MOST &&
           (count = cupsFileRead(file, bytes + used, room - used)) > 0) {
        used += (size_t)count;
        if (used < room)
            continue;
        char *more = realloc(bytes, room *= 2);
        if (more == NULL)
            free(bytes);
        bytes = more;
    }
    int error = bytes == NULL ? ENOMEM : count < 0 ? errno : 0;
    cupsFileClose(file);
    *size = used;
    if (error == 0 && used > 0 && used <= SOURCE_MOST &&
        memchr(bytes, '\0', used) == NULL)
        return bytes;
    free(bytes);
    return refuse(why,
                  error != 0           ? strerror(error)
                  : used == 0          ? "is empty"
                  : used > SOURCE_MOST ? "is larger than 16 MiB"
                                       : "is not text",
                  error);
}

/* ---- By name ------------------------------------------------------------- */

char *source_read_listed(const char *name, size_t *size, char why[SOURCE_WHY])
{
    static const char unknown[] = "neither a file nor a PPD that CUPS offers";
    char path[CHOICE_MAX_PATH];
    const char *const argv[] = {path, "cat", name, NULL};
    struct other_program program;
    cups_file_t *file;
    char *bytes;

    snprintf(path, sizeof path, "%s/daemon/cups-driverd",
             choice_program_directory());
    if (!program_start(&program, argv))
        return refuse(why, unknown, errno);
    file = cupsFileOpenFd(program.output, "r");
    if (file == NULL) {
        close(program.output);
        bytes = refuse(why, strerror(ENOMEM), ENOMEM);
    } else {
        bytes = read_all(file, size, why);
    }
    int lack = bytes == NULL ? errno : 0;
    bool ended = program_end(&program);
    errno = lack;
    if (ended || lack != 0)
        return bytes;
    free(bytes);
    return refuse(why, unknown, 0);
}

char *source_read(const char *name, size_t *size, char why[SOURCE_WHY])
{
    int fd = strcmp(name, "-") == 0 ? dup(STDIN_FILENO)
                                    : open(name, O_RDONLY | O_CLOEXEC);
    cups_file_t *file;

    if (fd < 0 && errno == ENOENT)
        return source_read_listed(name, size, why);
    if (fd < 0)
        return refuse(why, strerror(errno), errno);
    file = cupsFileOpenFd(fd, "r");
    if (file != NULL)
        return read_all(file, size, why);
    close(fd);
    return refuse(why, strerror(ENOMEM), ENOMEM);
}

/* ---- libcups ------------------------------------------------------------- */

/* Puts the bytes into a file of memory, which is then read from its beginning.
 * NULL with errno. */
static cups_file_t *file_of(const char *bytes, size_t size)
{
    int fd = memfd_create("ppd", MFD_CLOEXEC);
    ssize_t count = 1;

    for (size_t at = 0; fd >= 0 && at < size && count > 0; at += (size_t)count)
        count = write(fd, bytes + at, size - at);
    cups_file_t *file = fd >= 0 && count > 0 && lseek(fd, 0, SEEK_SET) == 0
                            ? cupsFileOpenFd(fd, "r")
                            : NULL;
    int error = errno;
    if (file == NULL && fd >= 0)
        close(fd);
    errno = error;
    return file;
}

/* Tells whether libcups can read the PPD's lines within a second, and all of
 * them can be held. */
static bool is_bounded(const char *bytes, size_t size)
{
    static const char constraints[] = "*UIConstraints";
    const size_t word = sizeof constraints - 1;
    size_t statements = 0, lines = 0;
    char before = '\n';

    for (size_t i = 0; i < size && lines <= SOURCE_MOST_LINES;
         before = bytes[i++]) {
        const bool begins = before == '\n' || before == '\r';

        lines += begins && !(before == '\r' && bytes[i] == '\n');
        statements +=
            begins && bytes[i] == '*' &&
            (size - i < word || strncmp(bytes + i, constraints, word) != 0);
    }
    return statements <= SOURCE_MOST_STATEMENTS && lines <= SOURCE_MOST_LINES;
}

ppd_file_t *source_open(const char *bytes, size_t size, char why[SOURCE_WHY])
{
    int line;

    if (!is_bounded(bytes, size))
        return refuse(why, "has too many lines", 0);
    cups_file_t *file = file_of(bytes, size);
    if (file == NULL)
        return refuse(why, strerror(errno), errno);
    errno = 0;
    ppd_file_t *ppd = ppdOpen2(file);
    int error = errno;
    cupsFileClose(file);
    if (ppd == NULL) {
        ppd_status_t status = ppdLastError(&line);
        snprintf(why, SOURCE_WHY, "line %d: %s", line, ppdErrorString(status));
        errno = status == PPD_ALLOC_ERROR ? ENOMEM : source_lack(error);
    }
    return ppd;
}
