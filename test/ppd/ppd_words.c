/*
 * ppd_words.c - the words of a PPD's options in the language of LANG, as
 * libcups has them: a line
 *
 *     OPTION CHOICE<TAB>TEXT
 *
 * for each choice, and one for each option, whose CHOICE is "-". PageRegion,
 * which nobody is shown, is left out.
 *
 *     ppd-words PPD
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cups/cups.h>
#include <cups/ppd.h>

/* CUPS marks all of its PPD functions so. */
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

static void print_option(const ppd_option_t *option)
{
    printf("%s -\t%s\n", option->keyword, option->text);
    for (int i = 0; i < option->num_choices; i++)
        printf("%s %s\t%s\n", option->keyword, option->choices[i].choice,
               option->choices[i].text);
}

static void print_custom(ppd_file_t *ppd, const ppd_option_t *option)
{
    ppd_coption_t *custom = ppdFindCustomOption(ppd, option->keyword);
    ppd_cparam_t *param = custom == NULL ? NULL : ppdFirstCustomParam(custom);

    for (; param != NULL; param = ppdNextCustomParam(custom))
        printf("Custom%s %s\t%s\n", option->keyword, param->name, param->text);
}

int main(int argc, char **argv)
{
    ppd_file_t *ppd = argc == 2 ? ppdOpenFile(argv[1]) : NULL;

    if (ppd == NULL || ppdLocalize(ppd) != 0) {
        fprintf(stderr, "usage: ppd-words PPD\n");
        return EXIT_FAILURE;
    }
    for (ppd_option_t *option = ppdFirstOption(ppd); option != NULL;
         option = ppdNextOption(ppd))
        if (strcmp(option->keyword, "PageRegion") != 0) {
            print_option(option);
            print_custom(ppd, option);
        }
    ppdClose(ppd);
    return 0;
}
