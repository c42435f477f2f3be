/*
 * ppd_raster.c - what raster a PPD asks for, as libcups interprets it: a line
 *
 *     OPTION=CHOICE BITS SPACE ORDER
 *
 * for each choice, with the defaults of all other options, and one before them
 * for the defaults alone. The numbers are those of CUPS's header.
 *
 *     ppd-raster PPD
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cups/cups.h>
#include <cups/ppd.h>
#include <cups/raster.h>

/* CUPS marks all of its PPD functions so. */
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

static void print_marked(ppd_file_t *ppd, const char *option,
                         const char *choice)
{
    cups_page_header2_t header;

    if (cupsRasterInterpretPPD(&header, ppd, 0, NULL, NULL) != 0) {
        fprintf(stderr, "%s=%s: %s\n", option, choice, cupsRasterErrorString());
        exit(EXIT_FAILURE);
    }
    printf("%s=%s %u %u %u\n", option, choice, header.cupsBitsPerColor,
           header.cupsColorSpace, header.cupsColorOrder);
}

static void print_option(ppd_file_t *ppd, const ppd_option_t *option)
{
    for (int i = 0; i < option->num_choices; i++) {
        if (strcmp(option->choices[i].choice, "Custom") == 0)
            continue; /* has no value */
        ppdMarkDefaults(ppd);
        ppdMarkOption(ppd, option->keyword, option->choices[i].choice);
        print_marked(ppd, option->keyword, option->choices[i].choice);
    }
}

int main(int argc, char **argv)
{
    ppd_file_t *ppd = argc == 2 ? ppdOpenFile(argv[1]) : NULL;

    if (ppd == NULL) {
        fprintf(stderr, "usage: ppd-raster PPD\n");
        return EXIT_FAILURE;
    }
    ppdMarkDefaults(ppd);
    print_marked(ppd, "all", "default");
    for (int i = 0; i < ppd->num_groups; i++)
        for (int j = 0; j < ppd->groups[i].num_options; j++)
            print_option(ppd, &ppd->groups[i].options[j]);
    ppdClose(ppd);
    return EXIT_SUCCESS;
}
