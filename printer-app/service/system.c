/*
 * system.c - the server: its folders, formats and web pages.
 *
 * The options of "server" are those that PAPPL's own server has,
 * "listen-socket" and those of limits.c.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "halftone/halftone.h"
#include "printer-app/app.h"
#include "printer-app/web/calibrate_page.h"
#include "printer-app/chart_job.h"
#include "printer-app/document_type.h"
#include "printer-app/families/family.h"
#include "printer-app/service/heartbeat.h"
#include "printer-app/ipp/limits.h"
#include "pappl-fixes/pappl-fixes.h"
#include "printer-app/rip/rip.h"

#define MAX_PATH 1024

/* ---- Folders ------------------------------------------------------------ */

const char *app_state_directory(void)
{
    static char path[MAX_PATH]; /* set before there are other threads */
    const char *state = getenv("STATE_DIRECTORY"), *home = getenv("HOME"),
               *config = getenv("XDG_CONFIG_HOME");

    if (path[0] != '\0')
        return path;
    if (state != NULL)
        snprintf(path, sizeof path, "%s", state);
    else if (getuid() == 0)
        snprintf(path, sizeof path, "/var/lib/" APP_NAME);
    else if (config != NULL)
        snprintf(path, sizeof path, "%s/" APP_NAME, config);
    else
        snprintf(path, sizeof path, "%s/.config/" APP_NAME,
                 home != NULL ? home : "");
    return path;
}

const char *app_data_directory(void)
{
    const char *data = getenv("HALFTONE_APP_DATADIR");

    return data != NULL ? data : APP_DATADIR;
}

/* Where jobs wait: "" to let PAPPL choose, in a folder that goes with the
 * system's temporary files. */
static const char *spool_directory(int count, cups_option_t *options,
                                   char path[MAX_PATH])
{
    const char *spool = cupsGetOption("spool-directory", count, options);

    if (spool != NULL)
        return spool;
    (void)mkdir(app_state_directory(), 0700);
    snprintf(path, MAX_PATH, "%s/spool", app_state_directory());
    return path;
}

/* ---- Options of the server ---------------------------------------------- */

static pappl_loglevel_t log_level(const char *name)
{
    static const char *const names[] = {"debug", "info", "warn", "error",
                                        "fatal"};

    for (int i = 0; name != NULL && i < 5; i++)
        if (strcmp(name, names[i]) == 0)
            return (pappl_loglevel_t)(PAPPL_LOGLEVEL_DEBUG + i);
    return PAPPL_LOGLEVEL_WARN;
}

/* A word of "server-options", and what it sets or, with "no-", clears. */
struct server_option {
    const char *name;
    pappl_soptions_t flags;
    bool clears;
};

static pappl_soptions_t server_options(const char *list)
{
    static const struct server_option known[] = {
        {"dnssd-host", PAPPL_SOPTIONS_DNSSD_HOST, false},
        {"no-multi-queue", PAPPL_SOPTIONS_MULTI_QUEUE, true},
        {"raw-socket", PAPPL_SOPTIONS_RAW_SOCKET, false},
        {"usb-printer", PAPPL_SOPTIONS_USB_PRINTER, false},
        {"no-web-interface", PAPPL_SOPTIONS_WEB_INTERFACE, true},
        {"web-log", PAPPL_SOPTIONS_WEB_LOG, false},
        {"web-network", PAPPL_SOPTIONS_WEB_NETWORK, false},
        {"web-remote", PAPPL_SOPTIONS_WEB_REMOTE, false},
        {"web-security", PAPPL_SOPTIONS_WEB_SECURITY, false},
        {"no-tls", PAPPL_SOPTIONS_NO_TLS, false},
        {"none", ~0u, true}};
    pappl_soptions_t flags =
        PAPPL_SOPTIONS_MULTI_QUEUE | PAPPL_SOPTIONS_WEB_INTERFACE;

    while (list != NULL && *list != '\0') {
        const size_t length = strcspn(list, ",");

        for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
            if (strlen(known[i].name) == length &&
                strncmp(list, known[i].name, length) == 0)
                flags = known[i].clears ? flags & ~known[i].flags
                                        : flags | known[i].flags;
        list += length + (list[length] == ',');
    }
    return flags;
}

/* Returns the port, 0 to let PAPPL choose, or -1 after a message. */
static int server_port(const char *text)
{
    char *end;

    if (text == NULL)
        return 0;
    const long port = strtol(text, &end, 10);
    if (*text != '\0' && *end == '\0' && port >= 0 && port <= 65535)
        return (int)port;
    fprintf(stderr, APP_NAME ": server-port is not a port: %s\n", text);
    return -1;
}

/* Listens at a socket in the file system, too: PAPPL's own has the user in its
 * name, so that the commands of others look for it only if that is root. False
 * after a message. */
static bool listen_at(pappl_system_t *system, const char *path)
{
    struct sockaddr_un address;

    if (*path != '/' || strlen(path) >= sizeof address.sun_path)
        fprintf(stderr, APP_NAME ": listen-socket is not a path: %s\n", path);
    else
        return papplSystemAddListeners(system, path);
    return false;
}

