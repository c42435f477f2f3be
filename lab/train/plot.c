/*
 * plot.c - functions that the figures share.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <stdio.h>
#include <string.h>

#include "tools/command.h"
#include "lab/train/plot.h"

const uint32_t plot_colors[PLOT_COLORS] = {
    0xc02020, 0x2040c0, 0x108030, 0x906010, 0x802090, 0x000000,
    0x10a0a0, 0xe08020, 0x808080, 0xe060a0, 0x80c020, 0x604030};

void plot_legend(struct canvas *canvas, int row, const char *text,
                 uint32_t color)
{
    canvas_text(canvas, canvas->width - 250, 40 + 14 * row, 2, text, color);
}

bool plot_open_printer(struct printer *printer, ht_table_t **table,
                       const char *argument)
{
    bool named =
        strncmp(argument, "4:", 2) == 0 || strncmp(argument, "1:", 2) == 0;

    *table = NULL;
    if (!named)
        return command_complain(argument, "not 4:TABLE or 1:TABLE");
    *table = printer_load_table(argument + 2);
    *printer =
        (struct printer){.method = argument[0] == '1' ? HT_TDFED1 : HT_TDFED4,
                         .table = *table,
                         .segment = HT_DEFAULT_SEGMENT};
    return *table != NULL;
}

void plot_table_name(char *name, size_t size, const char *argument)
{
    const char *slash = strrchr(argument, '/'), *colon = strchr(argument, ':');

    snprintf(name, size, "%s",
             slash   ? slash + 1
             : colon ? colon + 1
                     : argument);
    char *dot = strrchr(name, '.');
    if (dot != NULL)
        *dot = '\0';
}
