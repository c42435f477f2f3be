/*
 * black_wanted.h - what a page becomes as doc/dev/black.md says, found by
 * looking at all its pixels again and again.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef TEST_BLACK_WANTED_H
#define TEST_BLACK_WANTED_H

#include "test/unit/toned_sheet.h"

/* K, C, M and Y of RGB black. */
extern const uint8_t rgb_black[MOST_INKS];

/* Returns a page whose samples are to be freed. */
struct toned_sheet copy_sheet(const struct toned_sheet *sheet);

/* The same, with its text and line art in black ink alone; a shape holds back
 * `wait` rows at most. */
struct toned_sheet black_wanted(const struct toned_sheet *sheet, size_t wait);

/* Tell what a pixel is. */
bool wanted_black(const struct toned_sheet *sheet, uint32_t x, uint32_t y);
bool wanted_dark(const struct toned_sheet *sheet, uint32_t x, uint32_t y);

#endif
