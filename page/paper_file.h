/*
 * paper_file.h - paper files: what a kind of paper asks of options, and its
 * tone curve.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef PAGE_PAPER_FILE_H
#define PAGE_PAPER_FILE_H

#include "page/choice.h"

#define PAPER_FILE_TITLE 81 /* bytes, with a NUL */
#define PAPER_FILE_WHY 600

struct paper_file {
    char title[PAPER_FILE_TITLE]; /* its name in words; "" = none */
    int count;
    cups_option_t *set; /* options, MediaType and Resolution */
    bool curved;        /* it has points of a curve */
    struct curve curve;
};

/* Reads the text of a paper file, doc/user/papers.md, in which it turns what is
 * not a curve's into comments. False with the reason, which names the line at
 * fault. Whatever it returned, free `set` by cupsFreeOptions(). */
bool paper_file_parse(struct paper_file *paper, char *text, size_t size,
                      char why[PAPER_FILE_WHY]);

/* Parses the regular file at `path`, which may not be a link. False with the
 * reason; errno is ENOENT if there is no such file. */
bool paper_file_load(struct paper_file *paper, const char *path,
                     char why[PAPER_FILE_WHY]);

/* Loads the paper that the job's or the queue's HalftonePaper names into
 * `from`, out of the folders of curves. False after an ERROR line. */
bool paper_file_choose(struct choices *from);

#endif
