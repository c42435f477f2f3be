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
#include "tools/command.h"
#include "tools/out_file.h"

static const struct paper {
    const char *name;
    double width, height; /* in points */
} papers[] = {{"A4", 595, 842}, {"Letter", 612, 792}};

struct wish {
    struct chart chart;
    bool layout; /* CSV instead of PDF */
    const char *out;
};

static bool write_chart(const struct wish *wish)
{
    struct out_file out;
    const char *why = out_file_open(&out, wish->out, NULL);
    bool ok = why == NULL;

    if (ok && wish->layout)
        chart_write_layout(&wish->chart, out.file);
    else if (ok && !chart_write_pdf(&wish->chart, out.file))
        why = strerror(errno);
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
    "Writes a page of patches, each ink from 0 to 100 percent, to print\n"
    "and to measure. \"-\" is standard output.\n"
    "\n"
    "  --inks LETTERS  of CMYK (KCMY)\n"
    "  --steps N       of an ink, 3 to 51 (21)\n"
    "  --paper NAME    A4 or Letter (A4)\n"
    "  --layout        writes where the patches are, in points from the\n"
    "                  upper left, as CSV instead; without OUT.csv to\n"
    "                  standard output\n"
    "  --help, --version\n";

static bool choose_inks(struct chart *chart, const char *inks)
{
    const char *wrong = chart_inks_wrong(inks);

    chart->inks = inks;
    return wrong == NULL || command_complain("--inks", wrong);
}

static bool choose_paper(struct chart *chart, const char *name)
{
    for (size_t i = 0; i < sizeof papers / sizeof papers[0]; i++)
        if (strcmp(papers[i].name, name) == 0) {
            chart->width = papers[i].width;
            chart->height = papers[i].height;
            return true;
        }
    return command_complain("--paper", "neither A4 nor Letter");
}

static bool parse_options(struct wish *wish, int argc, char **argv)
{
    static const struct option names[] = {
        {"inks", required_argument, NULL, 'i'},
        {"steps", required_argument, NULL, 's'},
        {"paper", required_argument, NULL, 'p'},
        {"layout", no_argument, NULL, 'l'},
        COMMAND_OPTIONS};
    int option;
    bool ok = true;

    while (ok && (option = command_option(argc, argv, names, usage)) != -1)
        switch (option) {
        case 'i':
            ok = choose_inks(&wish->chart, optarg);
            break;
        case 's':
            ok = command_number("--steps", optarg, CHART_LEAST_STEPS,
                                CHART_MOST_STEPS, &wish->chart.steps);
            break;
        case 'p':
            ok = choose_paper(&wish->chart, optarg);
            break;
        case 'l':
            wish->layout = true;
            break;
        }
    if (ok && wish->layout && argc == optind)
        wish->out = "-";
    else if (ok && argc - optind == 1)
        wish->out = argv[optind];
    else if (ok)
        command_misuse(usage);
    if (ok && out_file_other(wish->out, wish->layout ? "csv\0" : "pdf\0"))
        return command_complain(wish->out, wish->layout ? "a layout is a .csv"
                                                        : "a chart is a .pdf");
    return ok;
}

int main(int argc, char **argv)
{
    struct wish wish = {
        .chart = {.inks = CHART_ALL_INKS, .steps = CHART_STEPS}};

    choose_paper(&wish.chart, "A4");
    if (!parse_options(&wish, argc, argv))
        return EXIT_USAGE;
    return write_chart(&wish) ? EXIT_SUCCESS : EXIT_FAILURE;
}
