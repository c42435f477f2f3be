/*
 * models.c - asks cups-driverd, whose answer is one of IPP.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#define _GNU_SOURCE /* memmem() */

#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "page/choice.h"
#include "ppd/driver/models.h"
#include "ppd/convert/program.h"

/* ---- The answer ---------------------------------------------------------- */

/* Bytes that are still to be read. */
struct rest {
    const char *bytes;
    size_t size;
};

static ssize_t read_some(void *context, ipp_uchar_t *bytes, size_t size)
{
    struct rest *rest = context;
    size_t count = size < rest->size ? size : rest->size;

    memcpy(bytes, rest->bytes, count);
    rest->bytes += count;
    rest->size -= count;
    return (ssize_t)count;
}

/* The answer follows a header as of HTTP, which ends with an empty line. */
static bool read_answer(struct driver_models *models, const char *text,
                        size_t size)
{
    const char *body = memmem(text, size, "\n\n", 2);

    if (body == NULL)
        return false;
    body += 2;
    struct rest rest = {body, size - (size_t)(body - text)};
    models->answer = ippNew();
    return models->answer != NULL &&
           ippReadIO(&rest, read_some, 1, NULL, models->answer) ==
               IPP_STATE_DATA;
}

static void take(struct driver_model *model, ipp_attribute_t *attribute)
{
    const struct {
        const char *name;
        const char **value;
    } fields[] = {{"ppd-name", &model->name},
                  {"ppd-natural-language", &model->language},
                  {"ppd-make", &model->make},
                  {"ppd-make-and-model", &model->model},
                  {"ppd-device-id", &model->device_id},
                  {"ppd-product", &model->product},
                  {"ppd-psversion", &model->version}};
    const char *name = ippGetName(attribute);
    const char *value = ippGetString(attribute, 0, NULL);

    for (size_t i = 0; i < sizeof fields / sizeof fields[0]; i++)
        if (value != NULL && strcmp(fields[i].name, name) == 0)
            *fields[i].value = value;
}

static bool add(struct driver_models *models, const struct driver_model *model)
{
    struct driver_model *more = models->models;

    if (model->name[0] == '\0')
        return true;
    if ((models->count & (models->count - 1)) == 0) { /* a power of two */
        size_t room = models->count == 0 ? 1 : 2 * models->count;
        more = realloc(more, room * sizeof *more);
        if (more == NULL)
            return false;
        models->models = more;
    }
    more[models->count++] = *model;
    return true;
}

/* A group of attributes is a model; none has no name and separates two. */
bool models_read(struct driver_models *models, const char *text, size_t size)
{
    static const struct driver_model empty = {"", "", "", "", "", "", ""};
    struct driver_model model = empty;

    *models = (struct driver_models){.count = 0};
    bool ok = read_answer(models, text, size);
    for (ipp_attribute_t *attribute = ippFirstAttribute(models->answer);
         ok && attribute != NULL;
         attribute = ippNextAttribute(models->answer)) {
        if (ippGetName(attribute) != NULL) {
            take(&model, attribute);
            continue;
        }
        ok = add(models, &model);
        model = empty;
    }
    return ok && add(models, &model);
}

/* ---- The question -------------------------------------------------------- */

/* Copies what cups-driverd lists. */
static bool copy_list(void *context, size_t worker, int output)
{
    char path[CHOICE_MAX_PATH], schemes[CHOICE_MAX_PATH], bytes[1 << 14];
    const char *const argv[] = {path, "list", "1", "0", schemes, NULL};
    struct other_program program;
    ssize_t count;
    bool ok = true;

    (void)worker;
    snprintf(path, sizeof path, "%s/daemon/cups-driverd",
             choice_program_directory());
    snprintf(schemes, sizeof schemes, "include-schemes=%s",
             (const char *)context);
    if (setenv(DRIVER_GUARD, "1", 1) != 0 || !program_start(&program, argv))
        return false;
    while (ok && (count = read(program.output, bytes, sizeof bytes)) > 0)
        ok = write(output, bytes, (size_t)count) == count;
    close(program.output);
    return program_end(&program) && ok;
}

static bool ask(struct crew *crew, const char *scheme, char **text,
                size_t *size)
{
    char asked[CHOICE_MAX_PATH];

    snprintf(asked, sizeof asked, "%s", scheme);
    return crew_run_one(crew, copy_list, asked, text, size) == CREW_DONE;
}

bool models_list(struct driver_models *models, struct crew *crew,
                 const char *scheme)
{
    char *text = NULL;
    size_t size;

    *models = (struct driver_models){.count = 0};
    /* From its first list after a .drv file has changed, cups-driverd leaves
     * some of the models out. */
    if (strcmp(scheme, "drv") == 0 && ask(crew, scheme, &text, &size))
        free(text);
    if (!ask(crew, scheme, &text, &size))
        return false;
    bool ok = models_read(models, text, size);
    free(text);
    return ok;
}

void models_free(struct driver_models *models)
{
    free(models->models);
    ippDelete(models->answer);
}
