/*
 * gray.h - grays of a screen in black ink alone.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef PAGE_GRAY_H
#define PAGE_GRAY_H

#include <stdint.h>

/*
 * Returns the tone of K, 0..1, that is as light on paper as a screen shows the
 * gray of sRGB 1 - `tone`, which the RIP makes `tone` of K. With L the light of
 * that gray, 0..1, paper is to reflect K + (1 - K) L, from its own white to
 * solid black, K. A curve has a tone t cover t + 0.8 t (1 - t) of that range
 * (doc/user/calibration.md, a gain of 20 %), so
 *
 *   t + 0.8 t (1 - t) = 1 - L
 */
double gray_tone(double tone);

/*
 * Maps the samples of pixels that have K alone by the table, by sample of
 * `bits`, 8 or 16.
 *
 * row: [4][width] samples of K, C, M and Y
 */
void gray_row(const uint16_t *table, void *row, uint32_t width, uint32_t bits);

#endif
