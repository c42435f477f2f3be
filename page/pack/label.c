/*
 * label.c - reads the wishes of a page for a label printer from its header.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include "page/pack/label.h"

/* Indices into cupsInteger. PWG raster has 0 to 8, 14 and 15. */
enum { TRACKING = 9, MODE, SPEED, DARKNESS, DARKER };

void label_set(cups_page_header2_t *header, const struct label *label)
{
    unsigned *integer = header->cupsInteger;

    integer[TRACKING] = (unsigned)label->tracking;
    integer[MODE] = (unsigned)label->mode;
    integer[SPEED] = (unsigned)label->speed;
    integer[DARKNESS] = (unsigned)label->darkness;
    integer[DARKER] = (unsigned)label->darker;
    header->cupsRowStep = (unsigned)label->top;
    header->AdvanceDistance = (unsigned)label->tear;
}

/* Sets `*to` if the number is from -most to most. */
static bool within(unsigned number, int most, int *to)
{
    *to = (int)number;
    return *to >= -most && *to <= most;
}

bool label_get(const cups_page_header2_t *header, struct label *label)
{
    const unsigned *integer = header->cupsInteger;

    if (integer[TRACKING] >= LABEL_TRACKINGS || integer[MODE] >= LABEL_MODES ||
        integer[SPEED] > LABEL_FASTEST)
        return false;
    label->tracking = (enum label_tracking)integer[TRACKING];
    label->mode = (enum label_mode)integer[MODE];
    label->speed = (int)integer[SPEED];
    return within(integer[DARKNESS], 50, &label->darkness) &&
           within(integer[DARKER], 100, &label->darker) &&
           within(header->cupsRowStep, LABEL_FARTHEST, &label->top) &&
           within(header->AdvanceDistance, LABEL_FARTHEST, &label->tear);
}

bool label_darkness(const struct label *label, int *percent)
{
    const int sum = 50 + label->darkness + label->darker;

    *percent = sum < 0 ? 0 : sum > 100 ? 100 : sum;
    return label->darkness != 0 || label->darker != 0;
}

int label_share(int of, int percent)
{
    return (of * percent + (percent < 0 ? -50 : 50)) / 100;
}

int label_inches(const struct label *label, int most)
{
    const int inches = (label->speed + 1270) / 2540;

    return inches < 1 ? 1 : inches > most ? most : inches;
}
