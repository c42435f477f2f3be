/*
 * halftone-ppd.c - puts our dots before the driver of a PPD, or says why that
 * cannot be: doc/user/queues.md.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <err.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/command.h"
#include "tools/out_file.h"
#include "tools/progress.h"
#include "ppd/convert/convert.h"
#include "ppd/convert/papers.h"
#include "ppd/convert/source.h"
#include "ppd/convert/text.h"
#include "ppd/driver/list.h"
#include "ppd/driver/models.h"

#define PAPERS_MOST 64

struct ppd_options {
    enum convert_dots dots;
    const char *in;
    const char *out;
    const char *papers[PAPERS_MOST];
    int paper_count;
    bool update;  /* the list, and no PPD */
    bool explain; /* what a converted PPD has, and no PPD */
};

static bool write_ppd(const struct ppd_options *options, const char *bytes,
                      size_t size)
{
    struct out_file out;
    const char *why = out_file_open(&out, options->out, options->in);

    if (why == NULL) {
        fwrite(bytes, 1, size, out.file);
        why = out_file_close(&out, true);
    }
    return why == NULL ||
           command_complain(strcmp(options->out, "-") == 0 ? "standard output"
                                                           : options->out,
                            why);
}

/* Says something about the PPD in one line, whatever is in its name. */
static bool refuse(const struct ppd_options *options, const char *why)
{
    char line[CONVERT_WHY + 600];

    snprintf(line, sizeof line, "%s: %s", options->in, why);
    for (char *c = line; *c != '\0'; c++)
        if ((unsigned char)*c < ' ' || *c == 0x7f)
            *c = '?';
    warnx("%s", line);
    return false;
}

/* Reads the PPD; of a name of the list, the one of which it is made. */
static char *read_ppd(const char *in, size_t *size, char why[SOURCE_WHY])
{
    const size_t scheme = strlen(MODELS_SCHEME);

    if (strncmp(in, MODELS_SCHEME, scheme) != 0)
        return source_read(in, size, why);
    if (models_is_other(in + scheme))
        return source_read_listed(in + scheme, size, why);
    snprintf(why, SOURCE_WHY, "not the name of a PPD that can have our dots");
    return NULL;
}

/* Prints a line of HalftoneSizes, or one above all if it is NULL. */
static void explain_drops(const struct ppd_statement *at)
{
    static const char row[] = "%-13.*s %-22s %-16s %-44s %-28s %s\n";
    char areas[32] = "", codes[80] = "", solids[40] = "", limit[16] = "";

    if (at == NULL) {
        printf(row, 13, "Resolution", "Paper", "Drops, percent", "Codes",
               "Solids, percent", "Limit");
        return;
    }
    const size_t resolution = strcspn(at->option, ".");

    sscanf(at->value, "%31s %79s %39s %*s %*s %15s", areas, codes, solids,
           limit);
    printf(row, (int)resolution, at->option,
           at->option[resolution] == '\0' ? "(other)"
                                          : at->option + resolution + 1,
           areas, codes, solids, strcmp(limit, "0") == 0 ? "" : limit);
}

/* Prints what was read of the driver: its name, each resolution, what the lines
 * of our filter say, and each ink's drops (K:C:M:Y, or all alike). False
 * without memory. */
static bool explain(const char *bytes, size_t size)
{
    static const char *const keywords[] = {"NickName",     "HalftonePacker",
                                           "HalftoneMode", "HalftoneGutenprint",
                                           "Resolution",   "HalftoneInkSet"};
    struct ppd_text text;
    const bool ok = ppd_text_split(&text, bytes, size);
    bool drops = false;

    for (size_t i = 0; ok && i < text.count; i++) {
        const struct ppd_statement *at = &text.statements[i];

        if (ppd_text_is(at, "HalftoneSizes")) {
            if (!drops)
                explain_drops(NULL);
            drops = true;
            explain_drops(at);
        }
        for (size_t k = 0; k < sizeof keywords / sizeof keywords[0]; k++)
            if (ppd_text_is(at, keywords[k]))
                printf("%s%s%s: %s\n", at->keyword,
                       at->option[0] == '\0' ? "" : " ", at->option, at->value);
    }
    ppd_text_free(&text);
    return ok || command_complain("--explain", "no memory");
}

