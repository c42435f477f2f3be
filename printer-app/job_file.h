/*
 * job_file.h - the file of a job that is printed.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef PRINTER_APP_JOB_FILE_H
#define PRINTER_APP_JOB_FILE_H

#include <pappl/pappl.h>

/* Returns the path of the job's file; NULL: the job was canceled just before
 * PAPPL began to print it, and the file was removed. PAPPL forgets that; here
 * the job is canceled again, and there is nothing to do. */
const char *job_file(pappl_job_t *job);

#endif
