/*
 * offer.c - the attributes of jobs that a printer knows, and their values.
 * PAPPL 1.3 looks at few, and takes no notice of the others.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <stdio.h>
#include <string.h>

#include "pappl-fixes/pappl-fixes.h"
#include "printer-app/ipp/offer.h"
#include "printer-app/ipp/vendor.h"

#define MAX_VALUE 128
#define MAX_LIST 1024
#define SAME_SIZE 50 /* 1/100 mm that PAPPL takes for the same size */

/* Rules to compare values with the driver's. */
enum kind {
    ANY,       /* it says nothing of dots or paper */
    ONE_OF,    /* one of `values` */
    SUPPORTED, /* with the driver's own "-supported" */
    COPIES,
    RANGES,
    MEDIA,
    MEDIA_COL,
    DARKNESS,
    SPEED
};

static const struct known {
    const char *name;
    enum kind kind;
    bool pappl; /* looks at it, too */
    const char *values;
} known[] = {
    {"copies", COPIES, true, NULL},
    {"finishings", ONE_OF, false, "none"},
    {"ipp-attribute-fidelity", ANY, true, NULL},
    {"job-hold-until", ANY, true, NULL},
    {"job-hold-until-time", ANY, true, NULL},
    {"job-impressions", ANY, true, NULL},
    {"job-k-octets", ANY, true, NULL},
    {"job-media-sheets", ANY, true, NULL},
    {"job-name", ANY, true, NULL},
    {"job-originating-user-name", ANY, true, NULL},
    {"job-pages", ANY, true, NULL},
    {"job-priority", ANY, true, NULL},
    {"job-sheets", ONE_OF, true, "none"},
    {"media", MEDIA, true, NULL},
    {"media-col", MEDIA_COL, true, NULL},
    {"multiple-document-handling", ONE_OF, false,
     "separate-documents-collated-copies"},
    {"number-up", ONE_OF, false, "1"},
    {"orientation-requested", ONE_OF, true,
     "portrait,landscape,reverse-landscape,reverse-portrait,none"},
    {"output-bin", SUPPORTED, false, NULL},
    {"page-ranges", RANGES, true, NULL},
    {"print-color-mode", SUPPORTED, true, NULL},
    {"print-content-optimize", ONE_OF, true,
     "auto,graphic,photo,text,text-and-graphic"},
    {"print-darkness", DARKNESS, true, NULL},
    {"print-quality", ONE_OF, true, "draft,normal,high"},
    {"print-rendering-intent", SUPPORTED, false, NULL},
    {"print-scaling", ONE_OF, true, "auto,auto-fit,fill,fit,none"},
    {"print-speed", SPEED, true, NULL},
    {"printer-resolution", SUPPORTED, true, NULL},
    {"sides", SUPPORTED, true, NULL},
};

#define KNOWN (sizeof known / sizeof known[0])

void offer_open(struct offer *offer, pappl_printer_t *printer)
{
    offer->printer = printer;
    papplPrinterGetDriverData(printer, &offer->data);
    offer->attributes = papplPrinterGetDriverAttributes(printer);
}

void offer_close(struct offer *offer)
{
    ippDelete(offer->attributes);
}

static const struct known *known_as(const char *name)
{
    for (size_t i = 0; i < KNOWN; i++)
        if (strcmp(known[i].name, name) == 0)
            return &known[i];
    return NULL;
}

bool offer_is_known_to_pappl(const char *name)
{
    const struct known *attribute = known_as(name);

    return attribute != NULL && attribute->pappl;
}

bool offer_is_vendor(const struct offer *offer, const char *name)
{
    for (int i = 0; i < offer->data.num_vendor; i++)
        if (strcmp(offer->data.vendor[i], name) == 0)
            return true;
    return false;
}

/* ---- Lists --------------------------------------------------------------- */

/* Whether a list with commas has the value. */
static bool lists(const char *list, const char *value)
{
    const size_t length = strlen(value);

    while (list != NULL && *list != '\0') {
        const size_t item = strcspn(list, ",");

        if (item == length && strncmp(list, value, item) == 0)
            return true;
        list += item + (list[item] == ',');
    }
    return false;
}

static const char *supported_of(const struct offer *offer, const char *name,
                                char *text, size_t size)
{
    char supported[MAX_VALUE];

    snprintf(supported, sizeof supported, "%s-supported", name);
    ipp_attribute_t *attribute =
        ippFindAttribute(offer->attributes, supported, IPP_TAG_ZERO);

    text[0] = '\0';
    if (attribute != NULL)
        ippAttributeString(attribute, text, size);
    return text;
}

