/*
 * papers.c - offers paper files in a PPD that has our dots.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <stdio.h>
#include <string.h>

#include "page/option.h"
#include "ppd/convert/edit.h"
#include "ppd/convert/papers.h"
#include "ppd/convert/words.h"

/* CUPS marks all of its PPD functions so. */
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

#define OPTION "HalftonePaper"
/* Runs behind Resolution and MediaType, but before HalftoneBits of PPDs that
 * are converted. */
#define ORDER "990 PageSetup"

/* Removes the option, with its words and constraints. */
static void remove_option(struct ppd_text *text)
{
    for (size_t i = 0; i < text->count; i++) {
        struct ppd_statement *at = &text->statements[i];

        if (edit_is_option(at, OPTION) || ppd_text_is(at, "Default" OPTION) ||
            strncmp(at->option, OPTION, sizeof OPTION - 1) == 0 ||
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
    const char *end = strrchr(base, '.');
    const size_t length = end != NULL ? (size_t)(end - base) : 0;

    if (length == 0 || length >= PPD_MAX_NAME || strcmp(end, ".paper") != 0)
        return false;
    snprintf(name, PPD_MAX_NAME, "%.*s", (int)length, base);
    return option_takes(OPTION_PAPER, name) &&
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

/* Writes the beginning of a paper's choice. Its words have <HEX> for what would
 * end them, and ? for letters that a PPD cannot have outside of translations.
 */
static void add_title(struct ppd_text *text, const char *name,
                      const char *title)
{
    ppd_text_append(text, "*" OPTION " %s/", name);
    for (; *title != '\0'; title++)
        if (strchr("/:<>\"", *title) != NULL)
            ppd_text_append(text, "<%02X>", (unsigned)*title);
        else if ((*title & 0x80) == 0 || (*title & 0x40) != 0)
            ppd_text_append(text, "%c", (*title & 0x80) == 0 ? *title : '?');
}

static bool add_paper(struct ppd_text *text, ppd_file_t *ppd, const char *path,
                      char why[PAPER_FILE_WHY])
{
    char name[PPD_MAX_NAME];
    struct paper_file file;
    const char *resolution, *media = NULL;
    bool ok = take_name(name, path);

    if (!ok) {
        snprintf(why, PAPER_FILE_WHY,
                 "not NAME.paper, of at most %d letters, digits, - and _",
                 PPD_MAX_NAME - 1);
        return false;
    }
    ok = paper_file_load(&file, path, why);
    ppdMarkDefaults(ppd);
    const int conflicts = ppdConflicts(ppd);
    resolution = ok ? take_code(text, ppd, &file, "Resolution", why) : NULL;
    if (resolution != NULL)
        media = take_code(text, ppd, &file, "MediaType", why);
    ok = media != NULL && ppdConflicts(ppd) <= conflicts;
    if (media != NULL && !ok)
        snprintf(why, PAPER_FILE_WHY,
                 "the PPD has no such Resolution with this MediaType");
    if (ok) {
        add_title(text, name, file.title[0] != '\0' ? file.title : name);
        ppd_text_append(text, ": \"%s\n%s\"\n*End\n", resolution, media);
    }
    paper_file_free(&file);
    return ok;
}

bool papers_add(struct ppd_text *text, ppd_file_t *ppd,
                const char *const *files, int count, char why[PAPER_FILE_WHY])
{
    const struct option *option = option_info(OPTION_PAPER);
    const struct option_offer *none = option_offer(OPTION_PAPER, PAPER_NONE);
    char fault[PAPER_FILE_WHY];

    remove_option(text);
    ppd_text_append(text,
                    "*OpenUI *" OPTION "/%s: PickOne\n"
                    "*OrderDependency: " ORDER " *" OPTION "\n"
                    "*Default" OPTION ": %s\n"
                    "*" OPTION " %s/%s: \"\"\n",
                    option->label[OPTION_EN], none->value, none->value,
                    none->label[OPTION_EN]);
    for (int i = 0; i < count; i++)
        if (!add_paper(text, ppd, files[i], fault)) {
            snprintf(why, PAPER_FILE_WHY, "%.200s: %.380s", files[i], fault);
            return false;
        }
    ppd_text_append(text, "*CloseUI: *" OPTION "\n");
    words_add(text);
    return true;
}
