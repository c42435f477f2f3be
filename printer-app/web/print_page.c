/*
 * print_page.c - a printer's page "Print a File": options, and a file that is
 * printed as by IPP (pappl-fixes/upload.c).
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "printer-app/ipp/offer.h"
#include "printer-app/web/page_form.h"
#include "printer-app/web/pages.h"

#define NAME 128 /* bytes of an attribute's name */

/* Attributes of every job that are asked for, if the printer has a choice. */
static const char *const asked[] = {"media", "sides", "print-color-mode",
                                    "print-quality", "print-scaling"};
#define ASKED ((int)(sizeof asked / sizeof asked[0]))

static void read_offer(struct offer *offer, pappl_printer_t *printer)
{
    static const int qualities[] = {IPP_QUALITY_DRAFT, IPP_QUALITY_NORMAL,
                                    IPP_QUALITY_HIGH};
    static const char *const scalings[] = {"auto", "auto-fit", "fill", "fit",
                                           "none"};

    offer_open(offer, printer);
    /* PAPPL adds these where it answers. */
    ippAddIntegers(offer->attributes, IPP_TAG_PRINTER, IPP_TAG_ENUM,
                   "print-quality-supported", 3, qualities);
    ippAddStrings(offer->attributes, IPP_TAG_PRINTER, IPP_TAG_KEYWORD,
                  "print-scaling-supported", 5, NULL, scalings);
}

/* Returns the name of a field: those that are asked for, then the driver's own;
 * NULL behind the last. */
static const char *field_at(const struct offer *offered, int i)
{
    if (i < ASKED)
        return asked[i];
    return i < ASKED + offered->data.num_vendor
               ? offered->data.vendor[i - ASKED]
               : NULL;
}

static ipp_attribute_t *supported(const struct offer *offered,
                                  const char *field)
{
    char name[NAME];

    snprintf(name, sizeof name, "%s-supported", field);
    return ippFindAttribute(offered->attributes, name, IPP_TAG_ZERO);
}

/* ---- The form ------------------------------------------------------------ */

/* Adds a number, or a word, which the printer's own checks look at. */
static const char *add(ipp_t *request, ipp_tag_t tag, const char *name,
                       const char *value)
{
    char *end;
    const long number = strtol(value, &end, 10);

    if (tag == IPP_TAG_KEYWORD)
        ippAddString(request, IPP_TAG_JOB, tag, name, NULL, value);
    else if (*end != '\0' || number < -9999 || number > 9999)
        return "This form cannot be read.";
    else
        ippAddInteger(request, IPP_TAG_JOB,
                      tag == IPP_TAG_RANGE ? IPP_TAG_INTEGER : tag, name,
                      (int)number);
    return NULL;
}

const char *print_page_options(pappl_printer_t *printer, int count,
                               cups_option_t *fields, ipp_t *request)
{
    struct offer offered;
    const char *why = NULL, *name,
               *copies = cupsGetOption("copies", count, fields);

    read_offer(&offered, printer);
    if (copies != NULL && copies[0] != '\0')
        why = add(request, IPP_TAG_INTEGER, "copies", copies);
    for (int i = 0; why == NULL && (name = field_at(&offered, i)) != NULL;
         i++) {
        const char *value = cupsGetOption(name, count, fields);

        if (value != NULL && value[0] != '\0')
            why = add(request, ippGetValueTag(supported(&offered, name)), name,
                      value);
    }
    offer_close(&offered);
    return why;
}

/* ---- The page ------------------------------------------------------------ */

static void show_choice(pappl_client_t *client, ipp_attribute_t *list, int i,
                        const char *name)
{
    char value[16], word[PAGE_WORD];
    const int number = ippGetInteger(list, i);
    const char *keyword = ippGetString(list, i, NULL);

    snprintf(value, sizeof value, "%d", number);
    if (ippGetValueTag(list) == IPP_TAG_ENUM)
        page_choice(client, value,
                    page_word(client, name, ippEnumString(name, number), word),
                    false);
    else if (keyword == NULL || offer_is_size(keyword))
        page_keyword(client, name, keyword != NULL ? keyword : value, false);
}

