/*
 * ink_choice.h - what the job and the queue ask for of ink.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef FILTER_INK_CHOICE_H
#define FILTER_INK_CHOICE_H

#include "filter/choice.h"
#include "filter/ink.h"

/*
 * Reads HalftoneBlack, -Gamma, -Curve, -Density and -InkLimit, and says in a
 * DEBUG line what holds. A threshold, `two_level`, has no tones for a printer
 * to gain on: of these it takes only black and gamma, which moves the cut, and
 * prints what is black with one ink. False after an ERROR line when one is not
 * acceptable.
 */
bool ink_choose(struct ink_settings *ink, const struct choices *from,
                bool two_level);

#endif
