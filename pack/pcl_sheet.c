/*
 * pcl_size.c - PCL's numbers of paper sizes.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <stddef.h>

#include "pack/pcl_size.h"

unsigned pcl_size(unsigned length)
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
