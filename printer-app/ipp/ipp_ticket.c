/*
 * ipp_ticket.c - what a job's request says of its pages.
 *
 * Each page's header has its size, sides, resolution, quality and kind of
 * paper (PWG 5102.4), and printers should read them there. But IPP Everywhere
 * clients, CUPS's backend among them, say them in the request too, and printers
 * that are tested with these choose the tray and both sides by the request
 * alone. So the request says what the header says, and cannot contradict it. A
 * value that the printer does not list is left out, as the same page would be
 * refused with it and is printed without.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <stdlib.h>
#include <cups/cups.h>

#include "printer-app/ipp/ipp_ticket.h"

#define NUMBER(pages, field)                                                   \
    pwg_number(pages, offsetof(cups_page_header2_t, field))
#define PER_INCH 2540 /* IPP's unit of media sizes is 1/100 mm */
#define SAME_SIZE 50  /* of these: sizes in pixels are rounded */

static bool has_keyword(ipp_t *about, const char *name, const char *value)
{
    ipp_attribute_t *known = ippFindAttribute(about, name, IPP_TAG_ZERO);

    return known != NULL && ippContainsString(known, value);
}

/* Whether a dimension, a number or a range, may be `length`. */
static bool takes_length(ipp_t *size, const char *name, int length)
{
    ipp_attribute_t *known = ippFindAttribute(size, name, IPP_TAG_ZERO);
    int low = 0, high = -1;

    if (known != NULL && ippGetValueTag(known) == IPP_TAG_RANGE)
        low = ippGetRange(known, 0, &high);
    else if (known != NULL && ippGetValueTag(known) == IPP_TAG_INTEGER) {
        low = ippGetInteger(known, 0) - SAME_SIZE;
        high = low + 2 * SAME_SIZE;
    }
    return length >= low && length <= high;
}

/* The printer's own number where it lists one, `length` in a range. */
static int named_length(ipp_t *size, const char *name, int length)
{
    ipp_attribute_t *known = ippFindAttribute(size, name, IPP_TAG_INTEGER);

    return known != NULL ? ippGetInteger(known, 0) : length;
}

/* Makes the printer's media-size for a size in 1/100 mm; NULL if it has none.
 */
static ipp_t *media_size(ipp_t *about, int width, int length)
{
    ipp_attribute_t *known = ippFindAttribute(about, "media-size-supported",
                                              IPP_TAG_BEGIN_COLLECTION);

    for (int i = 0; i < ippGetCount(known); i++) {
        ipp_t *size = ippGetCollection(known, i);
        if (!takes_length(size, "x-dimension", width) ||
            !takes_length(size, "y-dimension", length))
            continue;
        ipp_t *made = ippNew();
        ippAddInteger(made, IPP_TAG_ZERO, IPP_TAG_INTEGER, "x-dimension",
                      named_length(size, "x-dimension", width));
        ippAddInteger(made, IPP_TAG_ZERO, IPP_TAG_INTEGER, "y-dimension",
                      named_length(size, "y-dimension", length));
        return made;
    }
    return NULL;
}

/* A length of dots in 1/100 mm, or 0 if it is none. */
static int paper_length(uint32_t dots, uint32_t per_inch)
{
    if (per_inch == 0)
        return 0;
    const uint64_t length = (uint64_t)dots * PER_INCH / per_inch;
    return length <= INT32_MAX ? (int)length : 0;
}

static void add_media(ipp_t *request, ipp_t *about,
                      const struct pwg_pages *pages)
{
    int width =
        paper_length(NUMBER(pages, cupsWidth), NUMBER(pages, HWResolution[0]));
    int length =
        paper_length(NUMBER(pages, cupsHeight), NUMBER(pages, HWResolution[1]));
    char name[65], type[65];

    /* The name is that of the whole sheet, whatever part has dots. */
    pwg_text(pages, offsetof(cups_page_header2_t, cupsPageSizeName), name);
    const pwg_media_t *sheet = name[0] != '\0' ? pwgMediaForPWG(name) : NULL;
    if (sheet != NULL) {
        width = sheet->width;
        length = sheet->length;
    }
    if (!has_keyword(about, "media-col-supported", "media-size"))
        return;
    ipp_t *size = media_size(about, width, length);
    if (size == NULL)
        return;

    ipp_t *media = ippNew();
    ippAddCollection(media, IPP_TAG_ZERO, "media-size", size);
    pwg_text(pages, offsetof(cups_page_header2_t, MediaType), type);
    if (has_keyword(about, "media-type-supported", type))
        ippAddString(media, IPP_TAG_ZERO, IPP_TAG_KEYWORD, "media-type", NULL,
                     type);
    ippAddCollection(request, IPP_TAG_JOB, "media-col", media);
    ippDelete(size);
    ippDelete(media);
}

static void add_resolution(ipp_t *request, ipp_t *about,
                           const struct pwg_pages *pages)
{
    ipp_attribute_t *known = ippFindAttribute(
        about, "printer-resolution-supported", IPP_TAG_RESOLUTION);
    const uint32_t x = NUMBER(pages, HWResolution[0]);
    const uint32_t y = NUMBER(pages, HWResolution[1]);

    for (int i = 0; i < ippGetCount(known); i++) {
        ipp_res_t unit = IPP_RES_PER_INCH;
        int known_y = 0;
        const int known_x = ippGetResolution(known, i, &known_y, &unit);
        if (unit == IPP_RES_PER_INCH && (uint32_t)known_x == x &&
            (uint32_t)known_y == y) {
            ippAddResolution(request, IPP_TAG_JOB, "printer-resolution",
                             IPP_RES_PER_INCH, known_x, known_y);
            return;
        }
    }
}

void ipp_ticket(ipp_t *request, ipp_t *about, const struct pwg_pages *pages)
{
    const char *sides = "one-sided";
    if (NUMBER(pages, Duplex) != 0)
        sides = NUMBER(pages, Tumble) != 0 ? "two-sided-short-edge"
                                           : "two-sided-long-edge";

    add_media(request, about, pages);
    if (has_keyword(about, "sides-supported", sides))
        ippAddString(request, IPP_TAG_JOB, IPP_TAG_KEYWORD, "sides", NULL,
                     sides);

    const int quality =
        (int)NUMBER(pages, cupsInteger[CUPS_RASTER_PWG_PrintQuality]);
    ipp_attribute_t *known =
        ippFindAttribute(about, "print-quality-supported", IPP_TAG_ENUM);
    if (known != NULL && ippContainsInteger(known, quality))
        ippAddInteger(request, IPP_TAG_JOB, IPP_TAG_ENUM, "print-quality",
                      quality);
    add_resolution(request, about, pages);
}
