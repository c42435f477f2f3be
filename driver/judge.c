/*
 * judge.c - converts PPDs in processes side by side. A PPD that ends its
 * process counts as one that cannot be converted.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/processors.h"
#include "driver/judge.h"
#include "driver/sources.h"
#include "ppd-convert/convert.h"
#include "ppd-convert/text.h"
#include "ppd-convert/program.h"

/* More are slower where many processes share few disks and much memory. */
#define MOST_WORKERS 16
/* Of the models of one driver, how many are tried before the others. Fewer miss
 * more of those that have one model in many. */
#define SAMPLES 12
#define REASON 160 /* bytes of a reason that are compared */
#define NO_GROUP SIZE_MAX

enum state { UNKNOWN, CONVERTED, REFUSED, LEFT_OUT };

/* What a worker writes of a model, at once: fewer bytes than a pipe splits. */
struct verdict {
    size_t model;
    enum state state;
    char text[REASON]; /* the suffix, or the reason */
};

/* Models that a driver program makes for one driver. */
struct group {
    const char *name; /* of a model in it */
    const char *driver;
    size_t count;  /* of models */
    size_t judged; /* ... in the first round */
    bool converts; /* one of them */
    bool differs;  /* the reasons why they do not */
    char reason[REASON];
};

struct judge {
    const struct driver_models *models;
    char (*suffixes)[DRIVER_SUFFIX];
    char folder[1024];  /* compiled PPDs */
    enum state *states; /* [models->count] */
    size_t *groups;     /* [models->count], or NO_GROUP */
    size_t *todo;       /* [models->count], of which `count` */
    size_t count;
    struct group *list;
    size_t list_count;
};

/* ---- A worker ------------------------------------------------------------ */

/* What the converted PPD's name has behind that of the other. */
static void find_suffix(const char *bytes, size_t size, char *suffix)
{
    struct ppd_text text;

    suffix[0] = '\0';
    if (!ppd_text_split(&text, bytes, size))
        return;
    for (size_t i = 0; i < text.count; i++) {
        const char *comma = strrchr(text.statements[i].value, ',');
        if (ppd_text_is(&text.statements[i], "NickName") && comma != NULL)
            snprintf(suffix, DRIVER_SUFFIX, "%s", comma);
    }
    ppd_text_free(&text);
}

static void judge_model(const struct judge *judge, struct verdict *verdict)
{
    const char *name = judge->models->models[verdict->model].name;
    char why[CONVERT_WHY], suffix[DRIVER_SUFFIX] = "";
    size_t size, converted_size;
    char *bytes = driver_sources_read(judge->folder, name, &size, why);
    char *converted = bytes == NULL ? NULL
                                    : ppd_convert(bytes, size, DOTS_BY_KIND,
                                                  &converted_size, why);

    if (converted != NULL)
        find_suffix(converted, converted_size, suffix);
    else
        snprintf(verdict->text, sizeof verdict->text, "%.*s", REASON - 1, why);
    verdict->state = suffix[0] != '\0' ? CONVERTED : REFUSED;
    if (suffix[0] != '\0')
        memcpy(verdict->text, suffix, sizeof suffix);
    free(bytes);
    free(converted);
}

/* Does every `step`-th of the work, and ends the process. */
static _Noreturn void work(const struct judge *judge, size_t first, size_t step,
                           int output)
{
    for (size_t i = first; i < judge->count; i += step) {
        struct verdict verdict = {.model = judge->todo[i]};
        judge_model(judge, &verdict);
        if (write(output, &verdict, sizeof verdict) != sizeof verdict)
            _exit(1);
    }
    _exit(0);
}

/* ---- Rounds -------------------------------------------------------------- */

