/*
 * foomatic_options.c - our options in a PPD for foomatic-rip.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <string.h>

#include "page/option.h"
#include "ppd/convert/foomatic_options.h"
#include "ppd/convert/words.h"

/* The order lets the method of HalftoneContent follow what else there is. */
static const struct added {
    enum option_id id;
    int order;
    const char *command; /* of halftone, for a number in place of %s */
} all_added[] = {
    {OPTION_CONTENT, 130, NULL},
    {OPTION_CURVE, 120, NULL},
    {OPTION_GAMMA, 120, " --gamma %s"},
    {OPTION_DENSITY, 120, " --density %s"},
};

/* Returns what a choice adds to the command line of halftone; NULL if the
 * program has no such choice. Content with tones is not cut, as in the filter.
 */
static const char *command(enum option_id id, int choice, bool cut)
{
    if (id == OPTION_CURVE)
        return choice == CURVE_DEFAULT ? " --curve default --gray screen" : "";
    if (choice == CONTENT_TEXT_AND_GRAPHIC)
        return NULL;
    if (choice == CONTENT_TEXT)
        return " --method threshold";
    return cut && choice != CONTENT_AUTO ? " --method tdfed4" : "";
}

static void add_setting(struct ppd_text *text, const char *name,
                        const struct option_offer *offer)
{
    ppd_text_append(
        text, "*%s %s/%s: \"%%%% FoomaticRIPOptionSetting: %s=%s\"\n", name,
        offer->value, offer->label[OPTION_EN], name, offer->value);
}

static void add_number(struct ppd_text *text, const struct added *number,
                       const struct option *option, bool filter)
{
    const struct option_offer *o;

    ppd_text_append(text, "*FoomaticRIPOptionPrototype %s: \"", option->name);
    if (filter)
        ppd_text_append(text, " %s=%%s", option->name);
    else
        ppd_text_append(text, "%s", number->command);
    ppd_text_append(text,
                    "\"\n*FoomaticRIPOptionRange %s: %g %g\n"
                    "*FoomaticRIPDefault%s: %s\n",
                    option->name, option->low, option->high, option->name,
                    option->preset);
    for (unsigned i = 0; (o = option_offer(number->id, i)) != NULL; i++)
        add_setting(text, option->name, o);
}

static void add_choices(struct ppd_text *text, enum option_id id,
                        const struct option *option, bool filter, bool cut)
{
    const struct option_offer *o;

    for (unsigned i = 0; (o = option_offer(id, i)) != NULL; i++) {
        int choice = option_find(id, o->value);
        const char *setting = filter ? "" : command(id, choice, cut);

        if (choice == OPTION_NO_CHOICE || setting == NULL)
            continue;
        add_setting(text, option->name, o);
        ppd_text_append(text, "*FoomaticRIPOptionSetting %s=%s: \"",
                        option->name, o->value);
        if (filter && (id != OPTION_CONTENT || choice != CONTENT_AUTO))
            ppd_text_append(text, " %s=%s", option->name, o->value);
        ppd_text_append(text, "%s\"\n", setting);
    }
}

static void add_option(struct ppd_text *text, const struct added *added,
                       bool filter, char letter, bool cut)
{
    const struct option *option = option_info(added->id);
    bool number = option->kind == OPTION_NUMBER;

    ppd_text_append(text,
                    "*OpenUI *%s/%s: PickOne\n"
                    "*FoomaticRIPOption %s: %s CmdLine %c\n"
                    "*OrderDependency: %d AnySetup *%s\n"
                    "*Default%s: %s\n",
                    option->name, option->label[OPTION_EN], option->name,
                    number ? "float" : "enum", letter, added->order,
                    option->name, option->name, option->preset);
    if (number)
        add_number(text, added, option, filter);
    else
        add_choices(text, added->id, option, filter, cut);
    ppd_text_append(text, "*CloseUI: *%s\n", option->name);
}

void foomatic_add_options(struct ppd_text *text, bool filter, char letter,
                          const char *mode)
{
    bool cut = !filter && strcmp(mode, "Threshold") == 0;

    if (filter)
        ppd_text_append(text, "*HalftoneMode: \"%s\"\n", mode);
    for (size_t i = 0; i < sizeof all_added / sizeof all_added[0]; i++)
        add_option(text, &all_added[i], filter, letter, cut);
    words_add(text);
}
