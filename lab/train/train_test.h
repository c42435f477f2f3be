/*
 * train_test.h - functions that the tests of lab/train/ share.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef TEST_TRAIN_TEST_H
#define TEST_TRAIN_TEST_H

#include "lab/train/plane.h"
#include "test/cases.h"

/* Makes a square of stripes, which repeat in so many columns and rows. */
static inline struct plane stripes(int side, int period_x, int period_y)
{
    struct plane plane = plane_new(side, side);

    for (int i = 0; i < side * side; i++)
        plane.value[i] =
            (uint8_t)((i % side * 2 / period_x + i / side * 2 / period_y) & 1);
    return plane;
}

#endif
