/*
 * judge.c - converts PPDs in processes side by side.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <assert.h>
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "halftone/base/processors.h"
#include "ppd/driver/judge.h"
#include "ppd/driver/ppds.h"
#include "ppd/driver/sources.h"
#include "ppd/convert/convert.h"
#include "ppd/convert/text.h"

/* Of the models of one driver, how many are tried before the others. Fewer miss
 * more of those that have one model in many. */
#define SAMPLES 12
#define REASON 160 /* bytes of a reason that are compared */
#define NO_GROUP SIZE_MAX

/* UNSURE: not made by the driver, or of a conversion that crashed. */
enum state { UNKNOWN, CONVERTED, REFUSED, UNSURE, LEFT_OUT };

/* What a worker writes of a model. */
struct verdict {
    size_t model;
    enum state state;
    char text[REASON]; /* the suffix, or the reason */
    char rest[84];
};
static_assert(4096 % sizeof(struct verdict) == 0, "crew.h has them whole");

/* Models that a driver program makes for one driver. */
struct group {
    const char *driver;
    size_t count;  /* of models */
    size_t judged; /* ... in the first round */
    bool converts; /* one of them */
    bool differs;  /* the reasons why they do not */
    char reason[REASON];
};

struct judge {
    struct crew *crew;
    const struct driver_models *models;
    char (*suffixes)[JUDGE_SUFFIX];
    bool program;           /* makes the PPDs, which takes some 0.1 s, each */
    char folder[PPDS_PATH]; /* compiled PPDs */
    enum state *states;     /* [models->count] */
    size_t *groups;         /* [models->count], or NO_GROUP */
    size_t *todo;           /* [models->count], of which `count` */
    size_t count;
    struct group *list;
    size_t list_count;
    size_t workers;
    bool unsure;
};

/* ---- A worker ------------------------------------------------------------ */

/* What the converted PPD's name has behind that of the other. False without
 * memory. */
static bool find_suffix(const char *bytes, size_t size, char *suffix)
{
    struct ppd_text text;
    bool ok = ppd_text_split(&text, bytes, size);

    for (size_t i = 0; ok && i < text.count; i++) {
        const char *comma = strrchr(text.statements[i].value, ',');
        if (ppd_text_is(&text.statements[i], "NickName") && comma != NULL)
            snprintf(suffix, JUDGE_SUFFIX, "%s", comma);
    }
    ppd_text_free(&text);
    return ok;
}

/* False when something is lacking. */
static bool judge_model(const struct judge *judge, struct verdict *verdict)
{
    const char *name = judge->models->models[verdict->model].name;
    char why[CONVERT_WHY];
    size_t size, converted_size;
    char *bytes = ppds_read(judge->folder, name, &size, why);

    verdict->state = UNSURE;
    if (bytes == NULL)
        return errno == 0;
    char *converted =
        ppd_convert(bytes, size, DOTS_BY_KIND, &converted_size, why);
    bool ok = converted != NULL || errno == 0;
    free(bytes);
    if (converted != NULL)
        ok = find_suffix(converted, converted_size, verdict->text);
    verdict->state = verdict->text[0] != '\0' ? CONVERTED : REFUSED;
    if (converted == NULL)
        snprintf(verdict->text, sizeof verdict->text, "%.*s", REASON - 1, why);
    free(converted);
    return ok;
}

/* Does every so manieth of the work. */
static bool work(void *context, size_t worker, int output)
{
    const struct judge *judge = context;

    for (size_t i = worker; i < judge->count; i += judge->workers) {
        struct verdict verdict = {.model = judge->todo[i]};
        if (!judge_model(judge, &verdict) ||
            write(output, &verdict, sizeof verdict) != sizeof verdict)
            return false;
    }
    return true;
}

/* ---- Rounds -------------------------------------------------------------- */

static void take_one(struct judge *judge, const struct verdict *verdict)
{
    size_t group = judge->groups[verdict->model];

    judge->states[verdict->model] = verdict->state;
    judge->unsure = judge->unsure || verdict->state == UNSURE;
    if (verdict->state == CONVERTED)
        snprintf(judge->suffixes[verdict->model], JUDGE_SUFFIX, "%.*s",
                 JUDGE_SUFFIX - 1, verdict->text);
    if (group == NO_GROUP)
        return;
    struct group *of = &judge->list[group];
    if (verdict->state == CONVERTED)
        of->converts = true;
    else if (of->judged++ == 0)
        memcpy(of->reason, verdict->text, sizeof of->reason);
    else if (strcmp(of->reason, verdict->text) != 0)
        of->differs = true;
}

static void take(void *context, size_t worker, const char *bytes, size_t size)
{
    struct verdict verdict;

    (void)worker;
    for (; size >= sizeof verdict; size -= sizeof verdict) {
        memcpy(&verdict, bytes, sizeof verdict);
        take_one(context, &verdict);
        bytes += sizeof verdict;
    }
}

