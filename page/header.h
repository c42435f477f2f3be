/*
 * header.h - the raster header that leaves for a page of dots.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef PAGE_HEADER_H
#define PAGE_HEADER_H

#include "page/layout.h"

/* Turn of a sheet's back by the RIP, a PPD's cupsBackSide. */
enum back_side {
    BACK_NORMAL,        /* not at all */
    BACK_MANUAL_TUMBLE, /* by 180 degrees if it is to be tumbled */
    BACK_ROTATED,       /* by 180 degrees unless it is to be tumbled */
    BACK_FLIPPED        /* mirrored: its lines if tumbled, else their order */
};

/* Says in the header of PWG raster how the back of a sheet was turned: PWG
 * 5102.4, "Page Header", CrossFeedTransform and FeedTransform. */
void header_turn_back(cups_page_header2_t *header, enum back_side back);

/* Changes the header that came into the one that leaves: the fields that
 * describe the pixels, from tones to dots, and what PWG raster asks for. Ends
 * all strings. */
void header_of_dots(cups_page_header2_t *header, const struct layout *layout);

#endif
