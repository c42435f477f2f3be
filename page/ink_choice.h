/*
 * ink_choice.h - chooses the ink that the job and the queue ask for.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef PAGE_INK_CHOICE_H
#define PAGE_INK_CHOICE_H

#include "page/choice.h"
#include "page/ink.h"
#include "page/option.h"

/*
 * Takes what options[OPTIONS] have of ink, and writes a DEBUG line with the
 * result. Threshold, `two_level`, has no tones in
 * which dots could gain or that could be sharpened: it takes only black, which
 * it prints with one ink, and gamma, which moves the cut. False after an ERROR
 * line when the curve cannot be used. With `strokes`, what is thin and dark on
 * a page of tones is printed as Threshold would.
 */
bool ink_choose(struct ink_settings *ink, const struct choices *from,
                const struct option_value options[OPTIONS], bool two_level,
                bool strokes);

#endif