static void take(struct judge *judge, const struct verdict *verdict)
{
    size_t group = judge->groups[verdict->model];

    judge->states[verdict->model] = verdict->state;
    if (verdict->state == CONVERTED)
        snprintf(judge->suffixes[verdict->model], DRIVER_SUFFIX, "%.*s",
                 DRIVER_SUFFIX - 1, verdict->text);
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

/* What a worker that has ended too early was at. */
static void give_up_first(struct judge *judge, size_t first, size_t step)
{
    for (size_t i = first; i < judge->count; i += step)
        if (judge->states[judge->todo[i]] == UNKNOWN) {
            judge->states[judge->todo[i]] = REFUSED;
            return;
        }
}

static size_t start_workers(const struct judge *judge, size_t wanted,
                            const int ends[2], pid_t *workers)
{
    size_t started = 0;

    for (; started < wanted; started++) {
        workers[started] = fork();
        if (workers[started] < 0)
            break;
        if (workers[started] == 0) {
            close(ends[0]);
            work(judge, started, wanted, ends[1]);
        }
    }
    return started;
}

/* Judges what is to do, except what workers that end too early leave. */
static bool run(struct judge *judge)
{
    size_t processors = ht_processors();
    size_t wanted = processors < MOST_WORKERS ? processors : MOST_WORKERS;
    pid_t workers[MOST_WORKERS];
    struct verdict verdict;
    int ends[2];

    if (pipe(ends) < 0)
        return false;
    fflush(NULL);
    size_t started = start_workers(judge, wanted, ends, workers);
    close(ends[1]);
    while (read(ends[0], &verdict, sizeof verdict) == sizeof verdict)
        take(judge, &verdict);
    close(ends[0]);
    for (size_t i = 0; i < started; i++) {
        const struct program worker = {.process = workers[i]};
        if (!program_end(&worker))
            give_up_first(judge, i, wanted);
    }
    return started == wanted;
}

/* Judges all models that are UNKNOWN. */
static bool run_all(struct judge *judge)
{
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
    size_t scheme = strcspn(model->name, ":") + 1;
    size_t length = driver[0] == '\0' ? 0 : 1 + strcspn(driver + 1, " ");
    size_t other =
        group->driver[0] == '\0' ? 0 : 1 + strcspn(group->driver + 1, " ");

    return strncmp(group->name, model->name, scheme) == 0 && length == other &&
           strncmp(group->driver, driver, length) == 0;
}

static void group_models(struct judge *judge)
{
    for (size_t i = 0; i < judge->models->count; i++) {
        const struct driver_model *model = &judge->models->models[i];
        size_t group = 0;
        judge->groups[i] = NO_GROUP;
        if (!driver_sources_is_program(model->name))
            continue;
        while (group < judge->list_count && !is_in(&judge->list[group], model))
            group++;
        if (group == judge->list_count)
            judge->list[judge->list_count++] =
                (struct group){.name = model->name, .driver = driver_of(model)};
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

bool driver_judge(const struct driver_models *models,
                  char (*suffixes)[DRIVER_SUFFIX])
{
    size_t count = models->count + 1; /* none is no failure */
    struct judge judge = {.models = models,
                          .suffixes = suffixes,
                          .states = calloc(count, sizeof *judge.states),
                          .groups = calloc(count, sizeof *judge.groups),
                          .todo = calloc(count, sizeof *judge.todo),
                          .list = calloc(count, sizeof *judge.list)};
    bool ok = judge.states != NULL && judge.groups != NULL &&
              judge.todo != NULL && judge.list != NULL;

    memset(suffixes, 0, models->count * sizeof *suffixes);
    if (ok) {
        driver_sources_compile(models, judge.folder, sizeof judge.folder);
        group_models(&judge);
        leave_samples(&judge);
        ok = run_all(&judge);
        if (ok) {
            bring_back(&judge);
            ok = run_all(&judge);
        }
        driver_sources_remove(judge.folder);
    }
    free(judge.states);
    free(judge.groups);
    free(judge.todo);
    free(judge.list);
    return ok;
}
