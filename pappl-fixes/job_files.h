/*
 * job_files.h - the files of attributes of the jobs that wait, while the state
 * is saved.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef PAPPL_FIXES_JOB_FILES_H
#define PAPPL_FIXES_JOB_FILES_H

#include <stdbool.h>

/* Makes the files of jobs that PAPPL writes on this thread replace the old ones
 * only when they are whole, from now on. */
void job_files_begin(void);

/* No longer. False with errno if one of them could not be written. */
bool job_files_end(void);

#endif