/* Shows a list, whose first choice is the printer's default, or a number. */
static void show_field(pappl_client_t *client, const struct offer *offered,
                       const char *name)
{
    ipp_attribute_t *list = supported(offered, name);
    struct page_field field = {.name = name, .label = name, .type = "number"};
    int most;
    const int least = ippGetRange(list, 0, &most);
    char more[64];

    if (ippGetValueTag(list) == IPP_TAG_RANGE) {
        snprintf(more, sizeof more, "min=\"%d\" max=\"%d\"", least, most);
        field.more = more;
        field.hint = "Empty: as the printer is set.";
        page_input(client, &field);
    } else if (ippGetCount(list) > 1) {
        page_list_start(client, &field);
        page_choice(client, "",
                    papplClientGetLocString(client, "As the printer is set"),
                    true);
        for (int i = 0; i < ippGetCount(list); i++)
            show_choice(client, list, i, name);
        page_list_end(client, &field);
    }
}

static void show_fields(pappl_client_t *client, const struct offer *offered)
{
    static const struct page_field copies = {.name = "copies",
                                             .label = "Copies",
                                             .type = "number",
                                             .value = "1",
                                             .more = "min=\"1\" max=\"999\""},
                                   file = {.name = "file",
                                           .label = "File",
                                           .type = "file",
                                           .more = "required accept=\""
                                                   "application/pdf,image/jpeg,"
                                                   "image/png\"",
                                           .hint = "PDF, JPEG or PNG."};
    const char *name;

    page_input(client, &copies);
    for (int i = 0; (name = field_at(offered, i)) != NULL; i++) {
        if (i == ASKED) {
            papplClientHTMLPuts(client, "</tbody></table>\n<details>");
            page_text(client, "summary", NULL, "More Options");
            papplClientHTMLPuts(client, "<table class=\"form\"><tbody>\n");
        }
        show_field(client, offered, name);
    }
    papplClientHTMLPuts(client, offered->data.num_vendor > 0
                                    ? "</tbody></table></details>\n"
                                    : "</tbody></table>\n");
    papplClientHTMLPuts(client, "<table class=\"form\"><tbody>\n");
    page_input(client, &file);
}

void print_page_done(pappl_client_t *client, pappl_printer_t *printer, int job,
                     const char *says)
{
    struct offer offered;
    char text[PAGE_WORD], uri[256];

    papplPrinterGetPath(printer, "print", uri, sizeof uri);
    papplClientHTMLPrinterHeader(client, printer, "Print a File", 0, NULL,
                                 NULL);
    if (job > 0) {
        papplLocFormatString(papplClientGetLoc(client), text, sizeof text,
                             "The file is being printed as job %d.", job);
        page_banner(client, text, false);
    } else if (says != NULL) {
        page_banner(client, "The file was not printed.", true);
    }
    page_banner(client, says, true);
    read_offer(&offered, printer);
    page_form_start(client, uri, NULL, true);
    show_fields(client, &offered);
    page_form_end(client, "Print");
    offer_close(&offered);
    papplClientHTMLPrinterFooter(client);
}

/* PAPPL's callback for the page. */
static bool answer(pappl_client_t *client, void *data)
{
    if (papplClientHTMLAuthorize(client))
        print_page_done(client, data, 0,
                        papplClientGetMethod(client) == HTTP_STATE_POST
                            ? "This form cannot be read."
                            : NULL);
    return true;
}

void print_page_add(pappl_printer_t *printer)
{
    char path[256];

    papplPrinterGetPath(printer, "print", path, sizeof path);
    papplSystemAddResourceCallback(papplPrinterGetSystem(printer), path,
                                   "text/html", answer, printer);
    papplPrinterAddLink(printer, "Print a File", path,
                        PAPPL_LOPTIONS_NAVIGATION | PAPPL_LOPTIONS_STATUS);
}
