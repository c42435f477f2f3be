/*
 * page.h - one page from samples to dots.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef FILTER_PAGE_H
#define FILTER_PAGE_H

#include "filter/job.h"
#include "filter/stream.h"

/*
 * Halftones the page whose header was just read from `in` and writes it to
 * `out`, which is opened on standard output with the first page. Once the
 * header has left, all of the page's lines leave: those that are missing,
 * after a canceled or failed job, as bare paper. False after an ERROR line.
 *
 *   number  of the page, from 1
 */
bool page_print(const struct job *job, struct stream *in, struct stream *out,
                const cups_page_header2_t *header, unsigned number);

#endif
