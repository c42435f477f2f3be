/*
 * gutenprint_inks.c - asks for a driver's inks, and writes them into its PPD.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "page/choice.h"
#include "page/ink_set.h"
#include "ppd/convert/gutenprint_inks.h"
#include "ppd/convert/program.h"

#define PACKER "halftonetorawgutenprint"
#define SETS 16 /* of ink, at most; real printers have 4 */

/* Inks of a set of ink. */
struct told_inks {
    char name[64];
    struct ink_set inks;
};

static bool has_light(const struct ink_set *set)
{
    for (unsigned i = 0; i < set->count; i++)
        if (set->ink[i].color != 0 && set->ink[i].strength < 1)
            return true;
    return false;
}

/* Reads the packer's answer, of which others than lighter inks are none.
 * Returns how many sets there are. */
static size_t ask(struct told_inks told[SETS], const char *driver)
{
    char path[CHOICE_MAX_PATH], line[256];
    const char *const argv[] = {path, "--inks", driver, NULL};
    struct other_program program;
    size_t count = 0;
    FILE *answer;

    snprintf(path, sizeof path, "%s/filter/" PACKER,
             choice_program_directory());
    if (access(path, X_OK) != 0 || !program_start(&program, argv))
        return 0;
    if ((answer = fdopen(program.output, "r")) == NULL)
        close(program.output);
    while (answer != NULL && count < SETS &&
           fgets(line, sizeof line, answer) != NULL) {
        int inks = 0;

        line[strcspn(line, "\n")] = '\0';
        if (sscanf(line, "%63s %n", told[count].name, &inks) == 1 && inks > 0 &&
            ink_set_parse(&told[count].inks, line + inks) &&
            has_light(&told[count].inks))
            count++;
    }
    if (answer != NULL)
        fclose(answer);
    return program_end(&program) ? count : 0;
}

/* Returns the inks of a set, "-" being that of a PPD without; NULL = none. */
static const struct ink_set *find(const struct told_inks *told, size_t count,
                                  const char *name)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(told[i].name, name) == 0 || strcmp(told[i].name, "-") == 0)
            return &told[i].inks;
    return NULL;
}

/* Writes what is different with a set of ink. */
static void write_set(FILE *out, const char *name, const struct ink_set *inks,
                      const struct ink_set *preset)
{
    if (inks == NULL)
        fprintf(out,
                "*UIConstraints: *HalftoneInks All *StpInkSet %s\n"
                "*UIConstraints: *StpInkSet %s *HalftoneInks All\n",
                name, name);
    else if (strcmp(inks->text, preset->text) != 0)
        fprintf(out, "*HalftoneInkSet %s: \"%s\"\n", name, inks->text);
}

/* Returns the value of a statement, or NULL. */
static const char *value_of(const struct ppd_text *text, const char *keyword)
{
    for (size_t i = 0; i < text->count; i++)
        if (ppd_text_is(&text->statements[i], keyword))
            return text->statements[i].value;
    return NULL;
}

bool gutenprint_inks_find(const struct ppd_text *text, FILE *out)
{
    const char *driver = value_of(text, "StpDriverName");
    const char *preset = value_of(text, "DefaultStpInkSet");
    struct told_inks *told = calloc(SETS, sizeof *told);
    const size_t count = told == NULL || driver == NULL ? 0 : ask(told, driver);
    const struct ink_set *inks =
        find(told, count, preset == NULL ? "-" : preset);

    if (inks != NULL) {
        fprintf(out,
                "*HalftoneInkPacker: \"" PACKER "\"\n"
                "*HalftoneInkSet: \"%s\"\n",
                inks->text);
        for (size_t i = 0; i < text->count; i++) {
            const struct ppd_statement *set = &text->statements[i];

            if (ppd_text_is(set, "StpInkSet"))
                write_set(out, set->option, find(told, count, set->option),
                          inks);
        }
    }
    free(told);
    return inks != NULL;
}
