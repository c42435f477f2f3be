/*
 * overrides.c - functions of PAPPL 1.3 with something before them or behind
 * them; those about defaults are in defaults.c, those about jobs that end in
 * reasons.c.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#define _GNU_SOURCE /* RTLD_NEXT */

#include "config.h"

#include <ctype.h>
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include <pappl/pappl.h>

#include "printer-app/app.h"
#include "printer-app/job_request.h"
#include "printer-app/overrides.h"

#define MOST_TEXT 1024 /* of IPP */

typedef void process(pappl_client_t *client);
typedef bool authorize(pappl_client_t *client);
typedef void refuse(pappl_client_t *client, ipp_attribute_t *attribute);
typedef bool set_ready(pappl_printer_t *printer, int count,
                       pappl_media_col_t *ready);
typedef pappl_printer_t *create(pappl_system_t *system, int id,
                                const char *name, const char *driver,
                                const char *device_id, const char *uri);
typedef void log_device(const char *message, void *data);
typedef ipp_t *respond(pappl_client_t *client, ipp_status_t status,
                       const char *message, ...);

void override_find(void *function, const char *name)
{
    void *symbol = dlsym(RTLD_NEXT, name);

    memcpy(function, &symbol, sizeof symbol);
}

/* ---- Who may change something on the web pages ----------------------- */

/*
 * Whoever is at this computer, or has a tunnel to it. PAPPL asks this before it
 * shows a page that changes something, and itself lets everybody do so who
 * reaches its port, until there is a password, and with one everybody who types
 * any other. A printer can be a file and take a job as it is, so a stranger
 * would write files. IPP requests that change printers are right already: they
 * have to come from this computer.
 */
bool papplClientHTMLAuthorize(pappl_client_t *client)
{
    const http_addr_t *from = httpGetAddress(papplClientGetHTTP(client));
    const pappl_soptions_t options =
        papplSystemGetOptions(papplClientGetSystem(client));
    authorize *pappl;

    if ((options & PAPPL_SOPTIONS_WEB_REMOTE) != 0 ||
        (from != NULL && httpAddrLocalhost(from))) {
        override_find(&pappl, "papplClientHTMLAuthorize");
        return pappl != NULL && pappl(client);
    }
    papplClientRespond(client, HTTP_STATUS_FORBIDDEN, NULL, NULL, 0, 0);
    return false;
}

/* ---- What requests ask of jobs ---------------------------------------- */

void _papplPrinterProcessIPP(pappl_client_t *client)
{
    process *pappl;

    override_find(&pappl, "_papplPrinterProcessIPP");
    if (pappl == NULL)
        papplClientRespondIPP(client, IPP_STATUS_ERROR_INTERNAL,
                              "This PAPPL is not known.");
    else if (papplClientGetPrinter(client) == NULL || job_request_take(client))
        pappl(client);
}

/* ---- Why there is no driver ------------------------------------------- */

/* Of this thread, which may add a printer of driver "auto". */
static _Thread_local bool adds;
static _Thread_local char refusal[MOST_TEXT]; /* for its client; "" = none */

void app_refuse(const char *why)
{
    if (!adds || refusal[0] != '\0') /* the first reason is the cause */
        return;
    snprintf(refusal, sizeof refusal, "%s", why);
    for (char *at = refusal; *at != '\0'; at++)
        if (iscntrl((unsigned char)*at))
            *at = '?';
}

/* What a device says that cannot be opened. */
void papplLogDevice(const char *message, void *data)
{
    log_device *pappl;

    app_refuse(message);
    override_find(&pappl, "papplLogDevice");
    if (pappl != NULL)
        pappl(message, data);
}

/* Of a printer that no driver fits PAPPL only says that "auto" cannot be used
 * with it, and by a status that the command "autoadd" takes for no error. */
ipp_t *papplClientRespondIPP(pappl_client_t *client, ipp_status_t status,
                             const char *message, ...)
{
    char text[MOST_TEXT];
    respond *pappl;
    va_list arguments;

    override_find(&pappl, "papplClientRespondIPP");
    if (pappl == NULL)
        return NULL;
    if (message == NULL)
        return pappl(client, status, NULL);
    va_start(arguments, message);
    vsnprintf(text, sizeof text, message, arguments);
    va_end(arguments);
    if (refusal[0] != '\0') {
        snprintf(text, sizeof text, "%s", refusal);
        refusal[0] = '\0';
        status = IPP_STATUS_ERROR_NOT_POSSIBLE;
    }
    return pappl(client, status, "%s", text);
}

/* ---- The number of a new printer, and its name in the network -------- */

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int highest; /* number so far, with the lock */

