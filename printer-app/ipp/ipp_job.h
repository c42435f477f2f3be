/*
 * ipp_job.h - a job at an IPP printer: one document of PWG raster, sent as it
 * comes.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef PRINTER_APP_IPP_JOB_H
#define PRINTER_APP_IPP_JOB_H

#include "printer-app/ipp/ipp_printer.h"
#include "printer-app/ipp/pwg_pages.h"

/* What a job needs of a printer's attributes: names for
 * "requested-attributes". */
#define IPP_JOB_ATTRIBUTES "operations-supported"

struct ipp_job;

/*
 * Makes a job of that name, with the ticket of the header in `pages`, and
 * begins its document. While the printer is busy it tries again, for 20 times
 * the printer's patience. `printer` and `about`, its attributes, are the
 * caller's and outlive the job. NULL, with the trouble said, if the printer
 * refuses, or the work of the calling thread's owner is canceled.
 */
struct ipp_job *ipp_job_start(const struct ipp_printer *printer, ipp_t *about,
                              const char *name, const struct pwg_pages *pages,
                              struct ipp_trouble *trouble);

/*
 * Sends bytes of the document. A printer that takes none, for it is out of
 * paper, is waited for as long as it answers a question now and then, at most
 * 240 times its patience. False, with the trouble said, if it is gone, has
 * refused the rest, or the work is canceled: then ipp_job_cancel() is due.
 */
bool ipp_job_write(struct ipp_job *job, const void *bytes, size_t size,
                   struct ipp_trouble *trouble);

/* Ends the document, waits for the printer's answer, as ipp_job_write() does,
 * and frees the job. False, with the trouble said, if the printer refuses it.
 */
bool ipp_job_end(struct ipp_job *job, struct ipp_trouble *trouble);

/* Cancels the job at the printer if it has told the job's number, breaks the
 * document off, so that the printer does not wait for more of it, and frees the
 * job. */
void ipp_job_cancel(struct ipp_job *job);

#endif
