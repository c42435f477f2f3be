/*
 * pcl_sheet.c - PCL's commands for a sheet, and rows of color.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <math.h>
#include <stddef.h>

#include "page/pack/pcl_sheet.h"
#include "page/pack/rows.h"

#define SAME_SIZE 2 /* points: RIPs round them, and PPDs have A4 of 595x842 */

/* Returns PCL's number of a size in points; 0 = it has none on which printers
 * agree, and the one that is loaded is printed. */
static unsigned number_of(double width, double length)
{
    static const struct {
        double width, length;
        unsigned number;
    } sizes[] = {
        {522, 756, 1},   {612, 792, 2},   {612, 1008, 3}, {792, 1224, 6},
        {298, 420, 24},  {420, 595, 25},  {595, 842, 26}, {842, 1191, 27},
        {516, 729, 45},  {729, 1032, 46}, {283, 420, 71}, {288, 432, 74},
        {279, 540, 80},  {297, 684, 81},  {312, 624, 90}, {459, 649, 91},
        {499, 709, 100},
    };

    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++)
        if (fabs(sizes[i].width - width) <= SAME_SIZE &&
            fabs(sizes[i].length - length) <= SAME_SIZE)
            return sizes[i].number;
    return 0;
}

void pcl_begin_sheet(const struct packing *page, double width, double length)
{
    struct sink *out = page->out;
    const unsigned number = number_of(width, length);

    if (page->header->MediaPosition > 0)
        sink_printf(out, "\033&l%uH", page->header->MediaPosition);
    sink_printf(out, "\033&l6D\033&k12H\033&l0O"); /* units, upright */
    if (number > 0)
        sink_printf(out, "\033&l%uA", number);
    sink_printf(out, "\033&l%uP\033&l0E", (unsigned)(length + 0.5) / 12);
    sink_printf(out, "\033&l%uX", page->copies);
}

void pcl_put_planes(const struct packing *page)
{
    for (unsigned i = 0; i < page->planes; i++) {
        const size_t size =
            rows_pack(page->line + i * page->bytes, page->bytes, page->packed);

        sink_printf(page->out, "\033*b%zu%c", size,
                    i + 1 < page->planes ? 'V' : 'W');
        sink_put(page->out, page->packed, size);
    }
}
