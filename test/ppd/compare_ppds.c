/*
 * compare_ppds.c - compares a PPD converted by halftone-ppd with the original:
 * every combination of its choices has to ask the RIP for tones where the
 * original asks for dots: 8 or 16 bits in place of 1, in the same color space
 * and order.
 *
 *     compare-ppds BEFORE AFTER
 *
 * Says of each combination that does not so, one a line, and of how many were
 * tried. Combined are the options of which a choice's code, in either PPD, sets
 * bits, color space or order; the others have their defaults. What libcups
 * makes of the code counts, and nothing of halftone-ppd's.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cups/cups.h>
#include <cups/ppd.h>
#include <cups/raster.h>

/* CUPS marks all of its PPD functions so. */
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

#define MAX_OPTIONS 16
#define MAX_COMBINATIONS (1ul << 18)

struct asked {
    unsigned bits, space, order;
};

static _Noreturn void fail(const char *what, const char *why)
{
    fprintf(stderr, "compare-ppds: %s: %s\n", what, why);
    exit(EXIT_FAILURE);
}

static ppd_file_t *open_ppd(const char *path)
{
    ppd_file_t *ppd = ppdOpenFile(path);

    if (ppd == NULL)
        fail(path, "not a PPD");
    ppdMarkDefaults(ppd);
    return ppd;
}

static struct asked asked_by(ppd_file_t *ppd)
{
    cups_page_header2_t header;

    if (cupsRasterInterpretPPD(&header, ppd, 0, NULL, NULL) != 0)
        fail("code", cupsRasterErrorString());
    return (struct asked){header.cupsBitsPerColor, header.cupsColorSpace,
                          header.cupsColorOrder};
}

/* ---- Which options ------------------------------------------------------ */

static bool matters(const ppd_option_t *option)
{
    for (int i = 0; option != NULL && i < option->num_choices; i++) {
        const char *code = option->choices[i].code;
        if (code != NULL && (strstr(code, "cupsBits") != NULL ||
                             strstr(code, "cupsColor") != NULL))
            return true;
    }
    return false;
}

/* Collects the options of `after` that matter in either PPD; returns how many.
 */
static size_t find_options(ppd_file_t *before, ppd_file_t *after,
                           ppd_option_t **options)
{
    size_t count = 0;

    for (int i = 0; i < after->num_groups; i++)
        for (int j = 0; j < after->groups[i].num_options; j++) {
            ppd_option_t *option = &after->groups[i].options[j];

            if (!matters(option) &&
                !matters(ppdFindOption(before, option->keyword)))
                continue;
            if (count == MAX_OPTIONS)
                fail(option->keyword, "too many options");
            options[count++] = option;
        }
    return count;
}

static unsigned long combinations(ppd_option_t *const *options, size_t count)
{
    unsigned long all = 1;

    for (size_t i = 0; i < count; i++) {
        all *= (unsigned long)options[i]->num_choices;
        if (all > MAX_COMBINATIONS)
            fail(options[i]->keyword, "too many combinations");
    }
    return all;
}

/* ---- Comparison --------------------------------------------------------- */

/* The choices of combination `number`, in both PPDs and as a text. */
static void mark(ppd_file_t *before, ppd_file_t *after,
                 ppd_option_t *const *options, size_t count,
                 unsigned long number, char *text, size_t size)
{
    size_t at = 0;

    *text = '\0';
    for (size_t i = 0; i < count; i++) {
        unsigned long choices = (unsigned long)options[i]->num_choices;
        const char *choice = options[i]->choices[number % choices].choice;
        int length;

        number /= choices;
        if (ppdFindOption(before, options[i]->keyword) != NULL)
            ppdMarkOption(before, options[i]->keyword, choice);
        ppdMarkOption(after, options[i]->keyword, choice);
        length = snprintf(text + at, size - at, " %s=%s", options[i]->keyword,
                          choice);
        if (length < 0 || (size_t)length >= size - at)
            fail(options[i]->keyword, "names too long");
        at += (size_t)length;
    }
}

static bool agree(struct asked before, struct asked after)
{
    return before.bits == 1 && (after.bits == 8 || after.bits == 16) &&
           before.space == after.space && before.order == after.order;
}

int main(int argc, char **argv)
{
    ppd_option_t *options[MAX_OPTIONS];
    ppd_file_t *before, *after;
    unsigned long all, wrong = 0;
    size_t count;

    if (argc != 3) {
        fprintf(stderr, "usage: compare-ppds BEFORE AFTER\n");
        return 2;
    }
    before = open_ppd(argv[1]);
    after = open_ppd(argv[2]);
    count = find_options(before, after, options);
    all = combinations(options, count);
    for (unsigned long i = 0; i < all; i++) {
        struct asked was, is;
        char text[1024];

        mark(before, after, options, count, i, text, sizeof(text));
        was = asked_by(before);
        is = asked_by(after);
        if (agree(was, is))
            continue;
        wrong++;
        printf("bits %u space %u order %u became %u %u %u:%s\n", was.bits,
               was.space, was.order, is.bits, is.space, is.order, text);
    }
    printf("%lu combinations, %lu wrong\n", all, wrong);
    ppdClose(before);
    ppdClose(after);
    return wrong == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
