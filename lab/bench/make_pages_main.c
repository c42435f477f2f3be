/*
 * make_pages_main.c - writes pages of the benchmark as CUPS raster, for
 * measuring and comparing whole filters.
 *
 *   make-pages CONTENT 1|4 PAGES FILE
 *
 * A FILE called *.pwg is PWG raster.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lab/bench/content.h"
#include "lab/bench/raster_file.h"

#define MAX_PAGES 1000

static bool find_content(const char *name, enum content *content)
{
    for (int i = 0; i < CONTENTS; i++)
        if (strcmp(name, content_names[i]) == 0) {
            *content = (enum content)i;
            return true;
        }
    return false;
}

int main(int argc, char *argv[])
{
    enum content content;
    int inks = argc == 5 ? atoi(argv[2]) : 0;
    int pages = argc == 5 ? atoi(argv[3]) : 0;

    if ((inks != 1 && inks != 4) || pages < 1 || pages > MAX_PAGES ||
        !find_content(argv[1], &content)) {
        fputs("usage: make-pages CONTENT 1|4 PAGES FILE; contents are", stderr);
        for (int i = 0; i < CONTENTS; i++)
            fprintf(stderr, " %s", content_names[i]);
        fputc('\n', stderr);
        return 2;
    }
    uint8_t *samples = content_make(content, (uint32_t)inks);
    bool ok =
        samples != NULL &&
        raster_file_write(argv[4], samples, (uint32_t)inks, (unsigned)pages);
    if (!ok)
        fprintf(stderr, "%s: %s\n", argv[4], strerror(errno));
    free(samples);
    return ok ? 0 : 1;
}
