/*
 * paper.h - the paper that the job and the queue choose, and where a printer
 * can print on it.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef PAGE_PAPER_H
#define PAGE_PAPER_H

#include "page/choice.h"

/* In points, from the lower left corner of the sheet; all 0 = not known. */
struct paper {
    double width, height;
    double left, bottom, right, top; /* of the area that can be printed */
};

/* Finds the size that is marked in the PPD. False after an ERROR line when it
 * is one of the job's own, and smaller or larger than the PPD allows: CUPS
 * would print it, cut off. */
bool paper_choose(struct paper *paper, const struct choices *from);

#endif
