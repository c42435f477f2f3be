/*
 * black_wanted.h - what a page becomes as page/black/black_text.h says, found
 * by looking at all its pixels again and again.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef TEST_BLACK_WANTED_H
#define TEST_BLACK_WANTED_H

#include "test/unit/toned_sheet.h"

/* K, C, M and Y of RGB black. */
extern const uint8_t rgb_black[MOST_INKS];

/* Return pages whose samples are to be freed. `across` and `down` are equal. */
struct toned_sheet copy_sheet(const struct toned_sheet *sheet);
struct toned_sheet black_wanted(const struct toned_sheet *sheet);

#endif
