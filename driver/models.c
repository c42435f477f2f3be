/*
 * models.c - asks cups-driverd, whose answer is one of IPP.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "page/choice.h"
#include "driver/models.h"
#include "ppd-convert/program.h"

/* "everywhere" and "raw" are whole names. */
static const char *const others[] = {"halftone", "driverless", "driverless-fax",
                                     "everywhere", "raw"};

bool driver_models_is_other(const char *name)
{
    size_t length = strcspn(name, ":");

    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
        if (strlen(others[i]) == length &&
            strncmp(name, others[i], length) == 0)
            return false;
    return name[0] != '\0';
}

/* ---- The answer ---------------------------------------------------------- */

/* The answer follows a header as of HTTP, which ends with an empty line. */
static bool skip_header(FILE *file)
{
    int byte, before = '\0';

    while ((byte = getc(file)) != EOF) {
        if (byte == '\n' && before == '\n')
            return true;
        before = byte;
    }
    return false;
}

/* libcups takes a read of fewer bytes, as of a pipe, for the end. */
static ssize_t read_some(void *file, ipp_uchar_t *bytes, size_t size)
{
    return (ssize_t)fread(bytes, 1, size, file);
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

    if (!driver_models_is_other(model->name))
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
static bool read_models(struct driver_models *models)
{
    static const struct driver_model empty = {"", "", "", "", "", "", ""};
    struct driver_model model = empty;
    bool ok = true;

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

/* Starts cups-driverd, which lists models by `schemes`. */
static FILE *start(struct program *program, const char *schemes)
{
    char path[CHOICE_MAX_PATH];
    const char *const argv[] = {path, "list", "1", "0", schemes, NULL};

    snprintf(path, sizeof path, "%s/daemon/cups-driverd",
             choice_program_directory());
    if (!program_start(program, argv))
        return NULL;
    FILE *file = fdopen(program->output, "r");
    if (file == NULL) {
        close(program->output);
        program_end(program);
    }
    return file;
}

/* Has cups-driverd look for files that are new. From the first list after a
 * .drv file has changed it leaves some of its models out. */
static void refresh(void)
{
    struct program program;
    FILE *file = start(&program, "include-schemes=drv");

    if (file == NULL)
        return;
    while (getc(file) != EOF)
        ;
    fclose(file);
    program_end(&program);
}

bool driver_models_list(struct driver_models *models)
{
    char schemes[128] = "exclude-schemes=";
    struct program program;

    *models = (struct driver_models){.answer = ippNew()};
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
        size_t length = strlen(schemes);
        snprintf(schemes + length, sizeof schemes - length, "%s%s",
                 i == 0 ? "" : ",", others[i]);
    }
    if (models->answer == NULL || setenv(DRIVER_GUARD, "1", 1) != 0)
        return false;
    refresh();
    FILE *file = start(&program, schemes);
    if (file == NULL)
        return false;
    bool ok = skip_header(file) && ippReadIO(file, read_some, 1, NULL,
                                             models->answer) == IPP_STATE_DATA;
    fclose(file);
    return program_end(&program) && ok && read_models(models);
}

void driver_models_free(struct driver_models *models)
{
    free(models->models);
    ippDelete(models->answer);
}
