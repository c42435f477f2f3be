/*
 * job_words.h - words of a job that stay as long as the job.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef PRINTER_APP_OVERRIDES_JOB_WORDS_H
#define PRINTER_APP_OVERRIDES_JOB_WORDS_H

#include <cups/cups.h>

/* Makes the attributes of a new job, of which it gets copies, such that these
 * have its name and its format. Returns the name to give to PAPPL. */
const char *job_words_keep(ipp_t *attributes, const char *name);

#endif