static bool convert(const struct ppd_options *options)
{
    size_t size, converted_size;
    char why[CONVERT_WHY];
    char *bytes = read_ppd(options->in, &size, why);
    char *converted;

    if (bytes == NULL)
        return refuse(options, why);
    converted =
        options->paper_count > 0
            ? papers_add(bytes, size, options->papers, options->paper_count,
                         &converted_size, why)
            : ppd_convert(bytes, size, options->dots, &converted_size, why);
    free(bytes);
    if (converted == NULL)
        return refuse(options, why);
    if (why[0] != '\0')
        refuse(options, why);
    bool ok = options->explain ? explain(converted, converted_size)
                               : write_ppd(options, converted, converted_size);
    free(converted);
    return ok;
}

/* ---- Command line ----------------------------------------------------- */

static const char usage[] =
    "Usage: halftone-ppd [OPTION]... PPD [OUT.ppd]\n"
    "Writes the PPD of another driver with the dots of rastertohalftone "
    "before\n"
    "that driver, to standard output without OUT.ppd. PPD is a file (\"-\":\n"
    "standard input) or a name that \"lpinfo -m\" lists, such as\n"
    "drv:///sample.drv/deskjet.ppd.\n"
    "\n"
    "  --dots KIND    tdfed, screen or threshold, whatever the kind of "
    "printer\n"
    "  --explain      print what has been read of the driver, and no PPD\n"
    "  --paper FILE   offer a paper file in a PPD that has our dots; any "
    "number\n"
    "  --update-list  find out which PPDs \"lpinfo -m\" lists with our dots\n"
    "  --help, --version\n";

static bool choose_dots(struct ppd_options *options, const char *name)
{
    static const char *const names[] = {[DOTS_TDFED] = "tdfed",
                                        [DOTS_SCREEN] = "screen",
                                        [DOTS_THRESHOLD] = "threshold"};

    for (int i = DOTS_TDFED; i <= DOTS_THRESHOLD; i++)
        if (strcmp(names[i], name) == 0) {
            options->dots = (enum convert_dots)i;
            return true;
        }
    return command_complain("--dots", "not tdfed, screen or threshold");
}

static bool parse_options(struct ppd_options *options, int argc, char **argv)
{
    static const struct option names[] = {
        {"dots", required_argument, NULL, 'd'},
        {"explain", no_argument, NULL, 'e'},
        {"paper", required_argument, NULL, 'p'},
        {"update-list", no_argument, NULL, 'u'},
        COMMAND_OPTIONS};
    bool ok = true;
    int option;

    while (ok && (option = command_option(argc, argv, names, usage)) != -1)
        if (option == 'u')
            options->update = true;
        else if (option == 'e')
            options->explain = true;
        else if (option == 'p' && options->paper_count == PAPERS_MOST)
            ok = command_complain("--paper", "more than 64 papers");
        else if (option == 'p')
            options->papers[options->paper_count++] = optarg;
        else
            ok = choose_dots(options, optarg);
    int words = argc - optind;
    if (ok && (options->update ? words > 0 : words < 1 || words > 2))
        command_misuse(usage);
    options->in = argv[optind];
    options->out = argc - optind == 2 ? argv[optind + 1] : "-";
    return ok;
}

/* Shows how far the list is. */
static void show(void *context, const char *scheme, size_t done, size_t all)
{
    struct progress_line *line = context;

    if (all == 0)
        progress_end(line);
    else if (line->what != scheme)
        progress_part(line, scheme);
    progress_show(line, done, all);
}

static bool update(void)
{
    struct progress_line line;

    progress_begin(&line, "models");
    return list_update(show, &line);
}

int main(int argc, char **argv)
{
    struct ppd_options options = {.dots = DOTS_BY_KIND};

    if (!parse_options(&options, argc, argv))
        return EXIT_USAGE;
    return command_status(options.update ? update() : convert(&options));
}
