/*
 * job_words.c - words of a job that stay as long as the job.
 *
 * PAPPL 1.3 takes a job's name and format from strings of the request (job.c:
 * 102-136, printer-ipp.c:1257), which stay only if the job has a copy of their
 * attributes. It copies none that is in the group of the operation, as a format
 * may be that a client says was detected; and a name with a language is copied
 * without its text (libcups 2.4, ippCopyAttribute). So what is saved of the
 * job, or shown, is read from memory that is free.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "pappl-fixes/job_words.h"

#define MOST_NAME 256 /* with its end: names.c */

static bool is_format(const char *name)
{
    return name != NULL && (strcmp(name, "document-format-detected") == 0 ||
                            strcmp(name, "document-format-supplied") == 0);
}

const char *job_words_keep(ipp_t *attributes, const char *name)
{
    ipp_attribute_t *at = ippFirstAttribute(attributes);
    char text[MOST_NAME];

    for (; at != NULL; at = ippNextAttribute(attributes))
        if (is_format(ippGetName(at)))
            (void)ippSetGroupTag(attributes, &at, IPP_TAG_JOB);
    at = ippFindAttribute(attributes, "job-name", IPP_TAG_NAMELANG);
    if (at == NULL || name == NULL)
        return name;
    snprintf(text, sizeof text, "%s", name);
    ippDeleteAttribute(attributes, at);
    at = ippAddString(attributes, IPP_TAG_JOB, IPP_TAG_NAME, "job-name", NULL,
                      text);
    return ippGetString(at, 0, NULL);
}
