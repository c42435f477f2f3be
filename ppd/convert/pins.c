/*
 * pins.c - CUPS's own PPDs of dot matrix printers take pages of 100 feet,
 * whose length rastertoepson tells by ESC C in lines of 1/6 inch. There are
 * 127: of a longer page it sends what is left of the number in a byte, and the
 * paper stands wrong from the next page on.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <stdlib.h>
#include <stdio.h>
#include <string.h>

#include "ppd/convert/pins.h"

#define PINS_24 1 /* rastertoepson's cupsModelNumber; 0: 9 pins */
#define MOST_POINTS (127 * 12)

/* Lowers the most that "*ParamCustomPageSize Height" allows. */
static void limit(struct ppd_text *text, struct ppd_statement *height)
{
    int order;
    double least, most;

    if (sscanf(height->value, " %d points %lf %lf", &order, &least, &most) ==
            3 &&
        most > MOST_POINTS && least < MOST_POINTS)
        ppd_text_replace(text, height,
                         "*ParamCustomPageSize Height: %d points %g %d\n",
                         order, least, MOST_POINTS);
}

void pins_mend(struct ppd_text *text, const char *driver, int model)
{
    if (strcmp(driver, "rastertoepson") != 0 || model < 0 || model > PINS_24)
        return;
    for (size_t i = 0; i < text->count; i++) {
        struct ppd_statement *statement = &text->statements[i];

        if (ppd_text_is(statement, "ParamCustomPageSize") &&
            strcmp(statement->option, "Height") == 0)
            limit(text, statement);
        else if (ppd_text_is(statement, "MaxMediaHeight") &&
                 strtod(statement->value, NULL) > MOST_POINTS)
            ppd_text_replace(text, statement, "*MaxMediaHeight: \"%d\"\n",
                             MOST_POINTS);
    }
}
