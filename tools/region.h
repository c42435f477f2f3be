/*
 * region.h - a part of a page, in pixels, as WxH+X+Y says it.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef TOOLS_REGION_H
#define TOOLS_REGION_H

#include <stdbool.h>
#include <stdint.h>

struct region {
    uint32_t width, height; /* at least 1; 0 = no region, but the whole page */
    uint32_t x, y;          /* of its upper left pixel */
};

/* Reads WxH+X+Y. False if it is anything else; `*region` is as it was. */
bool region_read(struct region *region, const char *text);

/* Tells whether the region lies on a page of this size. */
bool region_fits(const struct region *region, uint32_t width, uint32_t height);

#endif
