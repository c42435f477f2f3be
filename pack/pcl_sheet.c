/*
 * pcl_sheet.c - what PCL printers are told of a sheet.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <stddef.h>

#include "pack/pcl_sheet.h"

/* Returns PCL's number of a size, by its length in points; 0 = it has none. */
static unsigned number_of(unsigned length)
{
    static const struct {
        unsigned length, number;
    } sizes[] = {{540, 80}, {595, 25},  {624, 90},  {649, 91},
                 {684, 81}, {709, 100}, {756, 1},   {792, 2},
                 {842, 26}, {1008, 3},  {1191, 27}, {1224, 6}};

    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++)
        if (sizes[i].length == length)
            return sizes[i].number;
    return 0;
}

void pcl_begin_sheet(const struct packing *page, unsigned length)
{
    struct sink *out = page->out;

    if (page->header->MediaPosition > 0)
        sink_printf(out, "\033&l%uH", page->header->MediaPosition);
    sink_printf(out, "\033&l6D\033&k12H\033&l0O"); /* units, upright */
    if (number_of(length) > 0)
        sink_printf(out, "\033&l%uA", number_of(length));
    sink_printf(out, "\033&l%uP\033&l0E", length / 12);
    sink_printf(out, "\033&l%uX", page->copies);
}
