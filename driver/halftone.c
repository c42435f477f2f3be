/*
 * halftone.c - the program by which CUPS lists the PPDs of other drivers
 * with our dots, and makes them: doc/user/queues.md.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "driver/cache.h"
#include "driver/list.h"
#include "driver/models.h"
#include "ppd-convert/convert.h"
#include "ppd-convert/source.h"

/* A line for the log of CUPS. Always false. */
static bool complain(const char *what, const char *why)
{
    char line[CONVERT_WHY + 600];

    snprintf(line, sizeof line, "%s: %s", what, why);
    for (char *c = line; *c != '\0'; c++)
        if ((unsigned char)*c < ' ' || *c == 0x7f)
            *c = '?';
    fprintf(stderr, "ERROR: halftone: %s\n", line);
    return false;
}

/* ---- Listing ------------------------------------------------------------- */

/* Prints the lines of PPDs. */
static bool print(const char *text, size_t size)
{
    const char *end = text + size;
    bool ok = true;

    while (ok && text < end) {
        const char *next =
            (const char *)memchr(text, '\n', (size_t)(end - text)) + 1;
        size_t length = (size_t)(next - text);
        ok = *text != '"' || fwrite(text, 1, length, stdout) == length;
        text = next;
    }
    return ok;
}

/* Started by cups-driverd that we have started, it has nothing to say. */
static bool list(void)
{
    char stamp[DRIVER_CACHE_HASH];
    size_t size = 0, new_size;
    bool same = false;
    const char *why;
    char *new;

    if (getenv(DRIVER_GUARD) != NULL)
        return true;
    if (!driver_cache_stamp(stamp))
        return complain("list", "no memory");
    char *text = driver_cache_read(stamp, &size, &same);
    if (!same) {
        bool ok = driver_list_make(text, size, &new, &new_size, &why);
        free(text);
        if (!ok)
            return complain("list", why);
        text = new;
        size = new_size;
        if (!driver_cache_write(stamp, text, size))
            fprintf(stderr, "DEBUG: halftone: cannot keep the list\n");
    }
    bool ok = print(text, size);
    free(text);
    return ok;
}

/* ---- A PPD --------------------------------------------------------------- */

static bool cat(const char *name)
{
    const char *other = name + strlen(DRIVER_SCHEME);
    size_t size, converted_size;
    char why[CONVERT_WHY];

    if (strncmp(name, DRIVER_SCHEME, strlen(DRIVER_SCHEME)) != 0 ||
        !driver_models_is_other(other))
        return complain(name, "not the name of a PPD that can have our dots");
    char *bytes = source_read_listed(other, &size, why);
    if (bytes == NULL)
        return complain(name, why);
    char *converted =
        ppd_convert(bytes, size, DOTS_BY_KIND, &converted_size, why);
    free(bytes);
    if (converted == NULL)
        return complain(name, why);
    bool ok = fwrite(converted, 1, converted_size, stdout) == converted_size;
    free(converted);
    return ok;
}

int main(int argc, char **argv)
{
    bool ok;

    if (argc == 2 && strcmp(argv[1], "list") == 0) {
        ok = list();
    } else if (argc == 3 && strcmp(argv[1], "cat") == 0) {
        ok = cat(argv[2]);
    } else {
        fputs("Usage: halftone list\n       halftone cat halftone:PPD\n",
              stderr);
        return 2;
    }
    return fflush(stdout) == 0 && ok ? 0 : 1;
}
