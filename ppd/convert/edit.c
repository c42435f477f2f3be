/*
 * edit.c - removes choices from a PPD, and adds options to it.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <stdio.h>
#include <string.h>

#include "page/option.h"
#include "ppd/convert/edit.h"
#include "ppd/convert/words.h"

/* CUPS marks all of its PPD functions so. */
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

#define BLANKS " \t\r\n"
#define MOST_LOOKS 10000000 /* at statements; real PPDs need some 100,000 */

/* ---- Choices that are dropped -------------------------------------------- */

bool edit_can_drop(const struct ppd_text *text, size_t choices)
{
    return text->count == 0 || choices <= MOST_LOOKS / text->count;
}

bool edit_is_option(const struct ppd_statement *statement, const char *option)
{
    const char *dot = strchr(statement->keyword, '.');

    return ppd_text_is(statement, option) ||
           (dot != NULL && strcmp(dot + 1, option) == 0);
}

/* Whether a list of "*Option Choice" has this choice. */
static bool mentions(const char *list, const char *option, const char *choice)
{
    size_t length = strlen(option), choice_length = strlen(choice);

    for (; (list = strchr(list, '*')) != NULL; list++) {
        const char *word = list + 1 + length;
        if (strncmp(list + 1, option, length) != 0)
            continue;
        size_t blanks = strspn(word, BLANKS);
        word += blanks;
        if (blanks > 0 && strcspn(word, BLANKS) == choice_length &&
            strncmp(word, choice, choice_length) == 0)
            return true;
    }
    return false;
}

bool edit_is_list(const struct ppd_statement *statement)
{
    static const char *const keywords[] = {"UIConstraints", "NonUIConstraints",
                                           "cupsUIConstraints",
                                           "APPrinterPreset"};

    for (size_t i = 0; i < sizeof keywords / sizeof keywords[0]; i++)
        if (ppd_text_is(statement, keywords[i]))
            return true;
    return false;
}

static void drop_choice(struct ppd_text *text, const char *option,
                        const char *choice)
{
    for (size_t i = 0; i < text->count; i++) {
        struct ppd_statement *statement = &text->statements[i];
        if ((edit_is_option(statement, option) &&
             strcmp(statement->option, choice) == 0) ||
            (edit_is_list(statement) &&
             mentions(statement->value, option, choice)))
            ppd_text_remove(text, statement);
    }
}

void edit_set_default(struct ppd_text *text, const char *option,
                      const char *choice)
{
    char keyword[PPD_MAX_NAME + sizeof "StpDefault"];
    const size_t begin = strlen("Stp");

    snprintf(keyword, sizeof keyword, "StpDefault%s", option);
    for (size_t i = 0; i < text->count; i++) {
        struct ppd_statement *statement = &text->statements[i];

        if (ppd_text_is(statement, keyword + begin) ||
            ppd_text_is(statement, keyword))
            ppd_text_replace(text, statement, "*%s: %s\n", statement->keyword,
                             choice);
    }
}

void edit_drop_choice(struct ppd_text *text, const char *option,
                      const char *choice, const char *left)
{
    char keyword[PPD_MAX_NAME + sizeof "Default"];

    drop_choice(text, option, choice);
    snprintf(keyword, sizeof keyword, "Default%s", option);
    for (size_t i = 0; i < text->count; i++)
        if (ppd_text_is(&text->statements[i], keyword) &&
            strcmp(text->statements[i].value, choice) == 0)
            edit_set_default(text, option, left);
}

void edit_drop_choices(struct ppd_text *text, const struct survey *survey)
{
    for (int i = 0; i < survey->count; i++) {
        const struct survey_option *option = &survey->options[i];
        const char *keyword = option->option->keyword;
        for (int j = 0; j < option->count; j++) {
            const struct survey_choice *choice = &option->choices[j];
            if (!choice->dropped)
                continue;
            drop_choice(text, keyword, choice->name);
            if (strcmp(choice->name, option->option->defchoice) == 0)
                edit_set_default(text, keyword, survey_first(option));
        }
    }
}

/* ---- Order --------------------------------------------------------------- */

/* Returns the option by which CUPS takes a PPD to choose its resolution. */
static const ppd_option_t *resolution_of(ppd_file_t *ppd)
{
    static const char *const names[] = {"Resolution", "JCLResolution",
                                        "SetResolution", "CNRes_PGP"};
    const ppd_option_t *option = NULL;

    for (size_t i = 0; i < sizeof names / sizeof names[0] && option == NULL;
         i++)
        option = ppdFindOption(ppd, names[i]);
    return option;
}

