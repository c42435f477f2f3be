/*
 * ipp_device.c - PAPPL's devices whose jobs CUPS's backend "ipp" sends, a
 * process of its own. It reads a file rather than a pipe, so that it can send a
 * job again to a printer that was busy or has vanished.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#define _GNU_SOURCE /* waitid() */

#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include <cups/backend.h>

#include "halftone/base/utf8.h"
#include "page/choice.h"
#include "page/message.h"
#include "page/owner.h"
#include "page/program.h"
#include "printer-app/ipp/ipp_about.h"
#include "printer-app/ipp/ipp_device.h"
#include "printer-app/ipp/ipp_list.h"
#include "printer-app/ipp/ipp_state.h"
#include "printer-app/ipp/ipp_ticket.h"

#define LOOKS 10 /* a second, whether the job is canceled */
#define PAUSE (5 * LOOKS)
#define LAST_LOOKS 600 /* until a backend that does not end is killed */

struct ipp_device {
    struct owner owner; /* of the backend's messages; first */
    struct ipp_address address;
    char uri[2 * CHOICE_MAX_PATH]; /* the backend's, with its options */
    ipp_t *about;     /* the printer's attributes when it was opened */
    pappl_job_t *job; /* NULL: none has begun */
    char path[CHOICE_MAX_PATH];
    int fd;            /* of the file of pages there; -1: nothing is written */
    bool is_refused;   /* the printer says that it never takes this job */
    bool is_cut;       /* the connection broke in the middle of the file */
    char why[IPP_WHY]; /* the job cannot be printed; "": unknown */
};

static void backend_path(char path[CHOICE_MAX_PATH])
{
    snprintf(path, CHOICE_MAX_PATH, "%s/backend/ipp",
             choice_program_directory());
}

/* ---- The backend's messages ---------------------------------------------- */

/* Notes the printer's refusal, which the backend has among its DEBUG lines:
 * "Send-Document: client-error-document-format-error (TEXT)". */
static void note_refusal(struct ipp_device *mine, const char *text)
{
    const char *status = strstr(text, ": client-error-");

    if (status == NULL || (strncmp(text, "Create-Job:", 11) != 0 &&
                           strncmp(text, "Validate-Job:", 13) != 0 &&
                           strncmp(text, "Print-Job:", 10) != 0 &&
                           strncmp(text, "Send-Document:", 14) != 0))
        return;
    mine->is_refused = true;
    snprintf(mine->why, sizeof mine->why, "The printer refuses the job: %.600s",
             status + 2);
    utf8_copy(mine->why, sizeof mine->why, mine->why, '?');
}

static void hear(struct owner *owner, const char *prefix, const char *text)
{
    struct ipp_device *mine = (struct ipp_device *)(void *)owner;

    if (strcmp(prefix, "STATE") == 0)
        ipp_state_change(papplJobGetPrinter(mine->job), text);
    if (strcmp(prefix, "DEBUG") == 0)
        note_refusal(mine, text);
    /* The backend may end with CUPS_BACKEND_OK after that, by the status of the
     * request before. */
    if (strncmp(text, "Error writing document data", 27) == 0)
        mine->is_cut = true;
    if (strcmp(prefix, "ERROR") == 0 && mine->why[0] == '\0')
        utf8_copy(mine->why, sizeof mine->why, text, '?');
    papplLogJob(mine->job,
                strcmp(prefix, "ERROR") == 0 || strcmp(prefix, "WARNING") == 0
                    ? PAPPL_LOGLEVEL_WARN
                : strcmp(prefix, "INFO") == 0 ? PAPPL_LOGLEVEL_INFO
                                              : PAPPL_LOGLEVEL_DEBUG,
                "%s: %s", prefix, text);
}

static bool is_canceled(struct owner *owner)
{
    pappl_job_t *job = ((struct ipp_device *)(void *)owner)->job;

    return papplJobIsCanceled(job) ||
           !papplSystemIsRunning(
               papplPrinterGetSystem(papplJobGetPrinter(job)));
}

/* ---- Its process --------------------------------------------------------- */

