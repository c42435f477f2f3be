/*
 * words.c - adds the words of page/options.txt to a PPD.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "page/option.h"
#include "ppd/convert/words.h"

#define BLANKS " \t\r\n"
#define MOST_LANGUAGES                                                         \
    100          /* real PPDs have 40; others are shown in English             \
                  */
#define LINE 128 /* bytes of a line's beginning */

static const char *const languages[OPTION_LANGUAGES] = {
    [OPTION_EN] = "en",
    [OPTION_DE] = "de",
    [OPTION_ES] = "es",
    [OPTION_FR] = "fr",
};

/* Whether a line that has been added begins so. */
static bool has_line(const struct ppd_text *text, const char *keyword,
                     const char *option)
{
    char line[LINE];

    snprintf(line, sizeof line, "\n*%s %s/", keyword, option);
    return text->more != NULL &&
           (strncmp(text->more, line + 1, strlen(line + 1)) == 0 ||
            strstr(text->more, line) != NULL);
}

/* Adds the names of the papers that have been added, as they are. */
static void add_papers(struct ppd_text *text, const char *name, int length)
{
    static const char line[] = "\n*HalftonePaper ";
    const char *at;
    char words[2 * LINE];

    for (size_t seen = 0; text->more != NULL &&
                          (at = strstr(text->more + seen, line)) != NULL;) {
        at += sizeof line - 1;
        seen = (size_t)(at - text->more);
        snprintf(words, sizeof words, "%.*s", (int)strcspn(at, ":"), at);
        if (strncmp(words, "None/", 5) != 0)
            ppd_text_append(text, "*%.*s.HalftonePaper %s: \"\"\n", length,
                            name, words);
    }
}

static void add_option(struct ppd_text *text, enum option_id id,
                       const char *name, int length,
                       enum option_language language)
{
    const struct option *option = option_info(id);
    const struct option_offer *o;

    ppd_text_append(text, "*%.*s.Translation %s/%s: \"\"\n", length, name,
                    option->name, option->label[language]);
    for (unsigned i = 0; (o = option_offer(id, i)) != NULL; i++)
        if (has_line(text, option->name, o->value))
            ppd_text_append(text, "*%.*s.%s %s/%s: \"\"\n", length, name,
                            option->name, o->value, o->label[language]);
    if (id == OPTION_PAPER)
        add_papers(text, name, length);
}

/* Adds the words of a language, such as "de" or "de_AT". */
static void add_language(struct ppd_text *text, const char *name, int length)
{
    enum option_language language = OPTION_EN;
    const size_t plain = strcspn(name, "_-" BLANKS);
    char opened[LINE];

    for (int i = 0; i < OPTION_LANGUAGES; i++)
        if (plain == strlen(languages[i]) &&
            strncmp(languages[i], name, plain) == 0)
            language = (enum option_language)i;
    for (int id = 0; id < OPTIONS; id++) {
        snprintf(opened, sizeof opened, "*%s", option_info(id)->name);
        if (option_info(id)->label[OPTION_EN] != NULL &&
            has_line(text, "OpenUI", opened))
            add_option(text, (enum option_id)id, name, length, language);
    }
}

/* Returns how many languages of a list have got the words, `most` at most. */
static int add_languages(struct ppd_text *text, const char *list, int most)
{
    int count = 0;

    while (*(list += strspn(list, BLANKS)) != '\0' && count < most) {
        const size_t length = strcspn(list, BLANKS);
        const bool plain =
            strspn(list, "abcdefghijklmnopqrstuvwxyz"
                         "ABCDEFGHIJKLMNOPQRSTUVWXYZ_-") == length;
        if (plain && length <= 8 && strncmp(list, "en", length) != 0) {
            add_language(text, list, (int)length);
            count++;
        }
        list += length;
    }
    return count;
}

void words_add(struct ppd_text *text)
{
    int most = MOST_LANGUAGES;
    bool listed = false;

    for (size_t i = 0; i < text->count; i++)
        if (ppd_text_is(&text->statements[i], "cupsLanguages")) {
            listed = true;
            most -= add_languages(text, text->statements[i].value, most);
        }
    for (int i = OPTION_EN + 1; !listed && i < OPTION_LANGUAGES; i++)
        add_language(text, languages[i], (int)strlen(languages[i]));
}
