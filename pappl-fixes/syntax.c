/*
 * syntax.c - a printer's attributes with values of another kind, or with more
 * of them than there is room for, are refused.
 *
 * PAPPL 1.3 answers that it does not support them, and then uses them all the
 * same (printer-ipp.c, _papplPrinterSetAttributes(), from line 1015 on): a
 * place that is no URI ends the server, more than 16 trays are written behind
 * the end of their array.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <stdio.h>
#include <string.h>

#include <pappl/pappl.h>

#include "pappl-fixes/syntax.h"

/* What PAPPL looks into (printer-ipp.c:934-957). */
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

bool syntax_is_right(ipp_attribute_t *attribute, char *why, size_t size)
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
