/*
 * job_file.h - the file of a job that is printed.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef PRINTER_APP_JOB_FILE_H
#define PRINTER_APP_JOB_FILE_H

#include <pappl/pappl.h>

/* Returns its path, the job's; NULL: the job was canceled just before PAPPL
 * began to print it, which removed the file and was forgotten then. Now the job
 * is canceled, and there is nothing to do. */
const char *job_file(pappl_job_t *job);

#endif
