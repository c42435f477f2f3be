/*
 * marks.c - lines "PRINTER JOB STATE TIME TEXT", the numbers of IPP, appended
 * to STATE.marks, and read from STATE.marks.old and STATE.marks, the last line
 * of a job being right. TEXT is a job's message if it was aborted, and what its
 * line of the state would have if it is only made. A state of 5, "processing",
 * is marked when bytes leave for the printer: PAPPL's own job is "processing"
 * while it waits for one, too.
 *
 * While the state is saved, marks go to a new file, for nobody knows whether
 * what they say is in it. If saving fails, both are kept.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#define _GNU_SOURCE /* fallocate() */

#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "pappl-fixes/durable.h"
#include "pappl-fixes/job_files.h"
#include "pappl-fixes/lines.h"
#include "pappl-fixes/locks.h"
#include "pappl-fixes/marks.h"
#include "pappl-fixes/replaced.h"
#include "halftone/base/utf8.h"

#define MAX_PATH 1024
#define MAX_WHY 1024  /* bytes, as PAPPL has for a message */
#define MAX_MADE 4096 /* likewise of names, each with what escapes it */
#define MAX_LINE (80 + MAX_MADE)
#define ROOM (64 << 10) /* bytes that the disk keeps free for marks */

struct mark {
    struct mark *next;
    struct marked of;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static char path[MAX_PATH], old_path[MAX_PATH]; /* "" = none are kept */
static int file = -1;                           /* with the lock */
static struct mark *begun; /* jobs that the printer gets now, with the lock */
static struct mark *known; /* when the server started */

/* ---- Lists --------------------------------------------------------------- */

static struct mark **find(struct mark **list, int printer, int job)
{
    while (*list != NULL &&
           ((*list)->of.printer != printer || (*list)->of.job != job))
        list = &(*list)->next;
    return list;
}

/* Returns a copy of the new text, or the old one if there is none: of two
 * threads that mark a job's end the last may not know why. */
static char *newer(char *old, const char *fresh)
{
    if (fresh == NULL)
        return old;
    free(old);
    return strdup(fresh);
}

/* Copies what is known of a job into the list, at its end if it is new. */
static void put(struct mark **list, const struct marked *of)
{
    struct mark **at = find(list, of->printer, of->job);

    if (*at == NULL)
        *at = calloc(1, sizeof **at);
    if (*at == NULL)
        return;
    const struct marked old = (*at)->of;

    (*at)->of = *of;
    (*at)->of.why = newer(old.why, of->why);
    (*at)->of.made = newer(old.made, of->made);
}

static void remove_from(struct mark **list, int printer, int job)
{
    struct mark **at = find(list, printer, job), *gone = *at;

    if (gone == NULL)
        return;
    *at = gone->next;
    free(gone->of.why);
    free(gone->of.made);
    free(gone);
}

/* ---- The files ----------------------------------------------------------- */

/* Reads a file, and takes half a line away, which was being written. */
static void read_file(const char *name)
{
    FILE *from = fopen(name, "r+e");
    char line[MAX_LINE];
    long whole = 0;

    while (from != NULL && fgets(line, sizeof line, from) != NULL) {
        struct marked of = {0};
        int state = 0, length = 0;
        long since = 0;
        char *end = strchr(line, '\n');

        if (end == NULL)
            break;
        whole += end + 1 - line;
        if (sscanf(line, "%d %d %d %ld %n", &of.printer, &of.job, &state,
                   &since, &length) != 4)
            continue;
        *end = '\0';
        of.state = (ipp_jstate_t)state;
        if (line + length < end)
            *(of.state == MARKS_NEW ? &of.made : &of.why) = line + length;
        of.begun = of.state == IPP_JSTATE_PROCESSING;
        of.since = since;
        if (of.state == MARKS_NEW && *find(&known, of.printer, of.job) != NULL)
            continue;
        put(&known, &of);
    }
    if (from != NULL && ftruncate(fileno(from), whole) < 0)
        fprintf(stderr, "Cannot mend %s: %s\n", name, strerror(errno));
    if (from != NULL)
        fclose(from);
}

static _Thread_local bool lost;

/* Needs the lock. */
static void fail(void)
{
    lost = true;
    fprintf(stderr, "Cannot write %s: %s\n", path, strerror(errno));
}

bool marks_lost(void)
{
    const bool was = lost;

    lost = false;
    return was;
}

void marks_saved(bool well)
{
    lost = !well;
}

/* Writes all of a line, or nothing. Needs the lock. */
static void write_mark(const struct marked *of)
{
    char line[MAX_LINE];
    const char *text = of->state == MARKS_NEW ? of->made : of->why;
    const off_t before = file >= 0 ? lseek(file, 0, SEEK_END) : 0;
    const int length =
        snprintf(line, sizeof line, "%d %d %d %ld %s\n", of->printer, of->job,
                 (int)of->state, (long)of->since, text != NULL ? text : "");

    if (file < 0 || durable_put(file, line, (size_t)length))
        return;
    fail();
    (void)!ftruncate(file, before);
}

/* Opens the file for marks, for which the disk keeps some room, so that jobs
 * are canceled on a full disk, too; and marks in it what is not forgotten.
 * False if there is no room, and then `anyway` opens it. Needs the lock. */
static bool open_file(bool anyway)
{
    const int fresh = open(
        path, O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600);

    if (!anyway &&
        (fresh < 0 || (fallocate(fresh, FALLOC_FL_KEEP_SIZE, 0, ROOM) < 0 &&
                       errno != EOPNOTSUPP))) {
        if (fresh >= 0)
            close(fresh);
        return false;
    }
    if (file >= 0)
        close(file);
    file = fresh;
    for (const struct mark *at = begun; at != NULL; at = at->next)
        write_mark(&at->of);
    return true;
}

void marks_open(const char *state)
{
    snprintf(path, sizeof path, "%s.marks", state);
    snprintf(old_path, sizeof old_path, "%s.marks.old", state);
    read_file(old_path);
    read_file(path);
    for (const struct mark *at = known; at != NULL; at = at->next)
        if (at->of.begun)
            put(&begun, &at->of);
    pthread_mutex_lock(&lock);
    if (!open_file(false))
        (void)open_file(true);
    pthread_mutex_unlock(&lock);
}

const struct marked *marks_find(int printer, int job)
{
    struct mark *found = *find(&known, printer, job);

    return found != NULL ? &found->of : NULL;
}

void marks_each(int printer, int from,
                void (*see)(const struct marked *of, void *data), void *data)
{
    for (const struct mark *at = known; at != NULL; at = at->next)
        if (at->of.printer == printer && at->of.job >= from)
            see(&at->of, data);
}

/* ---- Marking ------------------------------------------------------------- */

/* Copies why a job was aborted, as one line of at most MAX_WHY bytes. To be
 * called without the lock: who has that waits for no job's. */
static void copy_why(pappl_job_t *job, char *why)
{
    const bool reads = locks_read(job);
    const char *text = papplJobGetMessage(job);

    snprintf(why, MAX_WHY, "%s", text != NULL ? text : "");
    if (reads)
        locks_end(job);
    while ((why = strpbrk(why, "\r\n")) != NULL)
        *why = ' ';
}

/* Marks a state with its text, `why` or `made`. Needs the lock. */
static void mark(pappl_job_t *job, ipp_jstate_t state, char *text)
{
    const struct marked of = {.printer =
                                  papplPrinterGetID(papplJobGetPrinter(job)),
                              .job = papplJobGetID(job),
                              .state = state,
                              .begun = state == IPP_JSTATE_PROCESSING,
                              .since = time(NULL),
                              .why = text,
                              .made = text};

    write_mark(&of);
    if (of.begun)
        put(&begun, &of);
    else if (state >= IPP_JSTATE_CANCELED)
        remove_from(&begun, of.printer, of.job);
}

void marks_made(pappl_job_t *job)
{
    char start[MAX_PATH], text[MAX_MADE] = "";
    FILE *to = fmemopen(text, sizeof text, "w");
    const char *format = papplJobGetFormat(job), *name = papplJobGetName(job);

    job_files_start(job, start);
    if (to != NULL) {
        lines_put_option(to, "name", name != NULL ? name : "");
        lines_put_option(to, "username", papplJobGetUsername(job));
        lines_put_option(to, "format", format != NULL ? format : "");
        lines_put_option(to, MARKS_START, start);
        if (fclose(to) != 0)
            text[0] = '\0';
    }
    utf8_copy(text, sizeof text, text, '?');
    pthread_mutex_lock(&lock);
    mark(job, MARKS_NEW, text);
    pthread_mutex_unlock(&lock);
}

/* With the lock, so that no other thread marks what comes behind it before. */
void marks_state(pappl_job_t *job)
{
    char why[MAX_WHY] = "";

    if (papplJobGetState(job) == IPP_JSTATE_ABORTED)
        copy_why(job, why);
    pthread_mutex_lock(&lock);
    ipp_jstate_t state = papplJobGetState(job);

    if (state < IPP_JSTATE_CANCELED && REAL(papplJobIsCanceled)(job))
        state = IPP_JSTATE_CANCELED;
    if (state != IPP_JSTATE_PROCESSING)
        mark(job, state, why);
    pthread_mutex_unlock(&lock);
}

void papplfixes_begun(pappl_job_t *job)
{
    pthread_mutex_lock(&lock);
    if (!REAL(papplJobIsCanceled)(job))
        mark(job, IPP_JSTATE_PROCESSING, NULL);
    pthread_mutex_unlock(&lock);
}

/* Needs the lock. */
static void sync_file(void)
{
    if (file >= 0 && fdatasync(file) < 0)
        fail();
}

void marks_sync(void)
{
    pthread_mutex_lock(&lock);
    sync_file();
    pthread_mutex_unlock(&lock);
}

/* Leaves marks that are not on the disk yet to marks_sync(), which writes the
 * new file then. */
void marks_turn(void)
{
    pthread_mutex_lock(&lock);
    if (file >= 0 && access(old_path, F_OK) < 0 &&
        rename(path, old_path) == 0) {
        sync_file();
        if (!open_file(false))
            (void)rename(old_path, path);
    }
    pthread_mutex_unlock(&lock);
}

void marks_drop(void)
{
    unlink(old_path);
}
