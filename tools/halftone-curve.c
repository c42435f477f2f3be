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

#include "tools/calibrate/by_eye.h"
#include "tools/calibrate/fit.h"
#include "tools/chart_scan.h"
#include "tools/chart_options.h"
#include "tools/command.h"
#include "tools/scan_jpeg.h"

struct curve_options {
    double gain; /* as fit_write() wants it */
    const char *name;
    const char *in;
    bool scan;       /* `in` is one */
    struct scan how; /* to read it */
    const char *eye; /* what was seen, or NULL */
    struct readings seen;
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

static bool read_scan(struct curve_options *options, struct readings *readings,
                      struct refusal *refusal)
{
    char error[IMAGE_ERROR_BYTES];
    struct image_file file;
    struct image image = {0};
    struct scan *scan = &options->how;
    bool ok = image_open(&file, options->in, error) &&
              (scan_jpeg_is(file.file)
                   ? scan_jpeg_read(&image, file.file, error)
                   : image_next(&image, &file, error) == IMAGE_READ);

    image_close(&file);
    scan->image = &image;
    if (!ok)
        refuse(refusal, 0, "%s", error);
    else
        ok = scan_read(readings, scan, refusal);
    image_free(&image);
    return ok;
}

/* Makes a curve of a scan, where doubts are refused: nobody has seen the
 * numbers. */
static bool make_scan_curve(struct curve_options *options)
{
    struct readings readings;
    struct refusal refusal;
    struct fit fit;

    if (!read_scan(options, &readings, &refusal))
        return complain(options->in, &refusal);
    if (!fit_readings(&fit, &readings, &refusal) ||
        !fit_is_smooth(&fit, &refusal))
        return complain(options->in, &refusal);
    write_curve(options, &fit);
    warnx("the scanner's values were read as %s", options->how.as);
    return true;
}

static bool make_eye_curve(const struct curve_options *options)
{
    struct refusal refusal;
    struct fit fit;

    if (!fit_readings(&fit, &options->seen, &refusal))
        return complain(options->in, &refusal);
    write_curve(options, &fit);
    return true;
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
    "       halftone-curve --scan [OPTION]... SCAN >NAME.curve\n"
    "       halftone-curve --by-eye SEEN [OPTION]... >NAME.curve\n"
    "Makes a tone curve from what the patches of halftone-chart measure,\n"
    "a CSV (\"-\": standard input) with a first line that names the\n"
    "columns ink (C, M, Y or K), percent, and density or reflectance; or\n"
    "from a scan of the chart, a PNG, JPEG, PPM or PGM.\n"
    "\n"
    "  --gain PERCENT  coverage that print gains at 50 %, 0 to 25 (20, which\n"
    "                  pages made for a press expect; 0 = linear)\n"
    "  --name TEXT     noted in the curve\n"
    "  --scan          the chart is found by its marks. Which it "
    "is:\n" CHART_OPTIONS_USAGE
    "  --scanner-gamma sRGB, L*, linear or a number, 1 to 3, which the scan\n"
    "                  is checked for\n"
    "  --by-eye SEEN   the tints that vanish on the page of halftone-chart\n"
    "                  --by-eye, such as K:9/25/49,C:12/30/55: instead of a\n"
    "                  CSV, or with a scan, whose gamma it tells\n"
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

static bool choose_gamma(struct curve_options *options, const char *text)
{
    return scan_gamma_read(&options->how.gamma, text) ||
           command_complain("--scanner-gamma",
                            "not sRGB, L*, linear, or a number from 1 to 3");
}

/* K's tone that is as dark as half of lines is one that a scan is read by. */
static bool choose_eye(struct curve_options *options, const char *text)
{
    const struct readings_ink *black =
        &options->seen.ink[strchr(CURVE_LETTERS, 'K') - CURVE_LETTERS];
    struct refusal refusal;

    options->eye = text;
    if (!by_eye_parse(&options->seen, text, &refusal))
        return command_complain("--by-eye", refusal.why);
    options->how.match = black->steps > 0 ? black->tone[2] : 0;
    return true;
}

static bool parse_options(struct curve_options *options, int argc, char **argv)
{
    static const struct option names[] = {
        {"gain", required_argument, NULL, 'g'},
        {"name", required_argument, NULL, 'n'},
        {"scan", no_argument, NULL, 'S'},
        {"scanner-gamma", required_argument, NULL, 'G'},
        {"by-eye", required_argument, NULL, 'e'},
        CHART_OPTIONS,
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
        case 'S':
            options->scan = true;
            break;
        case 'G':
            ok = choose_gamma(options, optarg);
            break;
        case 'e':
            ok = choose_eye(options, optarg);
            break;
        default:
            ok = chart_option(&options->how.chart, option, optarg);
        }
    if (ok && argc - optind != (options->scan || options->eye == NULL))
        command_misuse(usage);
    options->in = argc > optind ? argv[optind] : "--by-eye";
    return ok;
}

int main(int argc, char **argv)
{
    struct curve_options options = {.gain = FIT_GAIN,
                                    .how = {.chart = chart_usual()}};

    if (!parse_options(&options, argc, argv))
        return EXIT_USAGE;
    return command_status(options.scan          ? make_scan_curve(&options)
                          : options.eye != NULL ? make_eye_curve(&options)
                                                : make_curve(&options));
}
