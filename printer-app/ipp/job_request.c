/*
 * job_request.c - a job's attributes, in the words of PAPPL 1.3.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "pappl-fixes/pappl-fixes.h"
#include "printer-app/ipp/job_request.h"
#include "printer-app/ipp/offer.h"

/* Attribute of a job that holds all ranges; PAPPL knows one range. */
#define ALL_RANGES "page-ranges-actual"

/* ---- Pages --------------------------------------------------------------- */

/* PAPPL takes one range: the one from the first page to the last. */
static void take_ranges(ipp_t *request)
{
    ipp_attribute_t *ranges =
        ippFindAttribute(request, "page-ranges", IPP_TAG_RANGE);
    int first = INT_MAX, last = 0;

    if (ranges == NULL || ippGetCount(ranges) == 1)
        return;
    for (int i = 0; i < ippGetCount(ranges); i++) {
        int to = 0;
        const int from = ippGetRange(ranges, i, &to);

        first = from < first ? from : first;
        last = to > last ? to : last;
    }
    (void)ippSetName(request, &ranges, ALL_RANGES);
    ippAddRange(request, IPP_TAG_JOB, "page-ranges", first, last);
}

ipp_attribute_t *job_pages(pappl_job_t *job)
{
    ipp_attribute_t *pages = papplJobGetAttribute(job, ALL_RANGES);

    return pages != NULL ? pages : papplJobGetAttribute(job, "page-ranges");
}

bool job_pages_have(ipp_attribute_t *pages, unsigned number)
{
    for (int i = 0; pages != NULL && i < ippGetCount(pages); i++) {
        int last = 0;
        const int first = ippGetRange(pages, i, &last);

        if (number <= INT_MAX && (int)number >= first && (int)number <= last)
            return true;
    }
    return pages == NULL;
}

bool job_refuse(pappl_job_t *job, pappl_jreason_t reason, const char *format,
                ...)
{
    char why[512];
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(why, sizeof why, format, arguments);
    va_end(arguments);
    papplLogJob(job, PAPPL_LOGLEVEL_ERROR, "%s", why);
    papplJobSetReasons(job, reason, PAPPL_JREASON_NONE);
    return false;
}

/* ---- Paper --------------------------------------------------------------- */

/* Says the size of a media-col in numbers, which PAPPL takes of any size
 * between the limits; names only from its list. */
static void set_size(ipp_t *media, const pwg_media_t *size)
{
    ipp_t *sides = ippNew();

    ippDeleteAttribute(media,
                       ippFindAttribute(media, "media-size", IPP_TAG_ZERO));
    ippAddInteger(sides, IPP_TAG_ZERO, IPP_TAG_INTEGER, "x-dimension",
                  size->width);
    ippAddInteger(sides, IPP_TAG_ZERO, IPP_TAG_INTEGER, "y-dimension",
                  size->length);
    ippAddCollection(media, IPP_TAG_ZERO, "media-size", sides);
    ippDelete(sides);
}

static void take_media(const struct offer *offer, ipp_t *request)
{
    ipp_attribute_t *attribute =
        ippFindAttribute(request, "media", IPP_TAG_ZERO);
    const char *name = ippGetString(attribute, 0, NULL);
    const pwg_media_t size = papplfixes_media(name);

    if (size.width <= 0 || offer_has_media(offer, name) ||
        !offer_has_size(offer, size.width, size.length))
        return;
    ippDeleteAttribute(request, attribute);
    if (ippFindAttribute(request, "media-col", IPP_TAG_ZERO) != NULL)
        return; /* PAPPL prefers it */
    ipp_t *media = ippNew();

    set_size(media, &size);
    ippAddCollection(request, IPP_TAG_JOB, "media-col", media);
    ippDelete(media);
}

static void take_media_col(const struct offer *offer, ipp_t *request)
{
    ipp_attribute_t *attribute =
        ippFindAttribute(request, "media-col", IPP_TAG_BEGIN_COLLECTION);
    ipp_t *media = ippGetCollection(attribute, 0);
    ipp_attribute_t *member =
        ippFindAttribute(media, "media-size-name", IPP_TAG_ZERO);
    const char *name = ippGetString(member, 0, NULL);
    const pwg_media_t size = papplfixes_media(name);

    if (size.width <= 0 || offer_has_media(offer, name) ||
        !offer_has_size(offer, size.width, size.length))
        return;
    ippDeleteAttribute(media, member);
    set_size(media, &size);
}

/* ---- Resolution ---------------------------------------------------------- */

/* PAPPL takes the one that goes with the quality, also where another is the
 * printer's default. */
static void take_resolution(const struct offer *offer, ipp_t *request)
{
    const pappl_pr_driver_data_t *data = &offer->data;
    const int usual = data->num_resolution / 2; /* driver.c */

    if (ippFindAttribute(request, "printer-resolution", IPP_TAG_ZERO) == NULL &&
        ippFindAttribute(request, "print-quality", IPP_TAG_ZERO) == NULL &&
        (data->x_default != data->x_resolution[usual] ||
         data->y_default != data->y_resolution[usual]))
        ippAddResolution(request, IPP_TAG_JOB, "printer-resolution",
                         IPP_RES_PER_INCH, data->x_default, data->y_default);
}

