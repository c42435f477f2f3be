/*
 * models.c - asks cups-driverd, which answers in IPP.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <ctype.h>
#include <string.h>
#include <unistd.h>

#include <cups/ipp.h>

#include "page/choice.h"
#include "ppd/convert/program.h"
#include "ppd/driver/models.h"

#define MOST 1750     /* bytes; cups-driverd takes lines of 2047 */
#define MOST_NAME 480 /* ... and names of 511 */

bool models_is_other(const char *name)
{
    /* "everywhere" and "raw" are whole names. */
    static const char *const ours[] = {"halftone", "driverless",
                                       "driverless-fax", "everywhere", "raw"};
    size_t length = strcspn(name, ":");

    for (size_t i = 0; i < sizeof ours / sizeof ours[0]; i++)
        if (strlen(ours[i]) == length && strncmp(name, ours[i], length) == 0)
            return false;
    return name[0] != '\0';
}

/* ---- A line -------------------------------------------------------------- */

/* The attributes in the order of a line. */
static const char *const fields[] = {"ppd-name",      "ppd-natural-language",
                                     "ppd-make",      "ppd-make-and-model",
                                     "ppd-device-id", "ppd-product",
                                     "ppd-psversion"};
enum { NAME, LANGUAGE, MAKE, MODEL, FIELDS = 7 };

/* Writes a text without quotes and control characters. */
static void write_plain(FILE *out, const char *text)
{
    for (; *text != '\0'; text++)
        putc(*text == '"' || iscntrl((unsigned char)*text) ? '?' : *text, out);
}

/* Writes the line of a model, whose NAME is "" if there is none. */
static void write_model(FILE *out, const char *const model[FIELDS])
{
    size_t length = 0;

    for (int i = 0; i < FIELDS; i++)
        length += strlen(model[i]);
    if (!models_is_other(model[NAME]) || strlen(model[NAME]) > MOST_NAME ||
        length > MOST)
        return;
    fputs("\"" MODELS_SCHEME, out);
    for (int i = 0; i < FIELDS; i++) {
        if (i > LANGUAGE)
            fputs(" \"", out);
        write_plain(out, model[i]);
        fputs(i == NAME       ? "\" "
              : i == LANGUAGE ? ""
              : i == MODEL    ? "\1\""
                              : "\"",
              out);
    }
    putc('\n', out);
}

/* ---- The answer ---------------------------------------------------------- */

/* Reads all `size` bytes, which ippReadIO() does not ask for again. */
static ssize_t read_all(void *file, ipp_uchar_t *bytes, size_t size)
{
    return (ssize_t)fread(bytes, 1, size, file);
}

/* Reads the answer, which follows a header as of HTTP that ends with an empty
 * line. NULL if there is none. */
static ipp_t *read_answer(FILE *answer)
{
    char line[200];
    ipp_t *ipp = ippNew();

    while (fgets(line, sizeof line, answer) != NULL && line[0] != '\n')
        ;
    if (ipp != NULL &&
        ippReadIO(answer, read_all, 1, NULL, ipp) == IPP_STATE_DATA)
        return ipp;
    ippDelete(ipp);
    return NULL;
}

/* Each model is a group of attributes, and an attribute of no group is between
 * two. A name or value is missing if there was no memory for it. */
bool models_write(FILE *answer, FILE *out)
{
    static const char *const none[FIELDS] = {"", "en", "", "", "", "", ""};
    const char *model[FIELDS];
    ipp_t *ipp = read_answer(answer);
    bool ok = ipp != NULL;

    memcpy(model, none, sizeof model);
    for (ipp_attribute_t *attribute = ippFirstAttribute(ipp);
         ok && attribute != NULL; attribute = ippNextAttribute(ipp)) {
        const char *name = ippGetName(attribute);
        if (ippGetGroupTag(attribute) == IPP_TAG_ZERO) {
            write_model(out, model);
            memcpy(model, none, sizeof model);
            continue;
        }
        ok = name != NULL;
        for (int i = 0; ok && i < FIELDS; i++)
            if (strcmp(fields[i], name) == 0) {
                model[i] = ippGetString(attribute, 0, NULL);
                ok = ok && model[i] != NULL;
            }
    }
    if (ok)
        write_model(out, model);
    ippDelete(ipp);
    return ok;
}

enum child_end models_list(void *context, FILE *out)
{
    const char *scheme = context;
    char path[CHOICE_MAX_PATH], schemes[CHOICE_MAX_PATH];
    const char *const argv[] = {path, "list", "1", "0", schemes, NULL};
    struct other_program program;

    snprintf(path, sizeof path, "%s/daemon/cups-driverd",
             choice_program_directory());
    snprintf(schemes, sizeof schemes, "include-schemes=%s", scheme);
    if (!program_start(&program, argv))
        return CHILD_LACKS;
    FILE *answer = fdopen(program.output, "r");
    bool ok = answer != NULL && models_write(answer, out);
    if (answer != NULL)
        fclose(answer);
    return program_end(&program) && ok ? CHILD_DONE : CHILD_LACKS;
}
