/*
 * cache.c - a file in CUPS's cache folder, where cups-driverd keeps its
 * own list and all filters can write, too. Its first line has the stamp and the
 * hash of all others.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cups/cups.h>

#include "page/choice.h"
#include "driver/cache.h"
#include "driver/line.h"

#define NAME "halftone-drivers"
#define TITLE NAME " 1 "  /* another format has another number */
#define MOST (size_t)16e6 /* bytes; 20,000 lines have 5 MB */
#define DEEPEST 16        /* folders in a folder; links may make circles */
#define HEADER 200        /* bytes, at least those of the first line */
#define FOLDER "/var/cache/cups" /* where CUPS has it if it does not say so */

static bool hash(const void *bytes, size_t size, char text[DRIVER_CACHE_HASH])
{
    unsigned char sum[32];

    return cupsHashData("sha2-256", bytes, size, sum, sizeof sum) ==
               sizeof sum &&
           cupsHashString(sum, sizeof sum, text, DRIVER_CACHE_HASH) != NULL;
}

/* ---- The stamp ----------------------------------------------------------- */

/* Writes a line about each file below `path`, in the order of their names. */
static void describe(FILE *out, const char *path, int depth)
{
    struct dirent **entries = NULL;
    struct stat info;

    if (stat(path, &info) != 0)
        return;
    fprintf(out, "%s %ld.%09ld %ld.%09ld %lld %llu %o\n", path,
            (long)info.st_mtim.tv_sec, info.st_mtim.tv_nsec,
            (long)info.st_ctim.tv_sec, info.st_ctim.tv_nsec,
            (long long)info.st_size, (unsigned long long)info.st_ino,
            (unsigned)info.st_mode);
    if (!S_ISDIR(info.st_mode) || depth == DEEPEST)
        return;
    int count = scandir(path, &entries, NULL, alphasort);
    for (int i = 0; i < count; i++) {
        const char *name = entries[i]->d_name;
        char *below;
        if (strcmp(name, ".") != 0 && strcmp(name, "..") != 0 &&
            asprintf(&below, "%s/%s", path, name) >= 0) {
            describe(out, below, depth + 1);
            free(below);
        }
        free(entries[i]);
    }
    free(entries);
}

static void describe_in(FILE *out, const char *folder, const char *name)
{
    char path[CHOICE_MAX_PATH];

    snprintf(path, sizeof path, "%s/%s", folder, name);
    describe(out, path, 0);
}

static void describe_files(FILE *out)
{
    describe_in(out, choice_data_directory(), "model");
    describe(out, "/usr/share/ppd", 0);
    describe(out, "/usr/local/share/ppd", 0);
    describe(out, "/opt/share/ppd", 0);
}

/* Hashes what `write` writes, behind our version. */
static bool stamp_of(void (*write)(FILE *out, const char *source),
                     const char *source, char stamp[DRIVER_CACHE_HASH])
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);

    if (out == NULL)
        return false;
    fprintf(out, PACKAGE_VERSION "\n");
    /* Another build of the same version may judge otherwise. */
    describe_in(out, choice_program_directory(), "driver/halftone");
    write(out, source);
    bool ok = !ferror(out);
    ok = fclose(out) == 0 && ok && hash(text, size, stamp);
    free(text);
    return ok;
}

static void describe_all(FILE *out, const char *source)
{
    (void)source;
    describe_in(out, choice_data_directory(), "drv");
    describe_in(out, choice_data_directory(), "ppdc");
    describe_in(out, choice_program_directory(), "daemon/cups-driverd");
    describe_in(out, choice_program_directory(), "driver");
    describe_files(out);
}

bool driver_cache_stamp(char stamp[DRIVER_CACHE_HASH])
{
    return stamp_of(describe_all, NULL, stamp);
}

static void describe_source(FILE *out, const char *source)
{
    if (source[0] == '\0')
        describe_files(out);
    else
        describe(out, source, 0);
    /* What .drv files include. */
    describe_in(out, choice_data_directory(), "ppdc");
}

