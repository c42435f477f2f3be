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

#include <stdio.h>
#include <string.h>

#include "pappl-fixes/again.h"
#include "pappl-fixes/clients.h"
#include "pappl-fixes/deletion.h"
#include "pappl-fixes/locks.h"
#include "pappl-fixes/marks.h"
#include "pappl-fixes/shares.h"
#include "pappl-fixes/replaced.h"

#define MOST_NAME 256 /* with its end: requests.c */
#define MOST_URI 1024

static bool is_format(const char *name)
{
    return name != NULL && (strcmp(name, "document-format-detected") == 0 ||
                            strcmp(name, "document-format-supplied") == 0);
}

/* Makes the words of a job stay as long as it. Returns its name. */
static const char *keep_words(ipp_t *attributes, const char *name)
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

/* Notes the address from which a job comes: shares.c. */
static void note_host(ipp_t *attributes)
{
    char host[CLIENTS_NETWORK];

    client_network(host);
    ippDeleteAttribute(attributes,
                       ippFindAttribute(attributes, SHARES_HOST, IPP_TAG_ZERO));
    ippAddString(attributes, IPP_TAG_JOB, IPP_TAG_NAME, SHARES_HOST, NULL,
                 host);
}

/* Gives a job that was loaded an address that this server has: PAPPL's are
 * always those of TLS. */
static void correct_scheme(pappl_job_t *job, const char *name)
{
    ipp_attribute_t *at = papplJobGetAttribute(job, name);
    const char *uri = ippGetString(at, 0, NULL);
    ipp_t *any = ippNew(); /* for libcups, which changes the attribute alone */
    char text[MOST_URI];

    if (uri != NULL && strncmp(uri, "ipps:", 5) == 0) {
        snprintf(text, sizeof text, "ipp%s", uri + 4);
        ippSetString(any, &at, 0, text);
    }
    ippDelete(any);
}

/* ---- On the disk ----------------------------------------------------------
 */
/* A number that a client knows is not given to another. */
pappl_job_t *_papplJobCreate(pappl_printer_t *printer, int id, const char *user,
                             const char *format, const char *name,
                             ipp_t *attributes)
{
    name = keep_words(attributes, name);
    if (id == 0 && attributes != NULL)
        note_host(attributes);
    pappl_job_t *job =
        REAL(_papplJobCreate)(printer, id, user, format, name, attributes);

    if (job != NULL && id == 0) {
        marks_made(job);
        again_made(job, attributes);
    } else if (job != NULL &&
               (papplSystemGetOptions(papplPrinterGetSystem(printer)) &
                PAPPL_SOPTIONS_NO_TLS)) {
        correct_scheme(job, "job-uri");
        correct_scheme(job, "job-printer-uri");
    }
    return job;
}

/* Reads the attributes of a job that was loaded, but for those that PAPPL has
 * made anew: else it has both, and saves them. Its UUID stays. */
ipp_state_t ippReadFile(int file, ipp_t *to)
{
    ipp_t *from = ippNew();
    const ipp_state_t state = REAL(ippReadFile)(file, from);

    for (ipp_attribute_t *at = ippFirstAttribute(from); at != NULL;
         at = ippNextAttribute(from)) {
        const char *name = ippGetName(at);
        ipp_attribute_t *has =
            name != NULL ? ippFindAttribute(to, name, IPP_TAG_ZERO) : NULL;

        if (name != NULL && has == NULL)
            ippCopyAttribute(to, at, 0);
        else if (has != NULL && strcmp(name, "job-uuid") == 0)
            ippSetString(to, &has, 0, ippGetString(at, 0, NULL));
    }
    ippDelete(from);
    return state;
}

/* PAPPL calls this when a job has ended, with its lock: nobody is told before
 * that is on the disk, so that a server that loses power then does not print
 * the job again. It calls it once more behind freeing the job's message. */
void _papplJobRemoveFile(pappl_job_t *job)
{
    if (papplJobGetState(job) < IPP_JSTATE_CANCELED)
        return;
    if ((papplJobGetReasons(job) & PAPPL_JREASON_ABORTED_BY_SYSTEM) != 0 &&
        papplJobGetTimeProcessed(job) == 0) /* receive.c aborts it */
        locks_set_state(job, IPP_JSTATE_ABORTED);
    if (!deletion_frees()) {
        marks_state(job);
        marks_sync();
        again_keep(job);
    }
    REAL(_papplJobRemoveFile)(job);
}
