/*
 * pixel_curve.h - a tone curve of whole pixels: no hue changes where the paper
 * of a scan becomes bare, and its ink solid.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef PAGE_PIXEL_CURVE_H
#define PAGE_PIXEL_CURVE_H

#include <stdint.h>

/*
 * Makes of a pixel's largest sample what the table says, by sample of `bits`, 8
 * or 16, and scales its other inks by the same factor, rounded.
 *
 * row: [inks][width] samples
 */
void pixel_curve_row(const uint16_t *table, void *row, uint32_t inks,
                     uint32_t width, uint32_t bits);

#endif
