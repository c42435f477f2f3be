/*
 * halftone-curve.c - makes a tone curve from the readings of a printed chart:
 * doc/user/calibration.md.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <err.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/calibrate/fit.h"
#include "tools/command.h"

struct curve_options {
    double gain; /* as fit_write() wants it */
    const char *name;
    const char *in;
};

/* Reads a file, or as much of it as shows that it is too large. */
static bool read_all(const char *path, char *text, size_t *size)
{
    bool standard = strcmp(path, "-") == 0;
    FILE *file = standard ? stdin : fopen(path, "r");

    if (file == NULL)
        return command_complain(path, strerror(errno));
    *size = fread(text, 1, READINGS_MOST_BYTES + 1, file);
    bool ok = !ferror(file) || command_complain(path, strerror(errno));
    fclose(file);
    return ok;
}

static bool complain(const char *path, const struct refusal *refusal)
{
    if (refusal->line == 0)
        return command_complain(path, refusal->why);
    warnx("%s:%u: %s", path, refusal->line, refusal->why);
    return false;
}

static void write_curve(const struct curve_options *options,
                        const struct fit *fit)
{
    char text[FIT_TEXT_BYTES], made_by[64];

    snprintf(made_by, sizeof made_by, "halftone-curve --gain %g",
             100 * options->gain);
    fit_write(fit, options->gain, options->name, made_by, text);
    fputs(text, stdout);
    for (int i = 0; i < CURVE_INKS; i++)
        if (!fit->ink[i].measured)
            warnx("ink %c was not measured and is left as it is",
                  CURVE_LETTERS[i]);
}

static bool make_curve(const struct curve_options *options)
{
    char *text = malloc(READINGS_MOST_BYTES + 1);
    struct readings readings;
    struct refusal refusal;
    struct fit fit;
    size_t size = 0;

    if (text == NULL)
        return command_complain(options->in, strerror(errno));
    bool ok = read_all(options->in, text, &size);
    if (ok) {
        ok = readings_parse(&readings, text, size, &refusal) &&
             fit_readings(&fit, &readings, &refusal);
        if (ok)
            write_curve(options, &fit);
        else
            complain(options->in, &refusal);
    }
    free(text);
    return ok;
}

/* ---- Command line ----------------------------------------------------- */

static const char usage[] =
    "Usage: halftone-curve [OPTION]... MEASURED.csv >NAME.curve\n"
    "Makes a tone curve from what the patches of halftone-chart measure,\n"
    "a CSV (\"-\": standard input) with a first line that names the\n"
    "columns ink (C, M, Y or K), percent, and density or reflectance.\n"
    "\n"
    "  --gain PERCENT  coverage that print gains at 50 %, 0 to 25 (20, which\n"
    "                  pages made for a press expect; 0 = linear)\n"
    "  --name TEXT     noted in the curve\n"
    "  --help, --version\n";

static bool choose_name(struct curve_options *options, const char *name)
{
    struct refusal refusal;

    options->name = name;
    return fit_name_check(name, &refusal) ||
           command_complain("--name", refusal.why);
}

static bool choose_gain(struct curve_options *options, const char *text)
{
    struct refusal refusal;

    return fit_gain(text, &options->gain, &refusal) ||
           command_complain("--gain", refusal.why);
}

static bool parse_options(struct curve_options *options, int argc, char **argv)
{
    static const struct option names[] = {
        {"gain", required_argument, NULL, 'g'},
        {"name", required_argument, NULL, 'n'},
        COMMAND_OPTIONS};
    int option;
    bool ok = true;

    while (ok && (option = command_option(argc, argv, names, usage)) != -1)
        switch (option) {
        case 'g':
            ok = choose_gain(options, optarg);
            break;
        case 'n':
            ok = choose_name(options, optarg);
            break;
        }
    if (ok && argc - optind != 1)
        command_misuse(usage);
    options->in = argv[optind];
    return ok;
}

int main(int argc, char **argv)
{
    struct curve_options options = {.gain = FIT_GAIN};

    if (!parse_options(&options, argc, argv))
        return EXIT_USAGE;
    return command_status(make_curve(&options));
}