/* ---- Abilities of the printer -------------------------------------------- */

/* Copies an attribute to those of the answer that are not supported. */
static void name_unsupported(ipp_t *response, ipp_attribute_t *attribute)
{
    ipp_attribute_t *copy = ippCopyAttribute(response, attribute, 0);

    (void)ippSetGroupTag(response, &copy, IPP_TAG_UNSUPPORTED_GROUP);
}

/* Whether the client wants all or nothing. PAPPL 1.3 would print all the same,
 * and even a document of a type that it does not know: it need not know. */
static bool wants_fidelity(ipp_t *request)
{
    ipp_attribute_t *fidelity =
        ippFindAttribute(request, "ipp-attribute-fidelity", IPP_TAG_BOOLEAN);
    const bool wants = ippGetBoolean(fidelity, 0);

    if (wants)
        (void)ippSetBoolean(request, &fidelity, 0, false);
    return wants;
}

/* Whether it makes a difference: how the copies of one are put in order does
 * not, and cupsd always says. */
static bool matters(const char *name, int copies)
{
    return copies > 1 || strcmp(name, "multiple-document-handling") != 0;
}

/* Whether a job without the attribute is better than none. Of those that PAPPL
 * looks at it says so itself; our own end the job, which says why. */
static bool is_ignored(const struct offer *offer, const char *name)
{
    return !offer_is_known_to_pappl(name) && !offer_is_vendor(offer, name);
}

/* Returns a member of a media-col that the printer cannot do; NULL = none.
 * PAPPL looks at sizes, and names those that it ignores. */
static ipp_attribute_t *find_unable(const struct offer *offer, ipp_t *media,
                                    char *why)
{
    ipp_attribute_t *at = ippFirstAttribute(media);

    while (at != NULL &&
           (ippGetName(at) == NULL ||
            strncmp(ippGetName(at), "media-size", strlen("media-size")) == 0 ||
            offer_takes_member(offer, at, why)))
        at = ippNextAttribute(media);
    return at;
}

/* Takes from media-col what the printer cannot do, and names it: PAPPL would
 * move the page by margins that the printer has not. */
static void ignore_members(pappl_client_t *client, const struct offer *offer)
{
    ipp_t *media = ippGetCollection(
        ippFindAttribute(papplClientGetRequest(client), "media-col",
                         IPP_TAG_BEGIN_COLLECTION),
        0);
    ipp_t *ignored = ippNew();
    ipp_attribute_t *member;
    char why[OFFER_WHY];

    while ((member = find_unable(offer, media, why)) != NULL) {
        papplClientRespondIPP(client, IPP_STATUS_OK_IGNORED_OR_SUBSTITUTED,
                              "Ignored: %s", why);
        ippCopyAttribute(ignored, member, 0);
        ippDeleteAttribute(media, member);
    }
    if (ippFirstAttribute(ignored) != NULL)
        ippAddCollection(papplClientGetResponse(client),
                         IPP_TAG_UNSUPPORTED_GROUP, "media-col", ignored);
    ippDelete(ignored);
}

/* Refuses the job, if there is something that the printer cannot do, or says
 * what is ignored. */
static bool check(pappl_client_t *client, const struct offer *offer, bool exact)
{
    ipp_t *request = papplClientGetRequest(client);
    const int copies =
        ippGetInteger(ippFindAttribute(request, "copies", IPP_TAG_INTEGER), 0);
    ipp_attribute_t *attribute;
    bool well = true;
    char why[OFFER_WHY];

    if (!exact)
        ignore_members(client, offer);
    for (attribute = ippFirstAttribute(request); attribute != NULL;
         attribute = ippNextAttribute(request)) {
        const char *name = ippGetName(attribute);

        if (ippGetGroupTag(attribute) != IPP_TAG_JOB || name == NULL ||
            !matters(name, copies) || offer_takes(offer, name, attribute, why))
            continue;
        if (!exact && !is_ignored(offer, name))
            continue;
        papplClientRespondIPP(client,
                              exact ? IPP_STATUS_ERROR_ATTRIBUTES_OR_VALUES
                                    : IPP_STATUS_OK_IGNORED_OR_SUBSTITUTED,
                              "%s%s", exact ? "" : "Ignored: ", why);
        name_unsupported(papplClientGetResponse(client), attribute);
        (void)ippSetGroupTag(request, &attribute, IPP_TAG_UNSUPPORTED_GROUP);
        well = !exact;
    }
    return well;
}

bool job_request_take(pappl_client_t *client)
{
    ipp_t *request = papplClientGetRequest(client);
    const ipp_op_t operation = ippGetOperation(request);
    struct offer offer;

    if (operation != IPP_OP_PRINT_JOB && operation != IPP_OP_CREATE_JOB &&
        operation != IPP_OP_VALIDATE_JOB)
        return true;
    offer_open(&offer, papplClientGetPrinter(client));
    const bool well = check(client, &offer, wants_fidelity(request));

    if (well) {
        take_ranges(request);
        take_resolution(&offer, request);
        take_media(&offer, request);
        take_media_col(&offer, request);
    }
    offer_close(&offer);
    return well;
}
