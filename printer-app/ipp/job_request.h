/*
 * job_request.h - checks the attributes of a request for a job, before PAPPL
 * takes it.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef PRINTER_APP_JOB_REQUEST_H
#define PRINTER_APP_JOB_REQUEST_H

#include <stdbool.h>

#include <pappl/pappl.h>

/*
 * Changes a Print-Job, Create-Job or Validate-Job request to what PAPPL 1.3
 * understands of it: paper of a job's own size, and several ranges of pages.
 * Attributes beyond the printer's abilities are refused if the client asks for
 * fidelity; else the answer says that they are ignored. False after a response
 * that refuses the job. Other requests stay as they are.
 */
bool job_request_take(pappl_client_t *client);

/* Returns the ranges of pages that the job is to print, the job's; NULL = all
 * of them. */
ipp_attribute_t *job_pages(pappl_job_t *job);

/* Whether page `number`, from 1, is in one of them. */
bool job_pages_have(ipp_attribute_t *pages, unsigned number);

/* Says why a job is aborted, in its log, whose last error becomes its message,
 * and by the reason. False. */
bool job_refuse(pappl_job_t *job, pappl_jreason_t reason, const char *format,
                ...) __attribute__((format(printf, 3, 4)));

#endif
