/*
 * attributes.c - which attributes of a printer are set by requests, and what is
 * said of those that are not.
 *
 * PAPPL 1.3 answers that it does not support values of another kind, or more
 * than it has room for, and then uses them all the same (printer-ipp.c,
 * _papplPrinterSetAttributes(), from line 1015 on): a place that is no URI ends
 * the server, more than 16 trays are written behind the end of their array. It
 * stores whatever default it gets, leaves a new printer there whose defaults it
 * refuses, takes the place of a printer for its coordinates, and some defaults
 * on web pages alone.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "pappl-fixes/application.h"
#include "pappl-fixes/replaced.h"

/* ---- Kinds ----------------------------------------------------------------
 */

/* Attributes whose values PAPPL reads (printer-ipp.c:934-957). */
static const struct kind {
    const char *name;
    ipp_tag_t tag;
    int most; /* values */
} kinds[] = {
    {"identify-actions-default", IPP_TAG_KEYWORD, 8},
    {"label-mode-configured", IPP_TAG_KEYWORD, 1},
    {"label-tear-offset-configured", IPP_TAG_INTEGER, 1},
    {"media-col-default", IPP_TAG_BEGIN_COLLECTION, 1},
    {"media-col-ready", IPP_TAG_BEGIN_COLLECTION, PAPPL_MAX_SOURCE},
    {"media-default", IPP_TAG_KEYWORD, 1},
    {"media-ready", IPP_TAG_KEYWORD, PAPPL_MAX_SOURCE},
    {"orientation-requested-default", IPP_TAG_ENUM, 1},
    {"output-bin-default", IPP_TAG_KEYWORD, 1},
    {"print-color-mode-default", IPP_TAG_KEYWORD, 1},
    {"print-content-optimize-default", IPP_TAG_KEYWORD, 1},
    {"print-darkness-default", IPP_TAG_INTEGER, 1},
    {"print-quality-default", IPP_TAG_ENUM, 1},
    {"print-scaling-default", IPP_TAG_KEYWORD, 1},
    {"print-speed-default", IPP_TAG_INTEGER, 1},
    {"printer-contact-col", IPP_TAG_BEGIN_COLLECTION, 1},
    {"printer-darkness-configured", IPP_TAG_INTEGER, 1},
    {"printer-geo-location", IPP_TAG_URI, 1},
    {"printer-location", IPP_TAG_TEXT, 1},
    {"printer-organization", IPP_TAG_TEXT, 1},
    {"printer-organization-unit", IPP_TAG_TEXT, 1},
    {"printer-organizational-unit", IPP_TAG_TEXT, 1},
    {"printer-resolution-default", IPP_TAG_RESOLUTION, 1},
    {"printer-wifi-password", IPP_TAG_STRING, 1},
    {"printer-wifi-ssid", IPP_TAG_NAME, 1},
    {"sides-default", IPP_TAG_KEYWORD, 1},
};

/* Whether the values of an attribute are of the kind that PAPPL uses, and no
 * more than it has room for; else `why` says what they are. */
static bool is_right(ipp_attribute_t *attribute, char *why, size_t size)
{
    const char *name = ippGetName(attribute);

    if (ippGetGroupTag(attribute) != IPP_TAG_PRINTER || name == NULL)
        return true;
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        const struct kind *kind = &kinds[i];

        if (strcmp(name, kind->name) != 0 ||
            (ippGetValueTag(attribute) == kind->tag &&
             ippGetCount(attribute) <= kind->most))
            continue;
        snprintf(why, size, "%s: %d of type %s at most, not %d of type %s",
                 name, kind->most, ippTagString(kind->tag),
                 ippGetCount(attribute),
                 ippTagString(ippGetValueTag(attribute)));
        return false;
    }
    return true;
}

/* Else the response says which is wrong. */
static bool are_right(pappl_client_t *client)
{
    ipp_t *request = papplClientGetRequest(client);
    char why[PAPPLFIXES_WHY];

    for (ipp_attribute_t *at = ippFirstAttribute(request); at != NULL;
         at = ippNextAttribute(request)) {
        if (is_right(at, why, sizeof why))
            continue;
        papplClientRespondIPPUnsupported(client, at);
        papplClientRespondIPP(client, IPP_STATUS_ERROR_ATTRIBUTES_OR_VALUES,
                              "%s", why);
        return false;
    }
    return true;
}

/* ---- Left out by PAPPL ------------------------------------------------
 */

/* Defaults that PAPPL 1.3 takes on the web page alone; 0 = not in the
 * request. */
struct more {
    pappl_sides_t sides;
    pappl_scaling_t scaling;
};

/* Returns the place of a default's keyword in a list, as a bit; 0 = it is not
 * there. Takes the default out of the request. */
static unsigned take_bit(ipp_t *request, const char *name,
                         const char *const *keywords, size_t count)
{
    ipp_attribute_t *attribute =
        ippFindAttribute(request, name, IPP_TAG_KEYWORD);
    const char *value = ippGetString(attribute, 0, NULL);
    unsigned bit = 0;

    for (size_t i = 0; value != NULL && i < count; i++)
        if (strcmp(value, keywords[i]) == 0)
            bit = 1u << i;
    ippDeleteAttribute(request, attribute);
    return bit;
}

static struct more take_more(ipp_t *request)
{
    static const char *const sides[] = {"one-sided", "two-sided-long-edge",
                                        "two-sided-short-edge"},
                             *const scalings[] = {"auto", "auto-fit", "fill",
                                                  "fit", "none"};

    return (struct more){
        .sides = take_bit(request, "sides-default", sides, 3),
        .scaling = take_bit(request, "print-scaling-default", scalings, 5)};
}

