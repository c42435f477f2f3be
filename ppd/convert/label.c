/*
 * label.c - CUPS's own PPDs of label printers, to CUPS 2.4.19 at least, ask
 * three things of rastertolabel that it takes for others:
 *
 * - Dymo, dark: cupsCompression 3 becomes ESC f, a feed. 4 is ESC g, dark.
 * - CPCL, as the printer is set: cupsCompression -1 becomes TONE 4294967294.
 *   0 sends nothing.
 * - EPL 1 and 2, copies: the PPDs say that the driver makes them, and it makes
 *   none. They are CUPS's then.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#define _GNU_SOURCE /* memmem() */

#include "config.h"

#include <ctype.h>
#include <string.h>

#include "ppd/convert/label.h"

/* cupsModelNumber of rastertolabel. */
enum { DYMO = 0, EPL1 = 16, EPL2 = 17, CPCL = 19 };

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
    static const char line[] = "*cupsManualCopies: True\n";

    for (size_t i = 0; i < text->count; i++)
        if (ppd_text_is(&text->statements[i], "cupsManualCopies"))
            ppd_text_remove(text, &text->statements[i]);
    ppd_text_append(text, "%s", line);
}

void label_mend(struct ppd_text *text, const char *driver, int model)
{
    if (strcmp(driver, "rastertolabel") != 0)
        return;
    if (model == DYMO)
        set_compressions(text, "3", "4");
    else if (model == CPCL)
        set_compressions(text, "-1", "0");
    else if (model == EPL1 || model == EPL2)
        make_copies(text);
}
