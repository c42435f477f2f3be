/*
 * halftone-chart.c - writes a page of steps of each ink, as PDF, to print and
 * to measure: doc/user/calibration.md.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "tools/calibrate/chart.h"
#include "tools/chart_options.h"
#include "tools/command.h"
#include "tools/out_file.h"

struct wish {
    struct chart chart;
    enum form { PDF, LAYOUT, CHT, TI2 } form;
    const char *out;
};

/* Forms of a chart. */
static const struct {
    const char *ending; /* of the file's name, as out_file_other() takes it */
    const char *wrong;  /* said of other endings */
    void (*write)(const struct chart *chart, FILE *file); /* NULL of PDF */
} forms[] = {[PDF] = {"pdf\0", "a chart is a .pdf", NULL},
             [LAYOUT] = {"csv\0", "a layout is a .csv", chart_write_layout},
             [CHT] = {"cht\0", "a recognition file is a .cht", chart_write_cht},
             [TI2] = {"ti2\0", "a list of patches is a .ti2", chart_write_ti2}};

static bool write_chart(const struct wish *wish)
{
    struct out_file out;
    const char *why = out_file_open(&out, wish->out, NULL);
    bool ok = why == NULL;

    if (ok && wish->form == PDF) {
        if (!chart_write_pdf(&wish->chart, out.file))
            why = strerror(errno);
    } else if (ok) {
        forms[wish->form].write(&wish->chart, out.file);
    }
    if (ok && why != NULL)
        out_file_close(&out, false);
    else if (ok)
        why = out_file_close(&out, true);
    return why == NULL || command_complain(wish->out, why);
}

/* ---- Command line ----------------------------------------------------- */

static const char usage[] =
    "Usage: halftone-chart [OPTION]... OUT.pdf\n"
    "       halftone-chart --layout [OPTION]... [OUT.csv]\n"
    "       halftone-chart --cht | --ti2 [OPTION]... OUT\n"
    "Writes a page of patches, each ink from 0 to 100 percent, to print\n"
    "and to measure. \"-\" is standard output.\n"
    "\n" CHART_OPTIONS_USAGE
    "  --by-eye        a page without --steps, for who has no instrument\n"
    "  --layout        writes where the patches are, in points from the\n"
    "                  upper left, as CSV instead; without OUT.csv to\n"
    "                  standard output\n"
    "  --cht, --ti2    write what ArgyllCMS's scanin needs to read a scan\n"
    "                  of the chart\n"
    "  --help, --version\n";

static bool parse_options(struct wish *wish, int argc, char **argv)
{
    static const struct option names[] = {CHART_OPTIONS,
                                          {"by-eye", no_argument, NULL, 'e'},
                                          {"layout", no_argument, NULL, 'l'},
                                          {"cht", no_argument, NULL, 'c'},
                                          {"ti2", no_argument, NULL, 't'},
                                          COMMAND_OPTIONS};
    int option;
    bool ok = true;

    while (ok && (option = command_option(argc, argv, names, usage)) != -1)
        switch (option) {
        case 'e':
            wish->chart.eye = true;
            wish->chart.steps = CHART_EYE_STEPS;
            break;
        case 'l':
            wish->form = LAYOUT;
            break;
        case 'c':
            wish->form = CHT;
            break;
        case 't':
            wish->form = TI2;
            break;
        default:
            ok = chart_option(&wish->chart, option, optarg);
        }
    if (ok && wish->form == LAYOUT && argc == optind)
        wish->out = "-";
    else if (ok && argc - optind == 1)
        wish->out = argv[optind];
    else if (ok)
        command_misuse(usage);
    if (ok && out_file_other(wish->out, forms[wish->form].ending))
        return command_complain(wish->out, forms[wish->form].wrong);
    return ok;
}

int main(int argc, char **argv)
{
    struct wish wish = {.chart = chart_usual()};

    if (!parse_options(&wish, argc, argv))
        return EXIT_USAGE;
    return write_chart(&wish) ? EXIT_SUCCESS : EXIT_FAILURE;
}
