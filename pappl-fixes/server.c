/*
 * server.c - the life of a server: with which PAPPL it begins, and what it
 * leaves to the clients that it still has when it ends.
 *
 * The library has the names and arguments of functions that are in none of
 * PAPPL's headers, and relies on the order of its calls and on a few structs.
 * All of that is known of the versions below. Another one has to pass the
 * application's self-test. One that calls its own functions, or has other
 * structs, is not used.
 *
 * PAPPL 1.3 deletes the system when its main loop has ended
 * (mainloop-subcommands.c:881, system.c:277-338). It does not wait for the
 * threads of clients, which nobody can join (system.c:619): until the process
 * has ended, these use what is freed, such as the array of pages. So a system
 * that has run is not deleted: its memory and files go with the process.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#define _GNU_SOURCE /* program_invocation_short_name */

#include "config.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pappl-fixes/again.h"
#include "pappl-fixes/application.h"
#include "pappl-fixes/clients.h"
#include "pappl-fixes/durable.h"
#include "pappl-fixes/ending.h"
#include "pappl-fixes/log.h"
#include "pappl-fixes/locks.h"
#include "pappl-fixes/queue.h"
#include "pappl-fixes/replaced.h"
#include "pappl-fixes/server.h"
#include "pappl-fixes/shares.h"
#include "pappl-fixes/spool.h"
#include "pappl-fixes/stalls.h"

#define MAX_PATH 1024
#define MAX_TEXT 256
#define PREFIX "PAPPL/"

/* Versions with which all tests passed. */
static const char *const tested[] = {"1.3.1"};

/* Set before there are other threads. */
static bool any_pappl;
static pappl_system_t *begins, *running;
static time_t started;

time_t server_started(void)
{
    return started;
}

/* ---- Structs --------------------------------------------------------------
 */

/* Whether PAPPL fills the driver's data to its last byte, and no further. */
static bool has_driver_data(void)
{
    static const unsigned char fill[] = {0x00, 0xff};
    const size_t size = sizeof(pappl_pr_driver_data_t), room = 2 * size;
    unsigned char *data = malloc(room);
    size_t end = 0;

    for (int i = 0; data != NULL && i < 2; i++) {
        memset(data, fill[i], room);
        papplPrinterGetDriverData(NULL, (pappl_pr_driver_data_t *)data);
        for (size_t at = 0; at < room; at++)
            if (data[at] != fill[i] && at >= end)
                end = at + 1;
    }
    free(data);
    return end == size;
}

/* Whether a job begins with its lock: locks.c. */
static bool has_job_lock(void)
{
    const pappl_jreason_t reason = PAPPL_JREASON_JOB_INCOMING;
    void *memory = calloc(16, MAX_PATH); /* all that a job could have */
    pappl_job_t *job = memory;

    if (job == NULL)
        return false;
    papplJobSetReasons(job, reason, PAPPL_JREASON_NONE);
    const bool has =
        locks_last() == memory && papplJobGetReasons(job) == reason;

    free(memory);
    return has;
}

/* ---- PAPPL itself ----------------------------------------------------------
 */

void server_fail(pappl_system_t *system, const char *format, ...)
{
    char line[4 * MAX_TEXT];
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    if (system != NULL && log_is_apart())
        papplLog(system, PAPPL_LOGLEVEL_ERROR, "%s", line);
    fprintf(stderr, "%s: ERROR: %s\n", program_invocation_short_name, line);
    exit(1);
}

void server_lock(pappl_system_t *system, const char *what, const char *path,
                 const char *lock)
{
    pid_t holder;

    if (durable_lock(lock, &holder))
        return;
    if (errno != EAGAIN)
        server_fail(system, "Cannot lock %s: %s", lock, strerror(errno));
    else if (holder == 0)
        server_fail(system, "Another server has the %s %s.", what, path);
    server_fail(system, "Another server, process %d, has the %s %s.",
                (int)holder, what, path);
}

/* Ends the process if PAPPL does not call what is replaced, of access or, if
 * `all`, anything, or has other structs. */
static void check(pappl_system_t *system, bool all)
{
    const char *missing = replaced_not_called(!all);

    if (missing != NULL)
        server_fail(
            system,
            "This PAPPL does not call %s of this program but one of its own, "
            "as if it was linked with -Bsymbolic. Install another PAPPL.",
            missing);
    if (all && !has_driver_data())
        server_fail(system, "This PAPPL has another pappl_pr_driver_data_t. "
                            "Install another PAPPL.");
    if (all && !has_job_lock())
        server_fail(system, "This PAPPL has another pappl_job_t. Install "
                            "another PAPPL.");
}