static bool set_more(pappl_printer_t *printer, const struct more *more)
{
    pappl_pr_driver_data_t data;

    if (more->sides == 0 && more->scaling == 0)
        return true;
    papplPrinterGetDriverData(printer, &data);
    if (more->sides != 0)
        data.sides_default = more->sides;
    if (more->scaling != 0)
        data.scaling_default = more->scaling;
    return papplPrinterSetDriverDefaults(printer, &data, 0, NULL);
}

/* Sets where a printer is and whose, which PAPPL 1.3 takes for its coordinates
 * (printer-ipp.c:1220-1227). */
static void set_place(pappl_printer_t *printer, ipp_t *request)
{
    static const struct {
        const char *name;
        void (*set)(pappl_printer_t *printer, const char *value);
    } places[] = {
        {"printer-location", papplPrinterSetLocation},
        {"printer-organization", papplPrinterSetOrganization},
        {"printer-organizational-unit", papplPrinterSetOrganizationalUnit}};

    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
        const char *value = ippGetString(
            ippFindAttribute(request, places[i].name, IPP_TAG_TEXT), 0, NULL);

        if (value != NULL)
            places[i].set(printer, value);
    }
}

/* ---- Setting --------------------------------------------------------------
 */

/* Keeps why the defaults in this thread's request were refused. */
static _Thread_local struct {
    char field[128];
    char why[PAPPLFIXES_WHY]; /* "" = they were not refused */
} refused;

void attributes_begin(void)
{
    refused.field[0] = refused.why[0] = '\0';
}

const char *papplfixes_default_refusal(const char **field)
{
    *field = refused.field;
    return refused.why;
}

static bool may_set(pappl_client_t *client, pappl_printer_t *printer)
{
    return are_right(client) &&
           (application()->take_attributes == NULL ||
            application()->take_attributes(client, printer));
}

/* A printer that a request creates is not there when its defaults are refused.
 */
bool _papplPrinterSetAttributes(pappl_client_t *client,
                                pappl_printer_t *printer)
{
    ipp_t *request = papplClientGetRequest(client);

    if (may_set(client, printer)) {
        const struct more more = take_more(request);

        if (REAL(_papplPrinterSetAttributes)(client, printer) &&
            set_more(printer, &more)) {
            set_place(printer, request);
            return true;
        }
        if (refused.why[0] != '\0')
            papplClientRespondIPP(client, IPP_STATUS_ERROR_ATTRIBUTES_OR_VALUES,
                                  "%s", refused.why);
    }
    if (ippGetOperation(request) == IPP_OP_CREATE_PRINTER)
        papplPrinterDelete(printer);
    return false;
}

/* Whoever sets them: the web pages do, too. */
bool papplPrinterSetDriverDefaults(pappl_printer_t *printer,
                                   pappl_pr_driver_data_t *data, int count,
                                   cups_option_t *vendor)
{
    const char *field = "";

    attributes_begin();
    if (application()->take_defaults == NULL ||
        application()->take_defaults(printer, data, count, vendor, &field,
                                     refused.why))
        return REAL(papplPrinterSetDriverDefaults)(printer, data, count,
                                                   vendor);
    snprintf(refused.field, sizeof refused.field, "%s", field);
    papplLogPrinter(printer, PAPPL_LOGLEVEL_ERROR, "The default is refused: %s",
                    refused.why);
    return false;
}

/* ---- Answers ---------------------------------------------------------
 */

/* Says what is wrong with a printer's address in the answer to the client, in
 * place of "Unsupported smi55357-device-uri uri value", if it is known: PAPPL
 * refuses files that are not there and kinds of devices that nobody has added.
 */
static void say_wrong_address(pappl_client_t *client, const char *uri)
{
    const ipp_status_t status = IPP_STATUS_ERROR_ATTRIBUTES_OR_VALUES;
    char scheme[32], user[256], host[256], path[1024];
    struct stat info;
    int port;

    if (httpSeparateURI(HTTP_URI_CODING_ALL, uri, scheme, sizeof scheme, user,
                        sizeof user, host, sizeof host, &port, path,
                        sizeof path) < HTTP_URI_STATUS_OK)
        papplClientRespondIPP(client, status, "'%s' is no address.", uri);
    else if (strcmp(scheme, "file") != 0)
        papplClientRespondIPP(client, status, "There are no devices '%s:'.",
                              scheme);
    else {
        path[strcspn(path, "?")] = '\0';
        if (stat(path, &info) != 0)
            papplClientRespondIPP(client, status, "%s: %s.", path,
                                  strerror(errno));
    }
}

/* PAPPL takes this attribute, but looks for it by another name before, and
 * answers that there is none. */
static bool is_taken(ipp_attribute_t *attribute)
{
    const char *name = ippGetName(attribute);

    return ippGetGroupTag(attribute) == IPP_TAG_PRINTER && name != NULL &&
           strcmp(name, "label-tear-offset-configured") == 0 &&
           ippGetValueTag(attribute) == IPP_TAG_INTEGER &&
           ippGetCount(attribute) == 1;
}

void papplClientRespondIPPUnsupported(pappl_client_t *client,
                                      ipp_attribute_t *attribute)
{
    const char *name = ippGetName(attribute);

    if (is_taken(attribute))
        return;
    REAL(papplClientRespondIPPUnsupported)(client, attribute);
    if (name != NULL && strcmp(name, "smi55357-device-uri") == 0 &&
        ippGetValueTag(attribute) == IPP_TAG_URI)
        say_wrong_address(client, ippGetString(attribute, 0, NULL));
}
