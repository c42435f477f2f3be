/*
 * page.h - the pages of a job, each from samples to dots.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef FILTER_PAGE_H
#define FILTER_PAGE_H

#include <semaphore.h>

#include "filter/job.h"
#include "filter/stream.h"

struct page;

/* The pages that are on their way. They leave in the order in which they
 * came. */
struct pages {
    const struct job *job;
    struct stream *in;
    struct stream out; /* opened with the first page, on standard output */
    struct ink_tables tables; /* of the job's ink */
    sem_t room;               /* for so many pages more */
    struct page *last; /* the one that came last, NULL when it has left */
    bool without_gpu;  /* one that was asked for could not be used */
    bool dots_came;    /* and the user has been told */
};

/* Begins with no page; `job` and `in` have to stay until pages_close(). */
void pages_open(struct pages *pages, const struct job *job, struct stream *in);

/*
 * Reads the page whose header was just read and halftones and writes it. Once
 * the header has left, all of the page's lines leave: those that are missing,
 * after a canceled or failed job, as bare paper, unless they are too many
 * (output_rest()). False after an ERROR line.
 *
 * The page may still be on its way when this returns; the next one leaves
 * behind it, or not at all when it failed.
 *
 *   number  of the page, from 1
 *   blank   the page is bare paper, and nothing is read
 */
bool page_print(struct pages *pages, const cups_page_header2_t *header,
                unsigned number, bool blank);

/* Waits until the pages on their way have left. False after an ERROR line. */
bool pages_close(struct pages *pages);

#endif