/* Copies the version of the library, "unknown" if it does not say it. */
static void find_version(pappl_system_t *system, char version[MAX_TEXT])
{
    const char *header = papplSystemGetServerHeader(system),
               *at = header != NULL ? strstr(header, PREFIX) : NULL;

    snprintf(version, MAX_TEXT, "%s", at != NULL ? at + strlen(PREFIX) : "");
    version[strcspn(version, " ")] = '\0';
    if (version[0] == '\0')
        snprintf(version, MAX_TEXT, "unknown");
}

static bool is_tested(const char *version)
{
    for (size_t i = 0; i < sizeof tested / sizeof tested[0]; i++)
        if (strcmp(version, tested[i]) == 0)
            return true;
    return false;
}

static void look_at_version(pappl_system_t *system)
{
    char version[MAX_TEXT], line[MAX_TEXT] = "there is no self-test";

    find_version(system, version);
    if (is_tested(version))
        return;
    if (application()->self_test != NULL &&
        application()->self_test(line, sizeof line)) {
        if (line[0] != '\0')
            papplLog(system, PAPPL_LOGLEVEL_WARN,
                     "PAPPL %s was not tested with this program, %s was; %s.",
                     version, tested[0], line);
        return;
    }
    papplLog(system, PAPPL_LOGLEVEL_ERROR,
             "PAPPL %s was not tested with this program, %s was; %s. Jobs "
             "could be lost or printed twice. %s",
             version, tested[0], line,
             any_pappl ? "The server runs all the same, by its option."
                       : "The server ends: install another PAPPL, or start it "
                         "with \"-o untested-pappl=yes\".");
    if (any_pappl)
        return;
    fprintf(stderr, "%s: PAPPL %s does not work with this program: %s\n",
            program_invocation_short_name, version, line);
    exit(1);
}

/* PAPPL calls this when its system runs, behind setting its version and
 * handlers of signals, and before there are clients (system.c:954). */
void _papplDeviceAddSupportedSchemes(ipp_t *attributes)
{
    if (begins != NULL) {
        look_at_version(begins);
        ending_watch(begins);
    }
    begins = NULL;
    REAL(_papplDeviceAddSupportedSchemes)(attributes);
}

/* ---- The application ------------------------------------------------------
 */

void papplfixes_start(const struct papplfixes *callbacks)
{
    application_set(callbacks);
    check(NULL, callbacks == NULL);
}

void papplfixes_set(const struct papplfixes_settings *settings)
{
    const struct papplfixes_settings *s = settings;

    any_pappl = s->any_pappl;
    if (s->client_seconds > 0)
        clients_wait_for(s->client_seconds);
    queue_limit(s->client_seconds > 0 ? s->client_seconds : QUEUE_SECONDS,
                s->hold_seconds > 0 ? s->hold_seconds : QUEUE_HOLD);
    shares_limit(s->jobs > 0 ? s->jobs : SHARES_JOBS,
                 s->share > 0 ? s->share : SHARES_PERCENT);
    if (s->printer_seconds > 0)
        stalls_after(s->printer_seconds);
    if (s->keep_seconds != 0)
        again_limit(s->keep_seconds > 0 ? s->keep_seconds : 0);
    spool_limit(s->document > 0 ? s->document : SPOOL_DOCUMENT,
                s->documents > 0 ? s->documents : SPOOL_ALL);
}

/* ---- The system -----------------------------------------------------------
 */

pappl_system_t *papplSystemCreate(pappl_soptions_t options, const char *name,
                                  int port, const char *subtypes,
                                  const char *spool, const char *log,
                                  pappl_loglevel_t level, const char *service,
                                  bool tls_only)
{
    char path[MAX_PATH], lock[MAX_PATH + 8];

    if (spool == NULL) {
        snprintf(path, sizeof path, "%s/pappl%d.d", papplGetTempDir(),
                 (int)getpid());
        spool = path;
    }
    pappl_system_t *system =
        REAL(papplSystemCreate)(options, name, port, subtypes, spool,
                                log_path(log), level, service, tls_only);

    if (system == NULL)
        return NULL;
    check(system, true);
    snprintf(lock, sizeof lock, "%s/.lock", spool);
    server_lock(system, "documents in", spool, lock);
    begins = system;
    spool_folder(spool);
    return system;
}

void papplSystemRun(pappl_system_t *system)
{
    started = time(NULL);
    running = system;
    if (application()->server_begins != NULL)
        application()->server_begins(system);
    REAL(papplSystemRun)(system);
    ending_wait();
    if (application()->server_ends != NULL)
        application()->server_ends();
}

void papplSystemDelete(pappl_system_t *system)
{
    if (system != running)
        REAL(papplSystemDelete)(system);
}
