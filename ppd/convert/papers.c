/*
 * papers.c - offers paper files in a PPD that has our dots.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "page/option.h"
#include "ppd/convert/edit.h"
#include "ppd/convert/papers.h"
#include "ppd/convert/source.h"
#include "ppd/convert/words.h"

/* CUPS marks all of its PPD functions so. */
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

#define OPTION "HalftonePaper"
/* Runs behind Resolution and MediaType, but before HalftoneBits of PPDs that
 * are converted. */
#define ORDER "990 PageSetup"

/* Removes the option, with its words. */
static void remove_option(struct ppd_text *text)
{
    for (size_t i = 0; i < text->count; i++) {
        struct ppd_statement *at = &text->statements[i];

        if (edit_is_option(at, OPTION) || ppd_text_is(at, "Default" OPTION) ||
            strcmp(at->option, OPTION) == 0 ||
            strstr(at->option, "*" OPTION) != NULL ||
            strstr(at->value, "*" OPTION) != NULL)
            ppd_text_remove(text, at);
    }
}

/* Takes the name of the choice out of the path "NAME.paper". */
static bool take_name(char name[PPD_MAX_NAME], const char *path)
{
    const char *slash = strrchr(path, '/');
    const char *base = slash != NULL ? slash + 1 : path;
    const size_t length = strcspn(base, ".");

    snprintf(name, PPD_MAX_NAME, "%.*s", (int)length, base);
    return length < PPD_MAX_NAME && strcmp(base + length, ".paper") == 0 &&
           option_job_takes(OPTION, name) &&
           option_find(OPTION_PAPER, name) == OPTION_NO_CHOICE;
}

/* Returns the code of the paper's choice of an option, as the PPD has it, and
 * marks it; NULL with the reason if there is no such choice. */
static const char *take_code(const struct ppd_text *text, ppd_file_t *ppd,
                             const struct paper_file *file, const char *option,
                             char why[PAPER_FILE_WHY])
{
    const char *choice = cupsGetOption(option, file->count, file->set);

    if (choice == NULL)
        return "";
    ppdMarkOption(ppd, option, choice);
    for (size_t i = 0; i < text->count; i++)
        if (ppd_text_is(&text->statements[i], option) &&
            strcmp(text->statements[i].option, choice) == 0)
            return text->statements[i].value;
    snprintf(why, PAPER_FILE_WHY, "the PPD has no %s \"%s\"", option, choice);
    return NULL;
}

/* Adds the choice of a paper. False with the reason. */
static bool add_choice(struct ppd_text *text, ppd_file_t *ppd, const char *name,
                       struct paper_file *file, char why[PAPER_FILE_WHY])
{
    ppdMarkDefaults(ppd);
    const int conflicts = ppdConflicts(ppd);
    const char *resolution = take_code(text, ppd, file, "Resolution", why);
    const char *media = resolution != NULL
                            ? take_code(text, ppd, file, "MediaType", why)
                            : NULL;

    if (media != NULL && ppdConflicts(ppd) > conflicts) {
        snprintf(why, PAPER_FILE_WHY,
                 "the PPD has no such Resolution with this MediaType");
        media = NULL;
    }
    /* Characters that the words of a choice cannot have. */
    for (char *c = file->title; *c != '\0'; c++)
        if (strchr("/:<>\"", *c) != NULL || (*c & 0x80) != 0)
            *c = '-';
    if (media != NULL)
        ppd_text_append(text, "*" OPTION " %s/%s: \"%s\n%s\"\n*End\n", name,
                        file->title[0] != '\0' ? file->title : name, resolution,
                        media);
    return media != NULL;
}

static bool add_paper(struct ppd_text *text, ppd_file_t *ppd, const char *path,
                      char why[PAPER_FILE_WHY])
{
    char name[PPD_MAX_NAME], fault[PAPER_FILE_WHY];
    struct paper_file file = {.count = 0};
    bool ok = take_name(name, path);

    if (!ok)
        snprintf(fault, sizeof fault,
                 "not NAME.paper, of at most %d letters, digits, - and _",
                 PPD_MAX_NAME - 1);
    ok = ok && paper_file_load(&file, path, fault) &&
         add_choice(text, ppd, name, &file, fault);
    cupsFreeOptions(file.count, file.set);
    if (!ok)
        snprintf(why, PAPER_FILE_WHY, "%.200s: %.380s", path, fault);
    return ok;
}

static bool add_option(struct ppd_text *text, ppd_file_t *ppd,
                       const char *const *files, int count,
                       char why[PAPER_FILE_WHY])
{
    const struct option_offer *none = option_offer(OPTION_PAPER, PAPER_NONE);

    ppd_text_append(text,
                    "*OpenUI *" OPTION "/%s: PickOne\n"
                    "*OrderDependency: " ORDER " *" OPTION "\n"
                    "*Default" OPTION ": %s\n"
                    "*" OPTION " %s/%s: \"\"\n",
                    option_info(OPTION_PAPER)->label[OPTION_EN], none->value,
                    none->value, none->label[OPTION_EN]);
    for (int i = 0; i < count; i++)
        if (!add_paper(text, ppd, files[i], why))
            return false;
    ppd_text_append(text, "*CloseUI: *" OPTION "\n");
    words_add(text);
    return true;
}

/* Says whether CUPS can open the PPD, with the reason if it cannot. */
static bool opens(const char *bytes, size_t size, char why[PAPER_FILE_WHY])
{
    ppd_file_t *ppd = source_open(bytes, size, why);

    ppdClose(ppd);
    return ppd != NULL;
}

char *papers_add(const char *bytes, size_t size, const char *const *files,
                 int count, size_t *out_size, char why[PAPER_FILE_WHY])
{
    static const char ours[] = " rastertohalftone\"";
    struct ppd_text text;
    char *out = NULL;
    ppd_file_t *ppd = source_open(bytes, size, why);

    if (ppd == NULL)
        return NULL;
    bool ok = memmem(bytes, size, ours, strlen(ours)) != NULL;
    snprintf(why, PAPER_FILE_WHY, "has not our dots: convert it first");
    if (ok && ppd_text_split(&text, bytes, size)) {
        remove_option(&text);
        ok = add_option(&text, ppd, files, count, why);
        out = ok ? ppd_text_join(&text, out_size) : NULL;
        ppd_text_free(&text);
    }
    ppdClose(ppd);
    if (ok)
        snprintf(why, PAPER_FILE_WHY, "%s", out != NULL ? "" : "no memory");
    if (out != NULL && !opens(out, *out_size, why)) {
        free(out);
        out = NULL;
    }
    return out;
}