/* Starts the backend. Returns an errno, or 0. */
static int start(struct ipp_device *mine, struct program *program,
                 const char *ticket, int channel)
{
    char path[CHOICE_MAX_PATH], uri[2 * CHOICE_MAX_PATH + sizeof "DEVICE_URI="];
    char home[CHOICE_MAX_PATH + sizeof "HOME="], number[16], name[256];
    const char *own = getenv("HOME");
    char *const environment[] = {"PATH=/usr/bin:/bin",
                                 "LC_ALL=C.UTF-8",
                                 "CONTENT_TYPE=image/pwg-raster",
                                 "FINAL_CONTENT_TYPE=image/pwg-raster",
                                 uri,
                                 home,
                                 NULL};
    char *const arguments[] = {
        "ipp",      number, (char *)papplJobGetUsername(mine->job),
        name,       "1",    (char *)ticket,
        mine->path, NULL};
    struct owner *before = owner_of_thread();
    const int nothing = open("/dev/null", O_RDWR | O_CLOEXEC);

    if (nothing < 0)
        return errno;
    backend_path(path);
    snprintf(uri, sizeof uri, "DEVICE_URI=%s", mine->uri);
    snprintf(home, sizeof home, "HOME=%s", own != NULL ? own : "/");
    snprintf(number, sizeof number, "%d", papplJobGetID(mine->job));
    utf8_copy(name, sizeof name, papplJobGetName(mine->job), '?');
    owner_set(&mine->owner);
    const int error =
        program_start(program, path, arguments, environment, nothing, nothing,
                      PROGRAM_CLOSED_FILTER, channel);

    owner_set(before);
    close(nothing);
    return error;
}

static void rest(void)
{
    static const struct timespec look = {.tv_nsec = 1000000000L / LOOKS};

    nanosleep(&look, NULL);
}

/* Waits until the backend ends, and has it cancel a canceled job. Returns its
 * exit status; -1: it was ended by a signal. */
static int await(struct ipp_device *mine, struct program *program)
{
    siginfo_t ended = {.si_pid = 0};
    int looks = 0, status = 0;

    while (waitid(P_PID, (id_t)program->process, &ended,
                  WEXITED | WNOHANG | WNOWAIT) == 0 &&
           ended.si_pid == 0) {
        if (looks > 0 || is_canceled(&mine->owner)) {
            if (looks == 0)
                kill(program->process, SIGTERM);
            if (++looks == LAST_LOOKS)
                kill(program->process, SIGKILL);
        }
        rest();
    }
    if (program_end(program, &status) != 0 || !WIFEXITED(status))
        return -1;
    return WEXITSTATUS(status);
}

/* ---- The job ------------------------------------------------------------- */

/* Says why the job is aborted, in the words of mine->why if there are any. */
static bool fail(struct ipp_device *mine, const char *usual)
{
    const char *why = mine->why[0] != '\0' ? mine->why : usual;

    if (owner_of_thread() != NULL)
        message("ERROR", "%s", why);
    else
        papplLogJob(mine->job, PAPPL_LOGLEVEL_ERROR, "%s", why);
    return false;
}

/* Reads the header of the first page; false with the reason if it has no
 * dots. */
static bool read_header(struct ipp_device *mine, cups_page_header2_t *header)
{
    const int fd = open(mine->path, O_RDONLY | O_CLOEXEC);
    cups_raster_t *raster =
        fd >= 0 ? cupsRasterOpen(fd, CUPS_RASTER_READ) : NULL;
    const bool is_pwg = raster != NULL &&
                        cupsRasterReadHeader2(raster, header) != 0 &&
                        strcmp(header->MediaClass, "PwgRaster") == 0;

    cupsRasterClose(raster);
    if (fd >= 0)
        close(fd);
    if (!is_pwg)
        return fail(mine, "What was to be printed is no PWG raster.");
    if (header->cupsBitsPerPixel == 1 &&
        header->cupsColorSpace == CUPS_CSPACE_K)
        return true;
    snprintf(mine->why, sizeof mine->why,
             "A page has %u bits a pixel of color space %d, and the printer "
             "takes black_1 only.",
             header->cupsBitsPerPixel, (int)header->cupsColorSpace);
    return fail(mine, mine->why);
}

