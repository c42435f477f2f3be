/*
 * job_file.c - the file of a job that is printed.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include "printer-app/job_file.h"

const char *job_file(pappl_job_t *job)
{
    const char *path = papplJobGetFilename(job);

    if (path == NULL)
        papplJobCancel(job);
    return path;
}
