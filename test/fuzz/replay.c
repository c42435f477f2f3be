/*
 * replay.c - stands in for a fuzzer: gives a target the files that are named,
 * and all files of folders, one by one.
 *
 *   fuzz-TARGET FILE|FOLDER...
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <dirent.h>
#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static unsigned count;

static bool complain(const char *path)
{
    fprintf(stderr, "%s: %s\n", path, strerror(errno));
    return false;
}

/* The bytes of a file, to be freed; NULL with errno set. A copy of their very
 * size, so that a sanitizer sees what reads behind them. */
static uint8_t *bytes_of(const char *path, size_t *size)
{
    FILE *file = fopen(path, "rb");
    uint8_t *bytes = NULL;
    long length;

    if (file == NULL)
        return NULL;
    if (fseek(file, 0, SEEK_END) == 0 && (length = ftell(file)) >= 0) {
        *size = (size_t)length;
        rewind(file);
        bytes = malloc(*size > 0 ? *size : 1);
        if (bytes != NULL && fread(bytes, 1, *size, file) != *size) {
            free(bytes);
            bytes = NULL;
        }
    }
    fclose(file);
    return bytes;
}

static bool replay_file(const char *path)
{
    size_t size;
    uint8_t *bytes = bytes_of(path, &size);

    if (bytes == NULL)
        return complain(path);
    fprintf(stderr, "%s\n", path); /* what aborts is the last one */
    LLVMFuzzerTestOneInput(bytes, size);
    free(bytes);
    count++;
    return true;
}

static bool replay(const char *path)
{
    char name[4096];
    struct dirent **files;
    bool ok = true;
    int n = scandir(path, &files, NULL, alphasort);

    if (n < 0)
        return errno == ENOTDIR ? replay_file(path) : complain(path);
    for (int i = 0; i < n; i++) {
        snprintf(name, sizeof name, "%s/%s", path, files[i]->d_name);
        if (files[i]->d_name[0] != '.')
            ok = replay_file(name) && ok;
        free(files[i]);
    }
    free(files);
    return ok;
}

int main(int argc, char *argv[])
{
    bool ok = argc > 1;

    for (int i = 1; i < argc; i++)
        ok = replay(argv[i]) && ok;
    printf("%u inputs\n", count);
    return ok && count > 0 ? 0 : 1;
}
