/*
 * header.c - the raster header that leaves for a page of dots.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

#include <cups/cups.h>
#include <cups/pwg.h>

#include "page/header.h"

/* Ends the strings, which come from the RIP: a reader may take them for C
 * strings. */
static void end_strings(cups_page_header2_t *h)
{
    char *strings[] = {h->MediaClass,      h->MediaColor,
                       h->MediaType,       h->OutputType,
                       h->cupsMarkerType,  h->cupsRenderingIntent,
                       h->cupsPageSizeName};

    for (size_t i = 0; i < sizeof strings / sizeof strings[0]; i++)
        strings[i][63] = '\0';
    for (size_t i = 0; i < 16; i++)
        h->cupsString[i][63] = '\0';
}

/* A length in 1/100 mm; 0 when it is too long for a name. */
static int pwg_length(uint32_t pixels, unsigned dpi)
{
    uint64_t length = ((uint64_t)pixels * 2540 + dpi / 2) / dpi;

    return length <= INT_MAX ? (int)length : 0;
}

void header_turn_back(cups_page_header2_t *header, enum back_side back)
{
    bool tumbled = header->Tumble;
    bool rotated = (back == BACK_MANUAL_TUMBLE && tumbled) ||
                   (back == BACK_ROTATED && !tumbled);
    bool flipped = back == BACK_FLIPPED;
    unsigned *of = header->cupsInteger;

    of[CUPS_RASTER_PWG_CrossFeedTransform] =
        rotated || (flipped && tumbled) ? -1U : 1;
    of[CUPS_RASTER_PWG_FeedTransform] =
        rotated || (flipped && !tumbled) ? -1U : 1;
}

/* The name of the sheet's size as PWG 5101.1 has it, "iso_a4_210x297mm", where
 * the RIP left another one, "A4"; "" if it is too large for a name. */
static void name_size(cups_page_header2_t *h, const struct layout *l)
{
    char *name = h->cupsPageSizeName;
    pwg_media_t *media;

    if (pwgMediaForPWG(name) != NULL)
        return;
    media = pwgMediaForSize(pwg_length(l->width, h->HWResolution[0]),
                            pwg_length(l->height, h->HWResolution[1]));
    snprintf(name, sizeof h->cupsPageSizeName, "%s",
             media != NULL ? media->pwg : "");
}

/*
 * Fills in fields that PWG 5102.4 asks for and RIPs leave out. Ones mean that a
 * front is not turned; imagetoraster leaves zeros. Zeros mean that the image
 * box is not known; libcups would derive it from cupsImagingBBox, whose origin
 * is at the bottom instead of the top.
 */
static void fill_in_pwg(cups_page_header2_t *h, const struct layout *l)
{
    unsigned *transform = &h->cupsInteger[CUPS_RASTER_PWG_CrossFeedTransform];

    for (int axis = 0; axis < 2; axis++)
        if (transform[axis] == 0)
            transform[axis] = 1;
    name_size(h, l);
    memset(h->ImagingBoundingBox, 0, sizeof h->ImagingBoundingBox);
    memset(h->cupsImagingBBox, 0, sizeof h->cupsImagingBBox);
}

/* Returns the whole points of a length, which the RIP may have truncated. */
static unsigned rounded(unsigned points, float exact)
{
    return exact - points >= 0.5F && exact - points < 1 ? points + 1 : points;
}

/* Rounds what imagetoraster truncates, 841.89 points to 841: CUPS's packers
 * tell the printer A4 by 842. */
static void round_points(cups_page_header2_t *h)
{
    for (int i = 0; i < 2; i++)
        h->PageSize[i] = rounded(h->PageSize[i], h->cupsPageSize[i]);
    for (int i = 0; i < 4; i++)
        h->ImagingBoundingBox[i] =
            rounded(h->ImagingBoundingBox[i], h->cupsImagingBBox[i]);
}

void header_of_dots(cups_page_header2_t *h, const struct layout *layout)
{
    end_strings(h);
    if (layout->pwg)
        fill_in_pwg(h, layout);
    for (int i = 0; layout->box[2] > 0 && i < 4; i++) {
        h->cupsImagingBBox[i] = layout->box[i];
        h->ImagingBoundingBox[i] = (unsigned)layout->box[i];
    }
    round_points(h);
    if (layout->set.count > 0)
        memcpy(h->cupsString[0], layout->set.text, sizeof layout->set.text);
    if (layout->bits == 1 && !layout->pwg)
        return;
    h->cupsColorSpace = layout->out_space;
    h->cupsWidth = layout->width;
    h->cupsHeight = layout->height;
    h->cupsColorOrder =
        layout->chunked ? CUPS_ORDER_CHUNKED : CUPS_ORDER_BANDED;
    h->cupsBitsPerColor = layout->out_bits;
    h->cupsBitsPerPixel =
        layout->out_bits * (layout->chunked ? layout->out_inks : 1);
    h->cupsNumColors = layout->out_inks;
    h->cupsBytesPerLine = (unsigned)layout->out_line_bytes;
}