/* Whether the backend may send what it has not with that status. It ends with
 * CUPS_BACKEND_STOP, too, when the printer hangs up. */
static bool is_worth_another(int status)
{
    return status == CUPS_BACKEND_RETRY ||
           status == CUPS_BACKEND_RETRY_CURRENT ||
           status == CUPS_BACKEND_FAILED || status == CUPS_BACKEND_STOP;
}

/* Sends the file, again if the printer was busy or has vanished. `channel` is a
 * socket on which nothing arrives: without, the backend would open the file as
 * number 4, and read it as messages of the side channel, too. */
static bool send_over(struct ipp_device *mine, int channel)
{
    char ticket[IPP_TICKET], usual[64];
    cups_page_header2_t header;
    pappl_printer_t *printer = papplJobGetPrinter(mine->job);
    int status = CUPS_BACKEND_RETRY_CURRENT;

    if (!read_header(mine, &header))
        return false;
    ipp_ticket(ticket, mine->about, &header);
    while (!is_canceled(&mine->owner)) {
        struct program program;

        mine->why[0] = '\0';
        mine->is_refused = mine->is_cut = false;
        atomic_flag_clear(&mine->owner.error_said);
        const int error = start(mine, &program, ticket, channel);
        if (error != 0) {
            snprintf(mine->why, sizeof mine->why,
                     "Cannot start the backend \"ipp\" of CUPS: %s",
                     strerror(error));
            return fail(mine, mine->why);
        }
        status = await(mine, &program);
        if (mine->is_refused || (!mine->is_cut && !is_worth_another(status)))
            break;
        ipp_state_change(printer, "+connecting-to-device");
        for (int i = 0; i < PAUSE && !is_canceled(&mine->owner); i++)
            rest();
    }
    ipp_state_change(printer, "-connecting-to-device");
    if (is_canceled(&mine->owner))
        return false;
    if (status == CUPS_BACKEND_OK)
        return true;
    snprintf(usual, sizeof usual, "The backend \"ipp\" ended with status %d",
             status);
    return fail(mine, usual);
}

static bool send_file(struct ipp_device *mine)
{
    int channel[2];

    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, channel) < 0)
        return fail(mine, strerror(errno));

    const bool ok = send_over(mine, channel[0]);

    close(channel[0]);
    close(channel[1]);
    return ok;
}

static struct ipp_device *ours(pappl_device_t *device, const char *uri)
{
    const bool is_ipp =
        strncmp(uri, "ipp://", 6) == 0 || strncmp(uri, "ipps://", 7) == 0;

    return is_ipp ? papplDeviceGetData(device) : NULL;
}

static void forget_file(struct ipp_device *mine)
{
    if (mine->fd < 0)
        return;
    close(mine->fd);
    unlink(mine->path);
    mine->fd = -1;
}

void ipp_device_begin_job(pappl_device_t *device, const char *uri,
                          pappl_job_t *job)
{
    struct ipp_device *mine = ours(device, uri);

    if (mine == NULL)
        return;
    forget_file(mine);
    mine->why[0] = '\0';
    mine->job = job;
}

bool ipp_device_end_job(pappl_device_t *device, const char *uri, bool failed)
{
    struct ipp_device *mine = ours(device, uri);

    if (mine == NULL)
        return true;
    papplDeviceFlush(device);
    const bool ok =
        !failed && mine->job != NULL && (mine->fd < 0 || send_file(mine));

    forget_file(mine);
    mine->job = NULL;
    return ok;
}

/* ---- PAPPL's callbacks --------------------------------------------------- */

