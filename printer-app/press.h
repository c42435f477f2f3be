/*
 * press.h - a job on its way to a printer: lines come in, page/ makes dots of
 * them, and these go to the device.
 *
 *   a job's thread --> feed --> pages: page/page.h --> sender --> device
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef PRINTER_APP_PRESS_H
#define PRINTER_APP_PRESS_H

#include <stdbool.h>
#include <stdint.h>

#include <pappl/pappl.h>

#include "printer-app/colors.h"

struct press;

/*
 * Begins a job with what PAPPL made of its attributes. Folder `own` has the
 * curves of printers (choices.h); the caller's, as the rest, until
 * press_close(). NULL after a line in the job's log.
 */
struct press *press_open(pappl_job_t *job, const pappl_pr_options_t *options,
                         pappl_device_t *device, const char *own);

/*
 * Begins a page of whole sheets of 8-bit samples, as separation_of() takes
 * them; `options` has its paper. The other functions are called with a page
 * begun, for each of its lines from the first. All are false after a line in
 * the job's log; the others are true in a canceled job.
 */
bool press_begin(struct press *press, const cups_page_header2_t *header,
                 const pappl_pr_options_t *options);
bool press_line(struct press *press, const uint8_t *line);

/* Returns the job's profiles for a RIP that separates its document itself: CMYK
 * that comes has the black of these. NULL if there are none; `*ok` is false
 * after a line in the job's log. To be called before the first page. */
struct printer_colors *press_colors(struct press *press, bool *ok);

/* Tells whether the job's pages are cut to two levels, bare paper and solid
 * ink. */
bool press_has_two_levels(const struct press *press);

/* Leaves dark parts of a picture as they are: each of its pixels becomes
 * several, and runs of equal dark ones are letters to page/black/black.h. To be
 * called before the first page. */
void press_leave_black(struct press *press);

/* Takes the document's own RGB profile for the lines to come: colors.h. */
void press_document_profile(struct press *press, const void *icc, size_t size);

/* Ends the page; missing lines are bare paper. */
bool press_end(struct press *press);

/* Fills in line `y` of a page, in memory that has the line before. False after
 * a line in the job's log. */
typedef bool (*press_fill)(void *context, unsigned y, uint8_t *line);

/* Prints a page, between two others; of bare paper if `fill` is NULL. False
 * after a line in the job's log. */
bool press_page(struct press *press, const cups_page_header2_t *header,
                const pappl_pr_options_t *options, press_fill fill,
                void *context);

/* Prints a bare page if the next one would come on the back of the last: a copy
 * does not begin on the back of another. */
bool press_new_sheet(struct press *press, const pappl_pr_options_t *options);

/* Returns how many pages were begun, bare ones among them. */
unsigned press_pages(const struct press *press);

/* Ends a page that is still open, as after a failure; waits until all pages
 * have left, ends the job, and frees it. NULL is allowed. */
bool press_close(struct press *press);

#endif