/* ---- Names for people ---------------------------------------------------- */

/* The words of each language, of pages, attributes and their keywords. The file
 * itself is not offered to clients: for each of their
 * questions PAPPL 1.3 would add its language to what it keeps of a printer. */
const char *const app_languages[] = {"en", "de", "es", "fr", NULL};

static void add_strings(pappl_system_t *system)
{
    static const char path[] = "/strings";
    char file[MAX_PATH];

    for (size_t i = 0; app_languages[i] != NULL; i++) {
        snprintf(file, sizeof file, "%s/strings/%s.strings",
                 app_data_directory(), app_languages[i]);
        papplSystemAddStringsFile(system, path, app_languages[i], file);
        papplSystemRemoveResource(system, path);
    }
}

/* The pages' style sheet, in place of PAPPL's. PAPPL keeps the pointer. */
static void add_style(pappl_system_t *system)
{
    static char file[MAX_PATH];

    snprintf(file, sizeof file, "%s/style.css", app_data_directory());
    papplSystemAddResourceFile(system, "/style.css", "text/css", file);
}

/* ---- The system --------------------------------------------------------- */

/* Prints pictures by our own readers: PAPPL asks for a filter to a printer's
 * format before it takes its own, to PWG raster. */
static void add_pictures(pappl_system_t *system)
{
    static const char *const types[] = {"image/jpeg", "image/png"};
    const struct family *family;

    for (size_t i = 0; (family = family_at(i)) != NULL; i++)
        for (int type = 0; type < 2; type++)
            papplSystemAddMIMEFilter(system, types[type], family->format,
                                     app_print_picture, NULL);
}

/* Offers PDF where something turns it into raster. */
static void add_documents(pappl_system_t *system)
{
    const char *rip = rip_name();

    if (rip == NULL) {
        papplLog(system, PAPPL_LOGLEVEL_WARN,
                 "No PDF: neither gs nor mutool is installed.");
        return;
    }
    papplLog(system, PAPPL_LOGLEVEL_INFO, "PDF is printed by %s.", rip);
    papplSystemAddMIMEFilter(system, "application/pdf", "image/pwg-raster",
                             app_print_pdf, NULL);
}

/* Prints raster that has waited, on printers of all families. */
static void add_raster(pappl_system_t *system)
{
    static const char *const types[] = {"image/pwg-raster", "image/urf"};

    for (int type = 0; type < 2; type++)
        papplSystemAddMIMEFilter(system, types[type], "image/pwg-raster",
                                 app_print_raster, NULL);
}

pappl_system_t *app_system(int count, cups_option_t *options, void *data)
{
    (void)data;
    const char *name = cupsGetOption("server-name", count, options),
               *host = cupsGetOption("server-hostname", count, options),
               *socket = cupsGetOption("listen-socket", count, options);
    const char *log = cupsGetOption("log-file", count, options);
    const int port = server_port(cupsGetOption("server-port", count, options));
    char path[MAX_PATH], own[MAX_PATH];
    const char *spool = spool_directory(count, options, path);
    pappl_system_t *system;
    int drivers;

    if (port < 0 || !limits_take(count, options))
        return NULL;
    system = papplSystemCreate(
        server_options(cupsGetOption("server-options", count, options)),
        name != NULL ? name : "Halftone Printer Application", port,
        "_print,_universal", spool, log,
        log_level(cupsGetOption("log-level", count, options)),
        cupsGetOption("auth-service", count, options), false);
    if (system == NULL)
        return NULL;
    if (host != NULL)
        papplSystemSetHostName(system, host);
    papplSystemAddListeners(system,
                            cupsGetOption("listen-hostname", count, options));
    if (socket != NULL && !listen_at(system, socket)) {
        papplSystemDelete(system);
        return NULL;
    }
    heartbeat_at(socket != NULL ? socket
                                : _papplMainloopGetServerPath(
                                      APP_NAME, getuid(), own, sizeof own));
    if (cupsGetOption("admin-group", count, options) != NULL)
        papplSystemSetAdminGroup(system,
                                 cupsGetOption("admin-group", count, options));
    pappl_pr_driver_t *list = app_drivers(&drivers);

    papplSystemSetPrinterDrivers(system, drivers, list, app_driver_of_device,
                                 calibrate_page_add, app_driver, NULL);
    papplSystemAddMIMEFilter(system, CHART_TYPE, "image/pwg-raster",
                             chart_print, NULL);
    papplSystemAddMIMEFilter(system, CHART_EYE_TYPE, "image/pwg-raster",
                             chart_print, system);
    add_pictures(system);
    add_raster(system);
    add_documents(system);
    papplSystemSetMIMECallback(system, document_type, NULL);
    add_strings(system);
    add_style(system);
    /* Once for all jobs: a GPU takes a while to start. */
    ht_engine_prepare(NULL);
    return system;
}
