/*
 * source.c - reads PPDs, of no more than SOURCE_MOST bytes.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cups/file.h>

#include "page/choice.h"
#include "ppd-convert/source.h"
#include "ppd-convert/program.h"

/* CUPS marks all of its PPD functions so. */
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

/* Always NULL. */
static void *refuse(char why[SOURCE_WHY], const char *text)
{
    snprintf(why, SOURCE_WHY, "%s", text);
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
    return refuse(why, error != 0           ? strerror(error)
                       : used == 0          ? "is empty"
                       : used > SOURCE_MOST ? "is larger than 16 MiB"
                                            : "is not text");
}

/* ---- By name ------------------------------------------------------------- */

char *source_read_listed(const char *name, size_t *size, char why[SOURCE_WHY])
{
    static const char unknown[] = "neither a file nor a PPD that CUPS offers";
    char path[CHOICE_MAX_PATH];
    const char *const argv[] = {path, "cat", name, NULL};
    struct program program;
    cups_file_t *file;
    char *bytes;

    snprintf(path, sizeof path, "%s/daemon/cups-driverd",
             choice_program_directory());
    if (!program_start(&program, argv))
        return refuse(why, unknown);
    file = cupsFileOpenFd(program.output, "r");
    if (file == NULL) {
        close(program.output);
        bytes = refuse(why, strerror(ENOMEM));
    } else {
        bytes = read_all(file, size, why);
    }
    if (program_end(&program))
        return bytes;
    free(bytes);
    return refuse(why, unknown);
}

char *source_read(const char *name, size_t *size, char why[SOURCE_WHY])
{
    int fd = strcmp(name, "-") == 0 ? dup(STDIN_FILENO)
                                    : open(name, O_RDONLY | O_CLOEXEC);
    cups_file_t *file;

    if (fd < 0 && errno == ENOENT)
        return source_read_listed(name, size, why);
    if (fd < 0)
        return refuse(why, strerror(errno));
    file = cupsFileOpenFd(fd, "r");
    if (file != NULL)
        return read_all(file, size, why);
    close(fd);
    return refuse(why, strerror(ENOMEM));
}

/* ---- libcups ------------------------------------------------------------- */

ppd_file_t *source_open(const char *bytes, size_t size, char why[SOURCE_WHY])
{
    FILE *file = tmpfile();
    ppd_file_t *ppd = NULL;
    int line;

    if (file == NULL)
        return refuse(why, strerror(errno));
    if (fwrite(bytes, 1, size, file) != size || fflush(file) != 0) {
        refuse(why, strerror(errno));
    } else {
        rewind(file);
        ppd = ppdOpen(file);
        if (ppd == NULL) {
            ppd_status_t status = ppdLastError(&line);
            snprintf(why, SOURCE_WHY, "line %d: %s", line,
                     ppdErrorString(status));
        }
    }
    fclose(file);
    return ppd;
}
