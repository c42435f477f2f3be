/*
 * print_options.c - prints the table of options, for test/option-copies: a line
 * an option, with tabs between
 *
 *   name kind from fallback preset low high choice...
 *
 * as in page/option.h; "-" stands for what an option does not have.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <stdio.h>

#include "page/option.h"

static const char *const kinds[] = {[OPTION_KEYWORD] = "keyword",
                                    [OPTION_NUMBER] = "number",
                                    [OPTION_WHOLE] = "whole",
                                    [OPTION_NAME] = "name",
                                    [OPTION_CMYK] = "cmyk"};

static const char *or_dash(const char *text)
{
    return text != NULL ? text : "-";
}

int main(void)
{
    for (enum option_id id = 0; id < OPTIONS; id++) {
        const struct option *option = option_info(id);
        const char *choice;

        printf("%s\t%s\t%s%s%s\t%s\t%s\t%.10g\t%.10g", option->name,
               kinds[option->kind], option->from & OPTION_OF_JOB ? "job," : "",
               option->from & OPTION_OF_PPD ? "PPD," : "",
               option->from & OPTION_OF_RIP ? "RIP," : "",
               or_dash(option->fallback), or_dash(option->preset), option->low,
               option->high);
        for (unsigned i = 0; (choice = option_choice(id, i)) != NULL; i++)
            printf("\t%s", choice);
        putchar('\n');
    }
    return 0;
}
