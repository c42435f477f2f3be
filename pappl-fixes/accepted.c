/*
 * accepted.c - what a client is told of its job is on the disk.
 *
 * PAPPL 1.3 answers when a job is in memory, and saves it when its main loop
 * next wakes: when somebody connects, or 30 s later. It does not save at all
 * that a job is canceled (job.c:27-60) until something else changes. Who is
 * killed meanwhile, or loses power, has lost jobs that were accepted, and
 * prints those that were canceled.
 *
 * A job that does not end because the server does is put back (job-process.c:
 * 1117-1124), and then loses its document all the same (finish_job, :986).
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include "pappl-fixes/job_words.h"
#include "pappl-fixes/marks.h"
#include "pappl-fixes/pappl.h"

typedef pappl_job_t *create(pappl_printer_t *printer, int id, const char *user,
                            const char *format, const char *name,
                            ipp_t *attributes);
typedef void change(pappl_job_t *job);
typedef bool hold(pappl_job_t *job, const char *user, const char *until,
                  time_t time);
typedef bool release(pappl_job_t *job, const char *user);

/* A number that a client knows is not given to another. */
pappl_job_t *_papplJobCreate(pappl_printer_t *printer, int id, const char *user,
                             const char *format, const char *name,
                             ipp_t *attributes)
{
    create *pappl;

    override_find(&pappl, "_papplJobCreate");
    name = job_words_keep(attributes, name);
    pappl_job_t *job = pappl != NULL
                           ? pappl(printer, id, user, format, name, attributes)
                           : NULL;

    if (job != NULL && id == 0)
        marks_made(job);
    return job;
}

bool papplJobHold(pappl_job_t *job, const char *user, const char *until,
                  time_t time)
{
    hold *pappl;

    override_find(&pappl, "papplJobHold");
    const bool held = pappl != NULL && pappl(job, user, until, time);

    if (held) {
        marks_state(job);
        marks_sync();
    }
    return held;
}

bool papplJobRelease(pappl_job_t *job, const char *user)
{
    release *pappl;

    override_find(&pappl, "papplJobRelease");
    const bool released = pappl != NULL && pappl(job, user);

    if (released) {
        marks_state(job);
        marks_sync();
    }
    return released;
}

/* PAPPL calls this when a job has ended, with its lock: nobody is told before
 * that is on the disk, so that a server that loses power then does not print
 * the job again. */
void _papplJobRemoveFile(pappl_job_t *job)
{
    change *pappl;

    if (papplJobGetState(job) < IPP_JSTATE_CANCELED)
        return;
    marks_state(job);
    marks_sync();
    override_find(&pappl, "_papplJobRemoveFile");
    if (pappl != NULL)
        pappl(job);
}
