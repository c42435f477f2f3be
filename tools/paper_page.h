/*
 * paper_page.h - a page, or a region of it, as it looks on paper, made by
 * several threads: rows of dots become rows of a picture.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef TOOLS_PAPER_PAGE_H
#define TOOLS_PAPER_PAGE_H

#include <stdbool.h>
#include <stdint.h>

#include "page/layout.h"
#include "tools/paper_light.h"
#include "tools/region.h"
#include "tools/srgb.h"

struct paper_page;

struct paper_page_job {
    const struct layout *layout;
    const double *area;   /* [PAPER_SIZES]: as of paper_light_open() */
    struct region region; /* on the page */
    uint32_t scale;       /* pixels in a row or column that become one */
    uint32_t threads;
    const struct srgb *srgb;

    /* Takes a row of the picture, [columns][3]; false ends the page. */
    bool (*put)(void *context, const uint8_t *row);
    void *context;
};

/* Begins a page. What the job points to has to last as long, but for the
 * region. NULL without memory. */
struct paper_page *paper_page_open(const struct paper_page_job *job);

/* Returns where the dots of the page's next row are to be put, [width] of zeros
 * in the form of paper_light.h; NULL where the picture does not depend on
 * them. */
uint32_t *paper_page_dots(struct paper_page *page);

/* Takes that row. False if `put` was. */
bool paper_page_row(struct paper_page *page);

/* Ends a page all of whose rows have come: the rest of the picture is put. */
bool paper_page_end(struct paper_page *page);

/* Frees it, at any time; NULL is allowed. */
void paper_page_close(struct paper_page *page);

#endif