/* Whether a number is what the driver has for it: a range, or several. */
static bool has_number(const struct offer *offer, const char *name, int number)
{
    char supported[MAX_VALUE];

    snprintf(supported, sizeof supported, "%s-supported", name);
    return ippContainsInteger(
        ippFindAttribute(offer->attributes, supported, IPP_TAG_ZERO), number);
}

/* ---- Paper --------------------------------------------------------------- */

bool offer_is_size(const char *name)
{
    return strncmp(name, "custom_", 7) != 0 && strncmp(name, "roll_", 5) != 0;
}

bool offer_has_media(const struct offer *offer, const char *name)
{
    for (int i = 0; i < offer->data.num_media; i++)
        if (strcmp(offer->data.media[i], name) == 0)
            return offer_is_size(name);
    return false;
}

bool offer_limits(const struct offer *offer, pwg_media_t *least,
                  pwg_media_t *most)
{
    *least = *most = (pwg_media_t){.width = 0};
    for (int i = 0; i < offer->data.num_media; i++) {
        const char *name = offer->data.media[i];

        if (!offer_is_size(name))
            *(strstr(name, "_min_") != NULL ? least : most) =
                papplfixes_media(name);
    }
    return least->width > 0 && most->width > 0;
}

static bool is_near(int a, int b)
{
    return a >= b - SAME_SIZE && a <= b + SAME_SIZE;
}

bool offer_has_size(const struct offer *offer, int width, int length)
{
    pwg_media_t least, most;

    for (int i = 0; i < offer->data.num_media; i++) {
        const char *name = offer->data.media[i];
        const pwg_media_t media = papplfixes_media(name);

        if (offer_is_size(name) && is_near(width, media.width) &&
            is_near(length, media.length))
            return true;
    }
    return offer_limits(offer, &least, &most) && width >= least.width &&
           width <= most.width && length >= least.length &&
           length <= most.length;
}

void offer_largest(const struct offer *offer, int size[2])
{
    size[0] = size[1] = 0;
    for (int i = 0; i < offer->data.num_media; i++) {
        const pwg_media_t media = papplfixes_media(offer->data.media[i]);

        size[0] = media.width > size[0] ? media.width : size[0];
        size[1] = media.length > size[1] ? media.length : size[1];
    }
}

static bool says_size(const struct offer *offer, const char *name, int width,
                      int length, char *why)
{
    if (offer_has_size(offer, width, length))
        return true;
    snprintf(why, OFFER_WHY, "%s: the printer has no paper of %.2f by %.2f mm",
             name, width / 100.0, length / 100.0);
    return false;
}

static bool takes_media(const struct offer *offer, const char *name,
                        const char *value, char *why)
{
    const pwg_media_t media = papplfixes_media(value);

    if (media.width > 0)
        return says_size(offer, name, media.width, media.length, why);
    snprintf(why, OFFER_WHY, "%s: \"%.80s\" is no size of paper", name,
             value != NULL ? value : "");
    return false;
}

static bool takes_size(const struct offer *offer, ipp_attribute_t *size,
                       char *why)
{
    ipp_t *sides = ippGetCollection(size, 0);
    ipp_attribute_t *x =
                        ippFindAttribute(sides, "x-dimension", IPP_TAG_INTEGER),
                    *y =
                        ippFindAttribute(sides, "y-dimension", IPP_TAG_INTEGER);

    if (x != NULL && y != NULL && ippGetCount(size) == 1)
        return says_size(offer, "media-size", ippGetInteger(x, 0),
                         ippGetInteger(y, 0), why);
    snprintf(why, OFFER_WHY,
             "media-size: x-dimension or y-dimension is "
             "missing");
    return false;
}

static bool is_missing(const char *name, char *why)
{
    snprintf(why, OFFER_WHY, "%s: the printer has no such option", name);
    return false;
}

bool offer_takes_member(const struct offer *offer, ipp_attribute_t *member,
                        char *why)
{
    static const char *const numbers[] = {
        "media-bottom-margin", "media-left-margin", "media-right-margin",
        "media-top-margin",    "media-left-offset", "media-top-offset"};
    const char *name = ippGetName(member);
    char value[MAX_VALUE], supported[MAX_LIST];

    if (name == NULL)
        return true;
    if (strcmp(name, "media-size") == 0)
        return takes_size(offer, member, why);
    if (strcmp(name, "media-size-name") == 0)
        return takes_media(offer, name, ippGetString(member, 0, NULL), why);
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++)
        if (strcmp(name, numbers[i]) == 0 &&
            has_number(offer, name, ippGetInteger(member, 0)))
            return true;
    ippAttributeString(member, value, sizeof value);
    if (lists(supported_of(offer, name, supported, sizeof supported), value))
        return true;
    /* The printer's own, which IPP has no word for. */
    if (strcmp(name, "media-tracking") == 0 && supported[0] != '\0' &&
        strcmp(value, "none") == 0)
        return true;
    if (supported[0] == '\0')
        return is_missing(name, why);
    snprintf(why, OFFER_WHY, "%s: one of %.300s, not \"%.80s\"", name,
             supported, value);
    return false;
}

