/*
 * list.c - source by source: cups-driverd lists its models, which are judged,
 * and those that can be converted become lines.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ppd/driver/cache.h"
#include "ppd/driver/judge.h"
#include "ppd/driver/line.h"
#include "ppd/driver/list.h"
#include "ppd/driver/models.h"
#include "ppd/driver/ppds.h"

#define MOST                                                                   \
    7200 /* s, for all. With all of Debian's drivers it takes 2 min.           \
          */

struct list {
    struct crew *crew;
    struct sources sources;
    struct driver_models models; /* of `scheme`, as cups-driverd lists them */
    const char *scheme;
};

bool list_is_judged(const struct sources *sources)
{
    for (size_t i = 0; i < sources->count; i++)
        if (!source_is_judged(&sources->list[i]))
            return false;
    return true;
}

/* ---- A source ------------------------------------------------------------ */

/* Lists the models of the source's scheme, unless they have just been. */
static bool list_scheme(struct list *list, const char *scheme)
{
    if (list->scheme != NULL && strcmp(list->scheme, scheme) == 0)
        return true;
    models_free(&list->models);
    bool ok = models_list(&list->models, list->crew, scheme);
    list->scheme = ok ? scheme : NULL;
    return ok;
}

/* Takes those of the source, whose strings remain the list's. */
static bool pick(const struct list *list, const char *path,
                 struct driver_models *models)
{
    char of[PPDS_PATH];

    *models = (struct driver_models){
        .models = calloc(list->models.count + 1, sizeof *models->models)};
    for (size_t i = 0; models->models != NULL && i < list->models.count; i++) {
        ppds_source(list->models.models[i].name, of);
        if (strcmp(of, path) == 0)
            models->models[models->count++] = list->models.models[i];
    }
    return models->models != NULL;
}

/* Gives the source the lines of the models that have a suffix. */
static bool take_lines(struct source *source,
                       const struct driver_models *models,
                       char (*suffixes)[JUDGE_SUFFIX])
{
    char *lines = NULL;
    size_t size;
    FILE *out = open_memstream(&lines, &size);

    if (out == NULL)
        return false;
    for (size_t i = 0; i < models->count; i++)
        if (suffixes[i][0] != '\0')
            line_write(out, &models->models[i], suffixes[i]);
    bool ok = !ferror(out);
    if (fclose(out) != 0 || !ok) {
        free(lines);
        return false;
    }
    free(source->lines);
    source->lines = lines;
    source->size = size;
    return true;
}

/* Judges the source. What has no models may have had no memory to list them. */
static bool judge(struct list *list, struct source *source)
{
    struct driver_models models = {.count = 0};
    char(*suffixes)[JUDGE_SUFFIX] = NULL;
    bool unsure = false;
    bool ok = list_scheme(list, source_scheme(source->path)) &&
              pick(list, source->path, &models);

    if (ok)
        suffixes = calloc(models.count + 1, sizeof *suffixes);
    ok = suffixes != NULL &&
         judge_models(list->crew, source->path, &models, suffixes, &unsure) &&
         take_lines(source, &models, suffixes);
    if (ok) {
        unsure = unsure || models.count == 0;
        memcpy(source->stamp,
               source->now[unsure ? STAMP_FOR_TODAY : STAMP_FOR_GOOD],
               STAMP_BYTES);
    }
    free(models.models);
    free(suffixes);
    return ok;
}

/* ---- All ----------------------------------------------------------------- */

/* Judges the sources that have changed. False if one of them could not be;
 * `*some`: whether one was. */
static bool judge_changed(struct list *list, bool *some)
{
    bool ok = true;

    *some = false;
    for (size_t i = 0; i < list->sources.count && !list->crew->canceled; i++) {
        struct source *source = &list->sources.list[i];
        if (source_is_judged(source))
            continue;
        if (!judge(list, source)) {
            ok = false;
            if (!list->crew->canceled)
                fprintf(stderr,
                        "WARNING: halftone: cannot judge the PPDs of %s now\n",
                        source->path[0] == '\0' ? "files" : source->path);
            continue;
        }
        *some = true;
        if (!cache_write(&list->sources)) {
            fprintf(stderr, "WARNING: halftone: cannot keep the list: %s\n",
                    strerror(errno));
            return *some = false;
        }
    }
    return ok && !list->crew->canceled;
}

/* One round, of the sources that there are now. */
static bool judge_round(struct crew *crew, bool *some)
{
    struct list list = {.crew = crew};

    *some = false;
    bool ok = sources_find(&list.sources) && cache_read(&list.sources) &&
              judge_changed(&list, some);
    models_free(&list.models);
    sources_free(&list.sources);
    return ok;
}

bool list_judge(void)
{
    struct crew crew;
    bool some, ok = crew_open(&crew, MOST);

    if (ok)
        do
            ok = judge_round(&crew, &some);
        while (ok && some);
    crew_close(&crew);
    return ok;
}
