/*
 * chart_options.c - the options by which tools say which chart they mean.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <string.h>

#include "tools/chart_options.h"
#include "tools/command.h"

static const struct paper {
    const char *name;
    double width, height; /* in points */
} papers[] = {{"A4", 595, 842}, {"Letter", 612, 792}};

struct chart chart_usual(void)
{
    return (struct chart){papers[0].width, papers[0].height, CHART_ALL_INKS,
                          CHART_STEPS, false};
}

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

bool chart_option(struct chart *chart, int option, const char *value)
{
    switch (option) {
    case 'i':
        return choose_inks(chart, value);
    case 's':
        return command_number("--steps", value, CHART_LEAST_STEPS,
                              CHART_MOST_STEPS, &chart->steps);
    default:
        return choose_paper(chart, value);
    }
}
