/*
 * halftone-ppd.c - puts our dots before the driver of a PPD, or says why that
 * cannot be: doc/user/queues.md.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/command.h"
#include "ppd/convert/convert.h"
#include "ppd/convert/source.h"

struct ppd_options {
    enum convert_dots dots;
    const char *in;
    const char *out; /* NULL = standard output */
};

static bool write_ppd(const char *path, const char *bytes, size_t size)
{
    FILE *file = path == NULL ? stdout : fopen(path, "w");

    if (file == NULL)
        return command_complain(path, strerror(errno));
    bool ok = fwrite(bytes, 1, size, file) == size;
    return command_close(file, ok, path == NULL ? "standard output" : path);
}

/* Complains about the PPD in one line, whatever it has put into the reason. */
static bool refuse(const struct ppd_options *options, char *why)
{
    for (char *c = why; *c != '\0'; c++)
        if ((unsigned char)*c < ' ' || *c == 0x7f)
            *c = '?';
    return command_complain(options->in, why);
}

static bool convert(const struct ppd_options *options)
{
    size_t size, converted_size;
    char why[CONVERT_WHY];
    char *bytes = source_read(options->in, &size, why);
    char *converted;

    if (bytes == NULL)
        return refuse(options, why);
    converted = ppd_convert(bytes, size, options->dots, &converted_size, why);
    free(bytes);
    if (converted == NULL)
        return refuse(options, why);
    bool ok = write_ppd(options->out, converted, converted_size);
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
    "  --dots KIND  tdfed, screen or threshold, whatever the kind of printer\n"
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
        {"dots", required_argument, NULL, 'd'}, COMMAND_OPTIONS};
    bool ok = true;

    while (ok && command_option(argc, argv, names, usage) != -1)
        ok = choose_dots(options, optarg);
    if (ok && (argc - optind < 1 || argc - optind > 2))
        command_misuse(usage);
    options->in = argv[optind];
    options->out = argc - optind == 2 ? argv[optind + 1] : NULL;
    return ok;
}

int main(int argc, char **argv)
{
    struct ppd_options options = {.dots = DOTS_BY_KIND};

    if (!parse_options(&options, argc, argv))
        return EXIT_USAGE;
    return command_status(convert(&options));
}