static bool is_whole_line(const struct ppd_statement *statement)
{
    return strchr("\r\n", statement->raw[statement->size - 1]) != NULL;
}

void edit_choice_first(struct ppd_text *text, const char *option,
                       const char *choice)
{
    size_t first = text->count;

    for (size_t i = 0; i < text->count; i++) {
        const struct ppd_statement at = text->statements[i];

        if (!ppd_text_is(&at, option))
            continue;
        if (first == text->count)
            first = i;
        if (strcmp(at.option, choice) == 0 && is_whole_line(&at)) {
            memmove(&text->statements[first + 1], &text->statements[first],
                    (i - first) * sizeof at);
            text->statements[first] = at;
            return;
        }
    }
}

void edit_resolution_first(struct ppd_text *text, ppd_file_t *ppd)
{
    const ppd_option_t *option = resolution_of(ppd);

    if (option != NULL)
        edit_choice_first(text, option->keyword, option->defchoice);
}

/* ---- Name and color ------------------------------------------------------ */

void edit_name(struct ppd_text *text, const char *dots)
{
    for (size_t i = 0; i < text->count; i++)
        if (ppd_text_is(&text->statements[i], "NickName"))
            ppd_text_replace(text, &text->statements[i],
                             "*NickName: \"%s, %s dots\"\n",
                             text->statements[i].value, dots);
}

void edit_no_color(struct ppd_text *text)
{
    for (size_t i = 0; i < text->count; i++) {
        struct ppd_statement *statement = &text->statements[i];
        if (ppd_text_is(statement, "ColorDevice"))
            ppd_text_replace(text, statement, "*ColorDevice: False\n");
        if (ppd_text_is(statement, "DefaultColorSpace"))
            ppd_text_replace(text, statement, "*DefaultColorSpace: Gray\n");
    }
}

/* ---- Our options --------------------------------------------------------- */

#define TONES "<</cupsBitsPerColor 8>>setpagedevice"

static const struct added {
    enum option_id id;
    const char *order; /* the place of its code */
    const char *only;  /* the one choice that is offered; NULL = all */
    const char *code;
} all_added[] = {
    {OPTION_BITS, "1000 PageSetup", "8", TONES},
    {OPTION_CONTENT, "30 AnySetup", NULL, ""},
    {OPTION_DROPS, "30 AnySetup", NULL, ""},
    {OPTION_INKS_USED, "30 AnySetup", NULL, ""},
    {OPTION_TONING, "30 AnySetup", NULL, ""},
};

static bool offers(const struct added *added, const char *choice)
{
    return added->only == NULL || strcmp(added->only, choice) == 0;
}

static void add_option(struct ppd_text *text, const struct added *added,
                       bool label)
{
    const struct option *option = option_info(added->id);
    const struct option_offer *o;

    ppd_text_append(text,
                    "*OpenUI *%s/%s: PickOne\n"
                    "*OrderDependency: %s *%s\n"
                    "*Default%s: %s\n",
                    option->name, option->label[OPTION_EN], added->order,
                    option->name, option->name,
                    label && option->labels != NULL ? option->labels
                                                    : option->preset);
    for (unsigned i = 0; (o = option_offer(added->id, i)) != NULL; i++)
        if (offers(added, o->value))
            ppd_text_append(text, "*%s %s/%s: \"%s\"\n", option->name, o->value,
                            o->label[OPTION_EN], added->code);
    ppd_text_append(text, "*CloseUI: *%s\n", option->name);
}

void edit_add_options(struct ppd_text *text, bool label, bool sized, bool inks)
{
    for (size_t i = 0; i < sizeof all_added / sizeof all_added[0]; i++) {
        const enum option_id id = all_added[i].id;

        if ((id != OPTION_DROPS || sized) &&
            ((id != OPTION_INKS_USED && id != OPTION_TONING) || inks))
            add_option(text, &all_added[i], label);
    }
    words_add(text);
}

/* ---- The RIP ------------------------------------------------------------- */

void edit_fill_exactly(struct ppd_text *text)
{
    static const char keyword[] = "DefaultCenterOfPixel";

    for (size_t i = 0; i < text->count; i++)
        if (ppd_text_is(&text->statements[i], keyword))
            return;
    ppd_text_append(text, "*%s: True\n", keyword);
}
