/*
 * inks.h - the names and the looks of a page's inks.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef TOOLS_INKS_H
#define TOOLS_INKS_H

#include "page/color/color.h"
#include "page/layout.h"

/* Writes an ink's name to `name` and returns it. */
const char *inks_name(const struct layout *layout, uint32_t ink,
                      char name[INK_SET_NAME]);

/* Fills in what a solid of the ink absorbs: shares, 0..1, of the light that
 * solids of K, C, M and Y do, in roots as in color_on_paper(). Inks that are no
 * shade of these are mixtures of them, and gray if the name is unknown. Returns
 * the one that it is most like, 0..3 = K, C, M, Y. */
unsigned inks_look(const struct layout *layout, uint32_t ink,
                   double share[COLOR_INKS]);

#endif
