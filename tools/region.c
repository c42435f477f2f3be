/*
 * region.c - a part of a page, in pixels.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <stddef.h>

#include "tools/region.h"

/* Reads a whole number in decimal, with `end` behind it; returns what follows,
 * or NULL. */
static const char *read_number(const char *text, char end, uint32_t *number)
{
    uint64_t value = 0;

    if (*text < '0' || *text > '9')
        return NULL;
    for (; *text >= '0' && *text <= '9'; text++) {
        value = value * 10 + (uint64_t)(*text - '0');
        if (value > INT32_MAX)
            return NULL;
    }
    *number = (uint32_t)value;
    return *text == end ? text + 1 : NULL;
}

bool region_read(struct region *region, const char *text)
{
    struct region read = {0};

    if ((text = read_number(text, 'x', &read.width)) == NULL ||
        (text = read_number(text, '+', &read.height)) == NULL ||
        (text = read_number(text, '+', &read.x)) == NULL ||
        read_number(text, '\0', &read.y) == NULL || read.width == 0 ||
        read.height == 0)
        return false;
    *region = read;
    return true;
}

bool region_fits(const struct region *region, uint32_t width, uint32_t height)
{
    return (uint64_t)region->x + region->width <= width &&
           (uint64_t)region->y + region->height <= height;
}
