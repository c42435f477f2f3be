/*
 * supplies_page.c - the page of ink and toner levels. PAPPL 1.3
 * (_papplPrinterWebSupplies(), printer-webif.c:1376-1432) draws a bar in the
 * color of the ink, and shows the number only under the mouse; an unknown level
 * is -2 %.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include "printer-app/web/page_form.h"
#include "printer-app/web/pages.h"

#define MAX_SHOWN 32

/* Returns a CSS color. */
static const char *color_of(pappl_supply_color_t color)
{
    static const char *const colors[] = {
        [PAPPL_SUPPLY_COLOR_BLACK] = "#222",
        [PAPPL_SUPPLY_COLOR_CYAN] = "#0cc",
        [PAPPL_SUPPLY_COLOR_GRAY] = "#777",
        [PAPPL_SUPPLY_COLOR_GREEN] = "#0a0",
        [PAPPL_SUPPLY_COLOR_LIGHT_CYAN] = "#7ff",
        [PAPPL_SUPPLY_COLOR_LIGHT_GRAY] = "#ccc",
        [PAPPL_SUPPLY_COLOR_LIGHT_MAGENTA] = "#fcf",
        [PAPPL_SUPPLY_COLOR_MAGENTA] = "#f0f",
        [PAPPL_SUPPLY_COLOR_ORANGE] = "#f70",
        [PAPPL_SUPPLY_COLOR_VIOLET] = "#707",
        [PAPPL_SUPPLY_COLOR_YELLOW] = "#ff0"};
    const size_t count = sizeof colors / sizeof colors[0];

    return (size_t)color < count && colors[color] != NULL ? colors[color]
                                                          : "transparent";
}

static void show_supply(pappl_client_t *client, const pappl_supply_t *supply)
{
    papplClientHTMLPrintf(client,
                          "<tr><th><span class=\"ink\" "
                          "style=\"background: %s\"></span>",
                          color_of(supply->color));
    page_say(client, supply->description);
    papplClientHTMLPuts(client, "</th><td>");
    if (supply->level >= 0)
        papplClientHTMLPrintf(client,
                              "<meter aria-label=\"%s\" min=\"0\" "
                              "max=\"100\" low=\"10\" value=\"%d\"></meter> "
                              "%d %%",
                              supply->description, supply->level,
                              supply->level);
    else
        page_say(client, "The printer does not say how much is left.");
    papplClientHTMLPuts(client, "</td></tr>\n");
}

void supplies_page(pappl_client_t *client, pappl_printer_t *printer)
{
    pappl_supply_t supplies[MAX_SHOWN];
    const int count = papplPrinterGetSupplies(printer, MAX_SHOWN, supplies);

    papplClientHTMLPrinterHeader(client, printer, "Supplies", 0, NULL, NULL);
    if (count == 0) {
        page_text(client, "p", NULL,
                  "The printer has not told of its ink or toner yet.");
    } else {
        papplClientHTMLPuts(client, "<table class=\"meter\"><tbody>\n");
        for (int i = 0; i < count; i++)
            show_supply(client, &supplies[i]);
        papplClientHTMLPuts(client, "</tbody></table>\n");
    }
    papplClientHTMLPrinterFooter(client);
}
