/*
 * job_files.h - the files of attributes of the jobs that wait, while the state
 * is saved.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef PAPPL_FIXES_JOB_FILES_H
#define PAPPL_FIXES_JOB_FILES_H

#include <stdbool.h>

#include <pappl/pappl.h>

/* Copies how the names of a job's files begin, as "p00001j000000001-title.", to
 * a path's room; "" if that is not known. */
void job_files_start(pappl_job_t *job, char start[static 1024]);

/* Makes the files of jobs that PAPPL writes on this thread replace the old ones
 * only when they are whole, from now on. */
void job_files_begin(void);

/* No longer. False with errno if one of them could not be written. */
bool job_files_end(void);

#endif