bool driver_cache_source(const char *source, char stamp[DRIVER_CACHE_HASH])
{
    return stamp_of(describe_source, source, stamp);
}

/* ---- The file ------------------------------------------------------------ */

static void path_of(char *path, size_t size)
{
    const char *folder = getenv("CUPS_CACHEDIR");

    snprintf(path, size, "%s/" NAME, folder == NULL ? FOLDER : folder);
}

/* Opens the file if it can be ours. A FIFO must not keep us. */
static FILE *open_kept(size_t *size)
{
    char path[CHOICE_MAX_PATH];
    struct stat info;

    path_of(path, sizeof path);
    int file = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (file < 0)
        return NULL;
    if (fstat(file, &info) == 0 && S_ISREG(info.st_mode) &&
        (info.st_uid == 0 || info.st_uid == geteuid()) &&
        (info.st_mode & 022) == 0 && info.st_size > 0 &&
        (size_t)info.st_size <= MOST) {
        *size = (size_t)info.st_size;
        FILE *stream = fdopen(file, "r");
        if (stream != NULL)
            return stream;
    }
    close(file);
    return NULL;
}

/* Writes the first line of a file with this text. */
static bool make_header(const char *stamp, const char *text, size_t size,
                        char header[HEADER])
{
    char sum[DRIVER_CACHE_HASH];

    if (!hash(text, size, sum))
        return false;
    snprintf(header, HEADER, TITLE "%s %s\n", sum, stamp);
    return true;
}

static bool are_lines(const char *text, size_t size)
{
    while (size > 0) {
        const char *end = memchr(text, '\n', size);
        size_t length = end == NULL ? 0 : (size_t)(end - text);
        bool source = length == strlen(DRIVER_CACHE_SOURCE) + 64 &&
                      strncmp(text, DRIVER_CACHE_SOURCE,
                              strlen(DRIVER_CACHE_SOURCE)) == 0;
        if (end == NULL || (!source && !driver_line_is_valid(text, length)))
            return false;
        size -= length + 1;
        text = end + 1;
    }
    return true;
}

char *driver_cache_read(const char *stamp, size_t *size, bool *same)
{
    size_t most = 0;
    FILE *file = open_kept(&most);
    char wanted[HEADER], header[HEADER];
    char *text = NULL;

    if (file == NULL)
        return NULL;
    if (fgets(header, sizeof header, file) != NULL)
        text = malloc(most);
    if (text != NULL) {
        *size = fread(text, 1, most, file);
        /* The stamp, which may be another, ends the first line. */
        bool ours =
            make_header(stamp, text, *size, wanted) &&
            strlen(wanted) == strlen(header) &&
            strncmp(wanted, header, strlen(header) - DRIVER_CACHE_HASH) == 0 &&
            are_lines(text, *size);
        *same = ours && strcmp(wanted, header) == 0;
        if (!ours) {
            free(text);
            text = NULL;
        }
    }
    fclose(file);
    return text;
}

bool driver_cache_write(const char *stamp, const char *text, size_t size)
{
    char path[CHOICE_MAX_PATH], next[CHOICE_MAX_PATH + 8], header[HEADER];

    path_of(path, sizeof path);
    snprintf(next, sizeof next, "%s.XXXXXX", path);
    if (size > MOST - HEADER || !make_header(stamp, text, size, header))
        return false;
    int file = mkstemp(next);
    FILE *out = file < 0 ? NULL : fdopen(file, "w");
    if (out == NULL) {
        if (file >= 0) {
            close(file);
            remove(next);
        }
        return false;
    }
    bool ok = fputs(header, out) >= 0 && fwrite(text, 1, size, out) == size &&
              fchmod(file, 0644) == 0;
    ok = fclose(out) == 0 && ok && rename(next, path) == 0;
    if (!ok)
        remove(next);
    return ok;
}
