/*
 * list.c - judges the models of the sources that have changed.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#define _GNU_SOURCE /* memmem() */

#include "config.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "page/choice.h"
#include "driver/cache.h"
#include "driver/judge.h"
#include "driver/line.h"
#include "driver/list.h"
#include "driver/models.h"
#include "driver/sources.h"

/* A file, program or folder of PPDs. */
struct source {
    char *path;
    char stamp[DRIVER_CACHE_HASH];
    const char *lines; /* that are known; NULL = none */
    size_t size;       /* of them, in bytes */
};

struct list {
    struct driver_models models;
    size_t *of; /* [models.count], the source of each */
    struct source *sources;
    size_t count;
    struct driver_models changed; /* the models to judge */
    char (*suffixes)[DRIVER_SUFFIX];
};

/* ---- Sources ------------------------------------------------------------- */

/* Finds the source's lines in the older text: up to the next source. */
static void find_lines(struct source *source, const char *old, size_t size)
{
    char line[sizeof DRIVER_CACHE_SOURCE + DRIVER_CACHE_HASH];
    const char *end = old + size;

    snprintf(line, sizeof line, DRIVER_CACHE_SOURCE "%s\n", source->stamp);
    const char *found =
        old == NULL ? NULL : memmem(old, size, line, strlen(line));
    if (found == NULL)
        return;
    source->lines = found + strlen(line);
    const char *next = source->lines;
    while (next < end && *next == '"')
        next = (const char *)memchr(next, '\n', (size_t)(end - next)) + 1;
    source->size = (size_t)(next - source->lines);
}

/* Finds the source, or adds it. SIZE_MAX without memory. */
static size_t source_of(struct list *list, const char *path, const char *old,
                        size_t old_size)
{
    /* Mostly that of the model before. */
    for (size_t i = list->count; i-- > 0;)
        if (strcmp(list->sources[i].path, path) == 0)
            return i;
    struct source source = {.path = strdup(path)};
    if (source.path == NULL || !driver_cache_source(path, source.stamp)) {
        free(source.path);
        return SIZE_MAX;
    }
    find_lines(&source, old, old_size);
    list->sources[list->count] = source;
    return list->count++;
}

/* Sorts the models out: their sources, and those that are to be judged. */
static bool read_models(struct list *list, const char *old, size_t old_size)
{
    size_t count = list->models.count + 1; /* none is no failure */
    char path[2 * CHOICE_MAX_PATH];

    list->count = 0;
    list->of = calloc(count, sizeof *list->of);
    list->sources = calloc(count, sizeof *list->sources);
    list->changed.models = calloc(count, sizeof *list->changed.models);
    list->suffixes = calloc(count, sizeof *list->suffixes);
    if (list->of == NULL || list->sources == NULL || list->suffixes == NULL ||
        list->changed.models == NULL)
        return false;
    for (size_t i = 0; i < list->models.count; i++) {
        const struct driver_model *model = &list->models.models[i];
        driver_sources_of(model->name, path, sizeof path);
        size_t source = source_of(list, path, old, old_size);
        if (source == SIZE_MAX)
            return false;
        list->of[i] = source;
        if (list->sources[source].lines == NULL)
            list->changed.models[list->changed.count++] = *model;
    }
    return true;
}

/* ---- The text ------------------------------------------------------------ */

static void write_source(FILE *out, const struct list *list, size_t source)
{
    const struct source *of = &list->sources[source];
    size_t changed = 0;

    fprintf(out, DRIVER_CACHE_SOURCE "%s\n", of->stamp);
    if (of->lines != NULL) {
        fwrite(of->lines, 1, of->size, out);
        return;
    }
    for (size_t i = 0; i < list->models.count; i++) {
        if (list->sources[list->of[i]].lines != NULL)
            continue;
        const char *suffix = list->suffixes[changed++];
        if (list->of[i] == source && suffix[0] != '\0')
            driver_line_write(out, &list->models.models[i], suffix);
    }
}

static bool write_text(const struct list *list, char **text, size_t *size)
{
    FILE *out = open_memstream(text, size);

    if (out == NULL)
        return false;
    for (size_t i = 0; i < list->count; i++)
        write_source(out, list, i);
    bool ok = !ferror(out);
    return fclose(out) == 0 && ok;
}

bool driver_list_make(const char *old, size_t old_size, char **text,
                      size_t *size, const char **why)
{
    struct list list = {.count = 0};

    *why = "cups-driverd lists no PPDs";
    bool ok = driver_models_list(&list.models);
    if (ok) {
        *why = "no memory, or no more processes";
        ok = read_models(&list, old, old_size) &&
             driver_judge(&list.changed, list.suffixes) &&
             write_text(&list, text, size);
    }
    for (size_t i = 0; i < list.count; i++)
        free(list.sources[i].path);
    free(list.sources);
    free(list.of);
    free(list.suffixes);
    free(list.changed.models);
    driver_models_free(&list.models);
    return ok;
}
