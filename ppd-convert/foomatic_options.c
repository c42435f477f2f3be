/*
 * foomatic_options.c - our options in a PPD for foomatic-rip.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "ppd-convert/foomatic_options.h"

/* What a choice adds to the line; NULL = it is not for this program. */
struct choice {
    const char *name, *text; /* a name NULL ends */
    const char *filter;      /* as options of a job */
    const char *command;     /* of halftone */
};

/* A number, if `range` is not NULL, has its choice written instead of %s. The
 * texts are those of ppd/rastertohalftone.drv. The order lets the method of
 * HalftoneContent follow what else there is. */
static const struct added {
    const char *name, *text, *preset;
    int order;
    const char *range;
    const char *filter, *command; /* of numbers */
    struct choice choices[8];
} added[] = {{"HalftoneContent",
              "Optimize For",
              "Auto",
              130,
              NULL,
              NULL,
              NULL,
              {{"Auto", "Any page", "", ""},
               {"Text", "Text and bar codes", " HalftoneContent=Text",
                " --method threshold"},
               {"TextAndGraphic", "Sharp text beside pictures",
                " HalftoneContent=TextAndGraphic", NULL},
               {"Graphic", "Graphics", " HalftoneContent=Graphic", ""},
               {"Photo", "Photos", " HalftoneContent=Photo", ""}}},
             {"HalftoneCurve",
              "Tone Curve",
              "Default",
              120,
              NULL,
              NULL,
              NULL,
              {{"Default", "For the usual dot gain", " HalftoneCurve=Default",
                " --curve default"},
               {"None", "None", " HalftoneCurve=None", ""}}},
             {"HalftoneGamma",
              "Lightness",
              "1.0",
              120,
              "0.25 4",
              " HalftoneGamma=%s",
              " --gamma %s",
              {{"1.5", "Much lighter", "", ""},
               {"1.2", "Lighter", "", ""},
               {"1.0", "Normal", "", ""},
               {"0.85", "Darker", "", ""},
               {"0.7", "Much darker", "", ""}}},
             {"HalftoneDensity",
              "Ink Density",
              "100",
              120,
              "10 200",
              " HalftoneDensity=%s",
              " --density %s",
              {{"100", "100 %", "", ""},
               {"90", "90 %", "", ""},
               {"80", "80 %", "", ""},
               {"70", "70 %", "", ""},
               {"60", "60 %", "", ""},
               {"50", "50 %", "", ""}}}};

static void add_setting(struct ppd_text *text, const struct added *option,
                        const struct choice *choice, const char *setting)
{
    ppd_text_append(
        text, "*%s %s/%s: \"%%%% FoomaticRIPOptionSetting: %s=%s\"\n",
        option->name, choice->name, choice->text, option->name, choice->name);
    if (option->range == NULL)
        ppd_text_append(text, "*FoomaticRIPOptionSetting %s=%s: \"%s\"\n",
                        option->name, choice->name, setting);
}

/* As in the filter, for choices of HalftoneContent. */
static bool has_tones(const struct choice *choice)
{
    return strcmp(choice->name, "Graphic") == 0 ||
           strcmp(choice->name, "Photo") == 0;
}

static void add_option(struct ppd_text *text, const struct added *option,
                       bool filter, char letter, bool cut)
{
    ppd_text_append(text,
                    "*OpenUI *%s/%s: PickOne\n"
                    "*FoomaticRIPOption %s: %s CmdLine %c\n"
                    "*OrderDependency: %d AnySetup *%s\n"
                    "*Default%s: %s\n",
                    option->name, option->text, option->name,
                    option->range == NULL ? "enum" : "float", letter,
                    option->order, option->name, option->name, option->preset);
    if (option->range != NULL)
        ppd_text_append(text,
                        "*FoomaticRIPOptionPrototype %s: \"%s\"\n"
                        "*FoomaticRIPOptionRange %s: %s\n"
                        "*FoomaticRIPDefault%s: %s\n",
                        option->name, filter ? option->filter : option->command,
                        option->name, option->range, option->name,
                        option->preset);
    for (const struct choice *c = option->choices; c->name != NULL; c++) {
        const char *setting = filter ? c->filter : c->command;
        if (cut && has_tones(c))
            setting = " --method tdfed4";
        if (setting != NULL)
            add_setting(text, option, c, setting);
    }
    ppd_text_append(text, "*CloseUI: *%s\n", option->name);
}

void foomatic_add_options(struct ppd_text *text, bool filter, char letter,
                          const char *mode)
{
    bool cut = !filter && strcmp(mode, "Threshold") == 0;

    if (filter)
        ppd_text_append(text, "*HalftoneMode: \"%s\"\n", mode);
    for (size_t i = 0; i < sizeof added / sizeof added[0]; i++)
        add_option(text, &added[i], filter, letter, cut);
}
