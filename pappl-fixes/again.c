/*
 * again.c - keeps documents of jobs that have ended, to be printed again.
 *
 * PAPPL 1.3 removes a document with its job's end, unless an application has it
 * keep some, without a limit, and those of canceled jobs in any case
 * (job.c:44). Here a document moves to a folder of its own, beside what was
 * asked of its job. It counts for nobody: the oldest goes as soon as its room
 * is needed, and all go with their jobs, or when their time is over.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "pappl-fixes/again.h"
#include "pappl-fixes/replaced.h"
#include "pappl-fixes/shares.h"
#include "pappl-fixes/spool.h"

#define PART 10 /* a tenth of the room of all documents */
#define LOOK 60 /* s between two looks */
#define MAX_PATH 1024

static const char document[] = SPOOL_KEPT, request[] = "request";

static int most_seconds = AGAIN_SECONDS; /* set before there are jobs */

void again_limit(int seconds)
{
    most_seconds = seconds;
}

/* ---- Files of a job ------------------------------------------------------ */

static void find(pappl_job_t *job, const char *what, char path[MAX_PATH])
{
    snprintf(path, MAX_PATH, "%s/p%05dj%09d-%s", spool_kept(),
             papplPrinterGetID(papplJobGetPrinter(job)), papplJobGetID(job),
             what);
}

void again_forget(pappl_job_t *job)
{
    char path[MAX_PATH];

    find(job, document, path);
    (void)unlink(path);
    find(job, request, path);
    (void)unlink(path);
}

/* Whether a new job has that of a request's group, too: name and options, which
 * PAPPL has in one, but not for how long it was held or what the server adds.
 */
static bool is_kept(ipp_attribute_t *attribute, ipp_tag_t group)
{
    static const char *const others[] = {SHARES_HOST,
                                         "compression-supplied",
                                         "document-format-detected",
                                         "document-format-supplied",
                                         "job-hold-until",
                                         "job-hold-until-time"};
    const char *name = ippGetName(attribute);

    if (name == NULL || ippGetGroupTag(attribute) != group)
        return false;
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
        if (strcmp(name, others[i]) == 0)
            return false;
    return group == IPP_TAG_JOB || strcmp(name, "ipp-attribute-fidelity") == 0;
}

void again_made(pappl_job_t *job, ipp_t *made)
{
    static const ipp_tag_t groups[] = {IPP_TAG_OPERATION, IPP_TAG_JOB};
    char path[MAX_PATH];

    if (most_seconds == 0 || made == NULL)
        return;
    ipp_t *asked = ippNew();

    for (int i = 0; i < 2; i++)
        for (ipp_attribute_t *at = ippFirstAttribute(made); at != NULL;
             at = ippNextAttribute(made))
            if (is_kept(at, groups[i]))
                ippCopyAttribute(asked, at, 0);
    (void)mkdir(spool_kept(), 0700);
    find(job, request, path);
    const int file =
        open(path, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0600);

    if (file >= 0 && ippWriteFile(file, asked) != IPP_STATE_DATA)
        (void)unlink(path);
    if (file >= 0)
        close(file);
    ippDelete(asked);
}

/* The document's time is that of the end. */
void again_keep(pappl_job_t *job)
{
    const char *file = papplJobGetFilename(job);
    const uint64_t part = spool_most() / PART, left = spool_left();
    char path[MAX_PATH];

    find(job, request, path);
    const bool is_known = access(path, F_OK) == 0;

    find(job, document, path);
    if (!is_known || file == NULL || !spool_has(file) || link(file, path) < 0 ||
        utimensat(AT_FDCWD, path, NULL, 0) < 0)
        again_forget(job);
    while (spool_drop(part < left ? part : left, 0))
        ;
}

bool again_has(pappl_job_t *job)
{
    char path[MAX_PATH];

    find(job, document, path);
    return access(path, F_OK) == 0;
}

int again_open(pappl_job_t *job, ipp_t *asked)
{
    char path[MAX_PATH];

    find(job, request, path);
    const int file = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
    const bool well =
        file >= 0 && REAL(ippReadFile)(file, asked) == IPP_STATE_DATA;

    if (file >= 0)
        close(file);
    find(job, document, path);
    return well ? open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC) : -1;
}

/* ---- All of them --------------------------------------------------------- */

static bool look(pappl_system_t *system, void *data)
{
    (void)system, (void)data;
    while (spool_drop(UINT64_MAX, time(NULL) - most_seconds))
        ;
    return true;
}

static void clean(const struct spool_name *of, void *data)
{
    pappl_printer_t *printer =
        papplSystemFindPrinter(data, NULL, of->printer, NULL);
    pappl_job_t *job =
        printer != NULL ? papplPrinterFindJob(printer, of->job) : NULL;

    if (most_seconds == 0 || job == NULL ||
        (papplJobGetState(job) >= IPP_JSTATE_CANCELED && !again_has(job)))
        (void)unlinkat(of->folder, of->name, 0);
}

void again_begin(pappl_system_t *system)
{
    spool_each_in(spool_kept(), clean, system);
    if (most_seconds > 0)
        (void)papplSystemAddTimerCallback(
            system, 0, most_seconds < LOOK ? most_seconds : LOOK, look, NULL);
}
