/*
 * defaults.c - the defaults of printers: those that no job could be printed
 * with are refused.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <stdio.h>
#include <string.h>

#include "pappl-fixes/pappl-fixes.h"
#include "printer-app/ipp/defaults.h"
#include "printer-app/ipp/labels.h"
#include "printer-app/ipp/offer.h"
#include "printer-app/ipp/vendor.h"

#define SUFFIX "-default"
#define MAX_NAME 128

/* Whether the name is that of a default; `of` is that of the job's attribute.
 */
static bool is_default(const char *name, char of[MAX_NAME])
{
    const size_t length = name != NULL ? strlen(name) : 0,
                 suffix = sizeof SUFFIX - 1;

    if (length <= suffix || length - suffix >= MAX_NAME ||
        strcmp(name + length - suffix, SUFFIX) != 0)
        return false;
    snprintf(of, MAX_NAME, "%.*s", (int)(length - suffix), name);
    return true;
}

/* A default that no job can ask for: the printer's own speed. */
static bool is_own_speed(const char *of, ipp_attribute_t *attribute)
{
    return strcmp(of, "print-speed") == 0 &&
           ippGetValueTag(attribute) == IPP_TAG_INTEGER &&
           ippGetInteger(attribute, 0) == 0;
}

/* Whether it is no mode of a label printer's, or one that the printer has, or
 * "none", which leaves it to the printer; else `why` is the reason. PAPPL takes
 * other words for none. */
static bool takes_mode(const struct offer *offer, ipp_attribute_t *attribute,
                       char why[OFFER_WHY])
{
    static const char name[] = "label-mode-configured";
    const char *mode = ippGetString(attribute, 0, NULL);
    ipp_attribute_t *modes = ippFindAttribute(
        offer->attributes, "label-mode-supported", IPP_TAG_KEYWORD);
    char list[256];

    if (strcmp(ippGetName(attribute), name) != 0 ||
        (mode != NULL && modes != NULL &&
         (strcmp(mode, "none") == 0 || ippContainsString(modes, mode))))
        return true;
    if (modes == NULL) {
        snprintf(why, OFFER_WHY, "%s: the printer has no such option", name);
        return false;
    }
    ippAttributeString(modes, list, sizeof list);
    snprintf(why, OFFER_WHY, "%s: none or one of %s, not \"%.80s\"", name, list,
             mode != NULL ? mode : "");
    return false;
}

/* Whether a name may have "-default" behind it. PAPPL's command puts it behind
 * a darkness of the printer that it does not take; else `why` is the reason. */
static bool has_default(const struct offer *offer, const char *of,
                        ipp_attribute_t *attribute, char why[OFFER_WHY])
{
    char value[128];

    if (strcmp(of, "page-ranges") == 0) {
        snprintf(why, OFFER_WHY, "%s: of a job alone, not a default", of);
        return false;
    }
    if (strcmp(of, "printer-darkness-configured") != 0 ||
        offer->data.darkness_supported == 0)
        return true;
    ippAttributeString(attribute, value, sizeof value);
    snprintf(why, OFFER_WHY, "%s: a whole number from 0 to 100, not \"%.80s\"",
             of, value);
    return false;
}

/* Whether jobs of the printer can have a default. */
static bool takes(const struct offer *offer, ipp_attribute_t *attribute,
                  char why[OFFER_WHY])
{
    const char *name = ippGetName(attribute);
    char of[MAX_NAME];

    if (ippGetGroupTag(attribute) != IPP_TAG_PRINTER || name == NULL)
        return true;
    if (is_default(name, of) && !is_own_speed(of, attribute) &&
        (!has_default(offer, of, attribute, why) ||
         !offer_takes(offer, of, attribute, why)))
        return false;
    return takes_mode(offer, attribute, why);
}

/* Whether jobs of the printer can have the defaults of a request; else the
 * response says which not. */
static bool are_possible(pappl_client_t *client, pappl_printer_t *printer)
{
    ipp_t *request = papplClientGetRequest(client);
    ipp_attribute_t *attribute = ippFirstAttribute(request);
    struct offer offer;
    char why[OFFER_WHY];
    bool possible = true;

    offer_open(&offer, printer);
    for (; possible && attribute != NULL; attribute = ippNextAttribute(request))
        if (!takes(&offer, attribute, why)) {
            papplClientRespondIPPUnsupported(client, attribute);
            papplClientRespondIPP(client, IPP_STATUS_ERROR_ATTRIBUTES_OR_VALUES,
                                  "%s", why);
            possible = false;
        }
    offer_close(&offer);
    return possible;
}

/* Calls a size of paper by the name that PAPPL knows of it. */
static void name_size(ipp_t *in, const char *name)
{
    ipp_attribute_t *attribute = ippFindAttribute(in, name, IPP_TAG_ZERO);
    const pwg_media_t media =
        papplfixes_media(ippGetString(attribute, 0, NULL));

    if (media.width > 0)
        (void)ippSetString(in, &attribute, 0, media.pwg);
}

static void name_sizes(ipp_t *request)
{
    ipp_attribute_t *media = ippFindAttribute(request, "media-col-default",
                                              IPP_TAG_BEGIN_COLLECTION);

    name_size(request, "media-default");
    name_size(ippGetCollection(media, 0), "media-size-name");
}

bool defaults_take_attributes(pappl_client_t *client, pappl_printer_t *printer)
{
    if (!are_possible(client, printer))
        return false;
    name_sizes(papplClientGetRequest(client));
    return true;
}

bool defaults_take(pappl_printer_t *printer, const pappl_pr_driver_data_t *data,
                   int count, const cups_option_t *vendor, const char **field,
                   char *why)
{
    for (int i = 0; i < count; i++)
        if (!vendor_accepts(printer, vendor[i].name, vendor[i].value, why)) {
            *field = vendor[i].name;
            return false;
        }
    return labels_are_possible(data, why);
}
