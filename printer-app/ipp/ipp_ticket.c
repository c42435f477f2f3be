/*
 * ipp_ticket.c - what a job's request says of its pages.
 *
 * Each page's header has its size, sides, resolution, quality and kind of
 * paper (PWG 5102.4), and printers should read them there. But IPP Everywhere
 * clients say them in the request too, and printers that are tested with these
 * choose the tray and both sides by the request alone. A value that the printer
 * does not list is left out: it could refuse the job.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cups/cups.h>

#include "printer-app/ipp/ipp_ticket.h"

#define PER_INCH 2540 /* IPP's unit of media sizes is 1/100 mm */
#define SAME_SIZE 50  /* of these: sizes in pixels are rounded */

static void add(char ticket[IPP_TICKET], const char *format, ...)
    __attribute__((format(printf, 2, 3)));
static void add(char ticket[IPP_TICKET], const char *format, ...)
{
    const size_t used = strlen(ticket);
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(ticket + used, IPP_TICKET - used, format, arguments);
    va_end(arguments);
}

static bool has_keyword(ipp_t *about, const char *name, const char *value)
{
    ipp_attribute_t *known = ippFindAttribute(about, name, IPP_TAG_ZERO);

    return known != NULL && ippContainsString(known, value);
}

/* Whether a dimension, a number or a range, may be `*length`, which becomes the
 * printer's own number where it has one. */
static bool take_length(ipp_t *size, const char *name, int *length)
{
    ipp_attribute_t *known = ippFindAttribute(size, name, IPP_TAG_ZERO);
    int low = 0, high = -1;

    if (known == NULL)
        return false;
    if (ippGetValueTag(known) == IPP_TAG_RANGE) {
        low = ippGetRange(known, 0, &high);
        return *length >= low && *length <= high;
    }
    low = ippGetInteger(known, 0);
    if (abs(*length - low) > SAME_SIZE)
        return false;
    *length = low;
    return true;
}

static void add_media(char ticket[IPP_TICKET], ipp_t *about,
                      const cups_page_header2_t *header)
{
    /* The name is that of the whole sheet, whatever part has dots. */
    const pwg_media_t *sheet = header->cupsPageSizeName[0] != '\0'
                                   ? pwgMediaForPWG(header->cupsPageSizeName)
                                   : NULL;
    const int width = sheet != NULL ? sheet->width
                                    : (int)((uint64_t)header->cupsWidth *
                                            PER_INCH / header->HWResolution[0]);
    const int length = sheet != NULL
                           ? sheet->length
                           : (int)((uint64_t)header->cupsHeight * PER_INCH /
                                   header->HWResolution[1]);
    ipp_attribute_t *known = ippFindAttribute(about, "media-size-supported",
                                              IPP_TAG_BEGIN_COLLECTION);

    if (!has_keyword(about, "media-col-supported", "media-size"))
        return;
    for (int i = 0; i < ippGetCount(known); i++) {
        ipp_t *size = ippGetCollection(known, i);
        int x = width, y = length;

        if (!take_length(size, "x-dimension", &x) ||
            !take_length(size, "y-dimension", &y))
            continue;
        add(ticket, " media-col={media-size={x-dimension=%d y-dimension=%d}", x,
            y);
        if (has_keyword(about, "media-type-supported", header->MediaType))
            add(ticket, " media-type=%s", header->MediaType);
        add(ticket, "}");
        return;
    }
}

static void add_resolution(char ticket[IPP_TICKET], ipp_t *about,
                           const cups_page_header2_t *header)
{
    ipp_attribute_t *known = ippFindAttribute(
        about, "printer-resolution-supported", IPP_TAG_RESOLUTION);

    for (int i = 0; i < ippGetCount(known); i++) {
        ipp_res_t unit = IPP_RES_PER_INCH;
        int y = 0;
        const int x = ippGetResolution(known, i, &y, &unit);

        if (unit == IPP_RES_PER_INCH &&
            (unsigned)x == header->HWResolution[0] &&
            (unsigned)y == header->HWResolution[1]) {
            add(ticket, " printer-resolution=%dx%ddpi", x, y);
            return;
        }
    }
}

void ipp_ticket(char ticket[IPP_TICKET], ipp_t *about,
                const cups_page_header2_t *header)
{
    const char *sides = !header->Duplex  ? "one-sided"
                        : header->Tumble ? "two-sided-short-edge"
                                         : "two-sided-long-edge";
    const int quality = (int)header->cupsInteger[CUPS_RASTER_PWG_PrintQuality];
    ipp_attribute_t *known =
        ippFindAttribute(about, "print-quality-supported", IPP_TAG_ENUM);

    ticket[0] = '\0';
    if (has_keyword(about, "sides-supported", sides))
        add(ticket, "sides=%s", sides);
    if (known != NULL && ippContainsInteger(known, quality))
        add(ticket, " print-quality=%d", quality);
    if (header->HWResolution[0] == 0 || header->HWResolution[1] == 0)
        return;
    add_resolution(ticket, about, header);
    add_media(ticket, about, header);
}
