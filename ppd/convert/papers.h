/*
 * papers.h - offers paper files in a PPD that has our dots.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef PPD_CONVERT_PAPERS_H
#define PPD_CONVERT_PAPERS_H

#include <cups/ppd.h>

#include "page/paper_file.h"
#include "ppd/convert/text.h"

/* Gives the PPD the option HalftonePaper, instead of one that it has: a choice
 * for each file, NAME.paper, whose code is that of its MediaType and
 * Resolution. False with the reason. */
bool papers_add(struct ppd_text *text, ppd_file_t *ppd,
                const char *const *files, int count, char why[PAPER_FILE_WHY]);

#endif
