/*
 * stamp.c - describes files, as stat() does, and hashes the text.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include <cups/cups.h>

#include "ppd/driver/stamp.h"
#include "page/choice.h"

#define DEEPEST 16 /* folders in a folder; links may make circles */

bool stamp_bytes(const void *bytes, size_t size, char stamp[STAMP_BYTES])
{
    unsigned char sum[32];

    return cupsHashData("sha2-256", bytes, size, sum, sizeof sum) ==
               sizeof sum &&
           cupsHashString(sum, sizeof sum, stamp, STAMP_BYTES) != NULL;
}

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

static void describe_source(FILE *out, const char *source)
{
    size_t length = strlen(source);

    if (length == 0) {
        describe_in(out, choice_data_directory(), "model");
        describe(out, "/usr/share/ppd", 0);
        describe(out, "/usr/local/share/ppd", 0);
        describe(out, "/opt/share/ppd", 0);
        return;
    }
    describe(out, source, 0);
    if (length > 4 && strcmp(source + length - 4, ".drv") == 0)
        describe_in(out, choice_data_directory(), "ppdc"); /* #include */
}

bool stamp_source(const char *source, char stamps[STAMPS][STAMP_BYTES])
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);

    if (out == NULL)
        return false;
    fprintf(out, PACKAGE_VERSION "\n");
    /* Another build of the same version may judge otherwise. */
    describe_in(out, choice_program_directory(), "ppd/driver/halftone");
    describe_in(out, choice_program_directory(), "daemon/cups-driverd");
    describe_source(out, source);
    bool ok =
        fflush(out) == 0 && stamp_bytes(text, size, stamps[STAMP_FOR_GOOD]);
    fprintf(out, "%lld\n", (long long)time(NULL) / 86400);
    ok = !ferror(out) && ok;
    ok = fclose(out) == 0 && ok &&
         stamp_bytes(text, size, stamps[STAMP_FOR_TODAY]);
    free(text);
    return ok;
}