static void note(pappl_printer_t *printer, void *data)
{
    const int id = papplPrinterGetID(printer);

    (void)data;
    if (id > highest)
        highest = id;
}

/* Tells DNS-SD of a printer, if the server runs already. */
static void announce(pappl_printer_t *printer)
{
    char name[256];

    if (papplPrinterGetDNSSDName(printer, name, sizeof name) != NULL)
        papplPrinterSetDNSSDName(printer, name);
}

/* Of one that it numbers itself PAPPL says "printer-id" 0 until the server
 * starts anew, and till then its commands cannot delete it, and DNS-SD does not
 * know it if it was added by a command. */
pappl_printer_t *papplPrinterCreate(pappl_system_t *system, int id,
                                    const char *name, const char *driver,
                                    const char *device_id, const char *uri)
{
    create *pappl;

    override_find(&pappl, "papplPrinterCreate");
    if (pappl == NULL)
        return NULL;
    if (id == 0) {
        pthread_mutex_lock(&lock);
        papplSystemIteratePrinters(system, note, NULL);
        id = ++highest;
        pthread_mutex_unlock(&lock);
    }
    adds = driver != NULL && strcmp(driver, "auto") == 0;
    refusal[0] = '\0';
    pappl_printer_t *printer = pappl(system, id, name, driver, device_id, uri);
    adds = false;
    if (printer != NULL) {
        refusal[0] = '\0'; /* a device may complain and open all the same */
        announce(printer);
    } else if (refusal[0] != '\0') /* a web page has no place for it */
        papplLog(system, PAPPL_LOGLEVEL_ERROR, "%s", refusal);
    return printer;
}

/* ---- What is wrong with a printer's address --------------------------- */

/* Says it in the answer to the client, in place of "Unsupported
 * smi55357-device-uri uri value", if it is known: PAPPL refuses files that are
 * not there and kinds of devices that nobody has added. */
static void say_wrong_address(pappl_client_t *client, const char *uri)
{
    const ipp_status_t status = IPP_STATUS_ERROR_ATTRIBUTES_OR_VALUES;
    char scheme[32], user[256], host[256], path[1024];
    struct stat info;
    int port;

    if (httpSeparateURI(HTTP_URI_CODING_ALL, uri, scheme, sizeof scheme, user,
                        sizeof user, host, sizeof host, &port, path,
                        sizeof path) < HTTP_URI_STATUS_OK)
        papplClientRespondIPP(client, status, "'%s' is no address.", uri);
    else if (strcmp(scheme, "file") != 0)
        papplClientRespondIPP(client, status, "There are no devices '%s:'.",
                              scheme);
    else {
        path[strcspn(path, "?")] = '\0';
        if (stat(path, &info) != 0)
            papplClientRespondIPP(client, status, "%s: %s.", path,
                                  strerror(errno));
    }
}

/* ---- What printers are set to ------------------------------------------ */

/* PAPPL takes this attribute, but looks for it by another name before, and
 * answers that there is none. */
static bool is_taken(ipp_attribute_t *attribute)
{
    const char *name = ippGetName(attribute);

    return ippGetGroupTag(attribute) == IPP_TAG_PRINTER && name != NULL &&
           strcmp(name, "label-tear-offset-configured") == 0 &&
           ippGetValueTag(attribute) == IPP_TAG_INTEGER &&
           ippGetCount(attribute) == 1;
}

void papplClientRespondIPPUnsupported(pappl_client_t *client,
                                      ipp_attribute_t *attribute)
{
    const char *name = ippGetName(attribute);
    refuse *pappl;

    if (is_taken(attribute))
        return;
    override_find(&pappl, "papplClientRespondIPPUnsupported");
    if (pappl != NULL)
        pappl(client, attribute);
    if (name != NULL && strcmp(name, "smi55357-device-uri") == 0 &&
        ippGetValueTag(attribute) == IPP_TAG_URI)
        say_wrong_address(client, ippGetString(attribute, 0, NULL));
}

/* On the web page, tracking that nobody has chosen looks like "continuous", the
 * first of its list, and is saved as that with whatever else was changed there.
 * Labels are not continuous: for a roll without them there is a media type. */
bool papplPrinterSetReadyMedia(pappl_printer_t *printer, int count,
                               pappl_media_col_t *ready)
{
    set_ready *pappl;

    for (int i = 0; i < count && ready != NULL; i++)
        if (ready[i].tracking == PAPPL_MEDIA_TRACKING_CONTINUOUS &&
            strcmp(ready[i].type, "continuous") != 0)
            ready[i].tracking = 0;
    override_find(&pappl, "papplPrinterSetReadyMedia");
    return pappl != NULL && pappl(printer, count, ready);
}
