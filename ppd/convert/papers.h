/*
 * papers.h - offers paper files in a PPD that has our dots.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef PPD_CONVERT_PAPERS_H
#define PPD_CONVERT_PAPERS_H

#include "page/paper_file.h"

/* Gives the PPD the option HalftonePaper, instead of one that it has: a choice
 * for each file, NAME.paper, whose code is that of its MediaType and
 * Resolution. Returns bytes that the caller frees, or NULL with the reason. */
char *papers_add(const char *bytes, size_t size, const char *const *files,
                 int count, size_t *out_size, char why[PAPER_FILE_WHY]);

#endif