static bool takes_media_col(const struct offer *offer,
                            ipp_attribute_t *attribute, char *why)
{
    ipp_t *media = ippGetCollection(attribute, 0);

    for (ipp_attribute_t *member = ippFirstAttribute(media); member != NULL;
         member = ippNextAttribute(media))
        if (!offer_takes_member(offer, member, why))
            return false;
    return media != NULL;
}

/* ---- Numbers ------------------------------------------------------------- */

static bool takes_number(const char *name, ipp_attribute_t *attribute, int low,
                         int high, char *why)
{
    const int number = ippGetInteger(attribute, 0);
    char value[MAX_VALUE];

    if (ippGetValueTag(attribute) == IPP_TAG_INTEGER && number >= low &&
        number <= high)
        return true;
    ippAttributeString(attribute, value, sizeof value);
    snprintf(why, OFFER_WHY, "%s: a whole number from %d to %d, not \"%.80s\"",
             name, low, high, value);
    return false;
}

/* The attribute has 1/100 mm a second, people say inches. */
static bool takes_speed(const char *name, ipp_attribute_t *attribute,
                        const int within[2], char *why)
{
    const int speed = ippGetInteger(attribute, 0);

    if (ippGetValueTag(attribute) == IPP_TAG_INTEGER && speed >= within[0] &&
        speed <= within[1])
        return true;
    snprintf(why, OFFER_WHY, "%s: from %.3gin to %.3gin a second, not %.4gin",
             name, within[0] / 2540.0, within[1] / 2540.0, speed / 2540.0);
    return false;
}

static bool takes_ranges(ipp_attribute_t *attribute, char *why)
{
    for (int i = 0; i < ippGetCount(attribute); i++) {
        int last = 0;
        const int first = ippGetRange(attribute, i, &last);

        if (ippGetValueTag(attribute) != IPP_TAG_RANGE || first < 1 ||
            last < first) {
            snprintf(why, OFFER_WHY,
                     "page-ranges: %d-%d are no pages of a document", first,
                     last);
            return false;
        }
    }
    return true;
}

/* ---- Values -------------------------------------------------------------- */

static bool is_listed(const char *name, const char *list,
                      ipp_attribute_t *attribute, char *why)
{
    char value[MAX_VALUE];

    if (*list == '\0')
        return is_missing(name, why);
    ippAttributeString(attribute, value, sizeof value);
    if (lists(list, value))
        return true;
    snprintf(why, OFFER_WHY, "%s: %s%.300s, not \"%.80s\"", name,
             strchr(list, ',') != NULL ? "one of " : "only ", list, value);
    return false;
}

static bool takes_vendor(const struct offer *offer, const char *name,
                         ipp_attribute_t *attribute, char *why)
{
    char value[MAX_VALUE];

    if (!offer_is_vendor(offer, name))
        return is_missing(name, why);
    ippAttributeString(attribute, value, sizeof value);
    return vendor_accepts(offer->printer, name, value, why);
}

bool offer_takes(const struct offer *offer, const char *name,
                 ipp_attribute_t *attribute, char *why)
{
    const struct known *as = known_as(name);
    const pappl_pr_driver_data_t *data = &offer->data;
    char supported[MAX_LIST];

    if (as != NULL && as->kind == RANGES)
        return takes_ranges(attribute, why);
    if (as == NULL || as->kind != ANY)
        if (ippGetCount(attribute) != 1) {
            snprintf(why, OFFER_WHY, "%s: one value, not %d", name,
                     ippGetCount(attribute));
            return false;
        }
    if (as == NULL)
        return takes_vendor(offer, name, attribute, why);
    switch (as->kind) {
    case ONE_OF:
        return is_listed(name, as->values, attribute, why);
    case SUPPORTED:
        return is_listed(name,
                         supported_of(offer, name, supported, sizeof supported),
                         attribute, why);
    case COPIES:
        return takes_number(name, attribute, 1, 999, why);
    case MEDIA:
        return takes_media(offer, name, ippGetString(attribute, 0, NULL), why);
    case MEDIA_COL:
        return takes_media_col(offer, attribute, why);
    case DARKNESS:
        return data->darkness_supported > 0
                   ? takes_number(name, attribute, -100, 100, why)
                   : is_missing(name, why);
    case SPEED:
        return data->speed_supported[1] > 0
                   ? takes_speed(name, attribute, data->speed_supported, why)
                   : is_missing(name, why);
    case ANY:
    case RANGES:
        break;
    }
    return true;
}
