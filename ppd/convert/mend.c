/*
 * mend.c - CUPS's own PPDs, to CUPS 2.4.19 at least, ask things of drivers that
 * these take for others.
 *
 * rastertolabel:
 * - Dymo, dark: cupsCompression 3 becomes ESC f, a feed. 4 is ESC g, dark.
 * - CPCL, as the printer is set: cupsCompression -1 becomes TONE 4294967294.
 *   0 sends nothing.
 * - EPL 1 and 2, copies: the PPDs say that the driver makes them, and it makes
 *   none. They are CUPS's then.
 *
 * rastertoepson: pages of 100 feet, whose length it tells dot matrix printers
 * by ESC C in lines of 1/6 inch. There are 127: of a longer page it sends what
 * is left of the number in a byte, and the paper stands wrong from the next
 * page on.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#define _GNU_SOURCE /* memmem() */

#include "config.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ppd/convert/mend.h"

/* cupsModelNumber of rastertolabel. */
enum { DYMO = 0, EPL1 = 16, EPL2 = 17, CPCL = 19 };

#define PINS_24 1 /* rastertoepson's cupsModelNumber; 0: 9 pins */
#define MOST_POINTS (127 * 12)

static const char compression[] = "cupsCompression ";

/* Replaces the number of cupsCompression where it is `from`. */
static void set_compression(struct ppd_text *text,
                            struct ppd_statement *statement, const char *from,
                            const char *to)
{
    const size_t length = strlen(from);
    const char *end = statement->raw + statement->size;
    const char *at = statement->instead != NULL
                         ? NULL
                         : memmem(statement->raw, statement->size, compression,
                                  sizeof compression - 1);

    if (at == NULL)
        return;
    at += sizeof compression - 1;
    if ((size_t)(end - at) <= length || strncmp(at, from, length) != 0 ||
        isdigit((unsigned char)at[length]))
        return;
    ppd_text_replace(text, statement, "%.*s%s%.*s", (int)(at - statement->raw),
                     statement->raw, to, (int)(end - at - (ptrdiff_t)length),
                     at + length);
}

static void set_compressions(struct ppd_text *text, const char *from,
                             const char *to)
{
    for (size_t i = 0; i < text->count; i++)
        set_compression(text, &text->statements[i], from, to);
}

static void make_copies(struct ppd_text *text)
{
    for (size_t i = 0; i < text->count; i++)
        if (ppd_text_is(&text->statements[i], "cupsManualCopies"))
            ppd_text_remove(text, &text->statements[i]);
    ppd_text_append(text, "*cupsManualCopies: True\n");
}

static void mend_label(struct ppd_text *text, int model)
{
    if (model == DYMO)
        set_compressions(text, "3", "4");
    else if (model == CPCL)
        set_compressions(text, "-1", "0");
    else if (model == EPL1 || model == EPL2)
        make_copies(text);
}

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

static void mend_pins(struct ppd_text *text)
{
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

void mend_text(struct ppd_text *text, const char *driver, int model)
{
    if (strcmp(driver, "rastertolabel") == 0)
        mend_label(text, model);
    else if (strcmp(driver, "rastertoepson") == 0 && model >= 0 &&
             model <= PINS_24)
        mend_pins(text);
}