static bool open_device(pappl_device_t *device, const char *uri,
                        const char *name)
{
    struct ipp_device *mine = calloc(1, sizeof *mine);
    char backend[CHOICE_MAX_PATH], why[IPP_WHY] = "No memory for a device.";

    (void)name;
    backend_path(backend);
    if (mine != NULL && access(backend, X_OK) != 0)
        snprintf(why, sizeof why, "%.500s cannot be run: %s", backend,
                 strerror(errno));
    else if (mine != NULL && ipp_address_read(&mine->address, uri, why))
        mine->about = ipp_about(&mine->address, why);
    if (mine == NULL || mine->about == NULL ||
        !ipp_takes_dots(mine->about, why)) {
        papplDeviceError(device, "%s: %s", uri, why);
        if (mine != NULL)
            ippDelete(mine->about);
        free(mine);
        return false;
    }
    const char *options = strchr(uri, '?');

    snprintf(mine->uri, sizeof mine->uri, "%s?waitjob=false&snmp=false%s%s",
             mine->address.uri, options != NULL ? "&" : "",
             options != NULL ? options + 1 : "");
    mine->owner = (struct owner){.hear = hear,
                                 .is_canceled = is_canceled,
                                 .error_said = ATOMIC_FLAG_INIT};
    mine->fd = -1;
    papplDeviceSetData(device, mine);
    return true;
}

static void close_device(pappl_device_t *device)
{
    struct ipp_device *mine = papplDeviceGetData(device);

    forget_file(mine);
    ippDelete(mine->about);
    free(mine);
    papplDeviceSetData(device, NULL);
}

static ssize_t write_device(pappl_device_t *device, const void *buffer,
                            size_t size)
{
    struct ipp_device *mine = papplDeviceGetData(device);

    size_t put = 0; /* PAPPL writes nothing, too */
    ssize_t more = 1;

    if (mine->job == NULL)
        return -1;
    if (mine->fd < 0)
        mine->fd = papplJobOpenFile(mine->job, mine->path, sizeof mine->path,
                                    NULL, "pwg", "w");
    while (mine->fd >= 0 && put < size && more > 0) {
        do
            more = write(mine->fd, (const char *)buffer + put, size - put);
        while (more < 0 && errno == EINTR);
        if (more > 0)
            put += (size_t)more;
    }
    if (mine->fd >= 0 && put == size)
        return (ssize_t)size;
    snprintf(mine->why, sizeof mine->why, "Cannot keep the pages: %s",
             strerror(errno));
    fail(mine, mine->why);
    return -1;
}

/* There is nothing to read: the printer's answers are to requests. */
static ssize_t read_device(pappl_device_t *device, void *buffer, size_t size)
{
    (void)device;
    (void)buffer;
    (void)size;
    return 0;
}

/* The printer's attributes as they are now; NULL if it does not tell. */
static ipp_t *about_now(pappl_device_t *device)
{
    const struct ipp_device *mine = papplDeviceGetData(device);
    char none[IPP_WHY];

    return ipp_about(&mine->address, none);
}

static pappl_preason_t device_status(pappl_device_t *device)
{
    ipp_t *about = about_now(device);
    const pappl_preason_t bits =
        about != NULL ? ipp_state_reasons(about) : PAPPL_PREASON_OFFLINE;

    ippDelete(about);
    return bits;
}

static int device_supplies(pappl_device_t *device, int most,
                           pappl_supply_t *supplies)
{
    ipp_t *about = about_now(device);
    const int count =
        about != NULL ? ipp_state_supplies(about, most, supplies) : 0;

    ippDelete(about);
    return count;
}

static char *device_id(pappl_device_t *device, char *buffer, size_t size)
{
    struct ipp_device *mine = papplDeviceGetData(device);

    return ipp_state_id(mine->about, buffer, size);
}

void ipp_device_add(void)
{
    static const char *const schemes[] = {"ipp", "ipps"};

    /* Registers PAPPL's own schemes first: PAPPL skips them once there are
     * some. */
    (void)papplDeviceIsSupported("socket://localhost");
    /* One look finds the printers of both. */
    for (int i = 0; i < 2; i++)
        papplDeviceAddScheme2(schemes[i], PAPPL_DEVTYPE_CUSTOM_NETWORK,
                              i == 0 ? ipp_list : NULL, open_device,
                              close_device, read_device, write_device,
                              device_status, device_supplies, device_id);
}