/* What a worker that has crashed was at: the first that it has not told. */
static void give_up_first(struct judge *judge, size_t worker)
{
    for (size_t i = worker; i < judge->count; i += judge->workers)
        if (judge->states[judge->todo[i]] == UNKNOWN) {
            judge->states[judge->todo[i]] = UNSURE;
            judge->unsure = true;
            return;
        }
}

/* Judges what is to do, except what workers that crash leave. */
static bool run(struct judge *judge)
{
    enum crew_end ends[CREW_MOST];
    bool ok = crew_run(judge->crew, judge->workers, work, take, judge, ends);

    for (size_t i = 0; ok && i < judge->workers; i++) {
        ok = ends[i] == CREW_DONE || ends[i] == CREW_CRASHED;
        if (ends[i] == CREW_CRASHED)
            give_up_first(judge, i);
    }
    return ok;
}

/* Judges all models that are UNKNOWN. */
static bool run_all(struct judge *judge)
{
    size_t processors = ht_processors();

    judge->workers = processors < CREW_MOST ? processors : CREW_MOST;
    do {
        judge->count = 0;
        for (size_t i = 0; i < judge->models->count; i++)
            if (judge->states[i] == UNKNOWN)
                judge->todo[judge->count++] = i;
    } while (judge->count > 0 && run(judge));
    return judge->count == 0;
}

/* ---- Groups -------------------------------------------------------------- */

/* The driver that a model's name says, as those of foomatic do, or "". */
static const char *driver_of(const struct driver_model *model)
{
    const char *word = strstr(model->model, " Foomatic/");

    return word == NULL ? "" : word;
}

static bool is_in(const struct group *group, const struct driver_model *model)
{
    const char *driver = driver_of(model);
    size_t length = driver[0] == '\0' ? 0 : 1 + strcspn(driver + 1, " ");
    size_t other =
        group->driver[0] == '\0' ? 0 : 1 + strcspn(group->driver + 1, " ");

    return length == other && strncmp(group->driver, driver, length) == 0;
}

static void group_models(struct judge *judge)
{
    for (size_t i = 0; i < judge->models->count; i++) {
        const struct driver_model *model = &judge->models->models[i];
        size_t group = 0;
        judge->groups[i] = NO_GROUP;
        if (!judge->program)
            continue;
        while (group < judge->list_count && !is_in(&judge->list[group], model))
            group++;
        if (group == judge->list_count)
            judge->list[judge->list_count++] =
                (struct group){.driver = driver_of(model)};
        judge->list[group].count++;
        judge->groups[i] = group;
    }
}

/* Leaves out all but SAMPLES of each group, as far apart as can be. */
static void leave_samples(struct judge *judge)
{
    size_t *seen = judge->todo; /* by group; not in use yet */

    memset(seen, 0, judge->models->count * sizeof *seen);
    for (size_t i = 0; i < judge->models->count; i++) {
        size_t group = judge->groups[i];
        if (group == NO_GROUP || judge->list[group].count <= SAMPLES)
            continue;
        size_t count = judge->list[group].count, nth = seen[group]++;
        if (nth * SAMPLES / count == (nth + 1) * SAMPLES / count)
            judge->states[i] = LEFT_OUT;
    }
}

/* Has those judged after all whose group is not refused as a whole. */
static void bring_back(struct judge *judge)
{
    for (size_t i = 0; i < judge->models->count; i++)
        if (judge->states[i] == LEFT_OUT &&
            (judge->list[judge->groups[i]].converts ||
             judge->list[judge->groups[i]].differs))
            judge->states[i] = UNKNOWN;
}

bool judge_models(struct crew *crew, const char *path,
                  const struct driver_models *models,
                  char (*suffixes)[JUDGE_SUFFIX], bool *unsure)
{
    size_t count = models->count + 1; /* none is no failure */
    const char *scheme = source_scheme(path);
    bool drv = strcmp(scheme, "drv") == 0;
    struct judge judge = {.crew = crew,
                          .models = models,
                          .suffixes = suffixes,
                          .program = !drv && path[0] != '\0',
                          .states = calloc(count, sizeof *judge.states),
                          .groups = calloc(count, sizeof *judge.groups),
                          .todo = calloc(count, sizeof *judge.todo),
                          .list = calloc(count, sizeof *judge.list)};
    bool ok = judge.states != NULL && judge.groups != NULL &&
              judge.todo != NULL && judge.list != NULL;

    memset(suffixes, 0, models->count * sizeof *suffixes);
    if (ok) {
        if (drv)
            ppds_compile(crew, path, judge.folder);
        group_models(&judge);
        leave_samples(&judge);
        ok = run_all(&judge);
        if (ok) {
            bring_back(&judge);
            ok = run_all(&judge);
        }
        ppds_remove(judge.folder);
    }
    *unsure = judge.unsure;
    free(judge.states);
    free(judge.groups);
    free(judge.todo);
    free(judge.list);
    return ok;
}
