/*
 * new_printer.c - the number of a new printer, its name in the network, and why
 * there is none.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <ctype.h>
#include <errno.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "pappl-fixes/deletion.h"
#include "pappl-fixes/lines.h"
#include "pappl-fixes/pappl-fixes.h"
#include "pappl-fixes/replaced.h"
#include "pappl-fixes/spool.h"
#include "pappl-fixes/state.h"

#define MOST_TEXT 1024 /* bytes, of IPP */
#define MOST_NAME 127  /* of a printer */

/* ---- Why there is no driver ------------------------------------------- */

/* Set while this thread may add a printer of driver "auto". */
static _Thread_local bool adds;
static _Thread_local char refusal[MOST_TEXT]; /* for its client; "" = none */

void papplfixes_refuse_printer(const char *why)
{
    if (!adds || refusal[0] != '\0') /* the first reason is the cause */
        return;
    snprintf(refusal, sizeof refusal, "%s", why);
    for (char *at = refusal; *at != '\0'; at++)
        if (iscntrl((unsigned char)*at))
            *at = '?';
}

const char *papplfixes_printer_refusal(void)
{
    return refusal;
}

/* Keeps the message about a device that cannot be opened. */
void papplLogDevice(const char *message, void *data)
{
    papplfixes_refuse_printer(message);
    REAL(papplLogDevice)(message, data);
}

/* Gives the reason why no driver fits a printer. PAPPL only says that "auto"
 * cannot be used, with a status that the command "autoadd" takes for success.
 */
ipp_t *papplClientRespondIPP(pappl_client_t *client, ipp_status_t status,
                             const char *message, ...)
{
    char text[MOST_TEXT];
    va_list arguments;

    if (message == NULL)
        return REAL(papplClientRespondIPP)(client, status, NULL);
    va_start(arguments, message);
    vsnprintf(text, sizeof text, message, arguments);
    va_end(arguments);
    if (refusal[0] != '\0') {
        snprintf(text, sizeof text, "%s", refusal);
        refusal[0] = '\0';
        status = IPP_STATUS_ERROR_NOT_POSSIBLE;
    }
    return REAL(papplClientRespondIPP)(client, status, "%s", text);
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

/* A new printer's name, and the printer that is in its way. */
struct claim {
    char path[MOST_TEXT];
    const char *rival; /* NULL = there is none */
};

/* Writes what the path of a printer is made of by its name. */
static void path_of(const char *name, char path[MOST_TEXT])
{
    size_t used = isdigit((unsigned char)*name) != 0;

    memset(path, '_', used);
    for (; *name != '\0' && used < MOST_TEXT - 1; name++) {
        const unsigned char c = (unsigned char)*name;
        const bool is_plain = c > ' ' && strchr("\177/\\'\"?#_", c) == NULL;

        if (is_plain || used == 0 || path[used - 1] != '_')
            path[used++] = is_plain ? (char)tolower(c) : '_';
    }
    while (used > 0 && path[used - 1] == '_')
        used--;
    path[used] = '\0';
}

static void compare(pappl_printer_t *printer, void *data)
{
    struct claim *claim = data;
    char path[MOST_TEXT];

    path_of(papplPrinterGetName(printer), path);
    if (strcmp(path, claim->path) == 0)
        claim->rival = papplPrinterGetName(printer);
}

/* Whether a printer can be called so: PAPPL would give it the path of another
 * one, with a number, or none. So the path of a name stays the same. */
static bool is_good(pappl_system_t *system, const char *name)
{
    struct claim claim = {.rival = NULL};

    path_of(name, claim.path);
    papplSystemIteratePrinters(system, compare, &claim);
    if (strlen(name) > MOST_NAME)
        snprintf(refusal, sizeof refusal,
                 "The printer's name has more than %d bytes.", MOST_NAME);
    else if (claim.path[0] == '\0')
        snprintf(refusal, sizeof refusal,
                 "The printer's name has no letter and no digit.");
    else if (claim.rival != NULL)
        snprintf(refusal, sizeof refusal,
                 "The printer's name is that of '%s', or too much like it.",
                 claim.rival);
    errno = claim.rival != NULL ? EEXIST : EINVAL;
    return refusal[0] == '\0';
}

/* Whether a server that starts anew could not read of it: lines.c. */
static bool is_too_long(const char *name, const char *driver,
                        const char *device_id, const char *uri)
{
    if (lines_have_room(name, driver, device_id, uri))
        return false;
    snprintf(refusal, sizeof refusal,
             "The printer's address and identification are too long.");
    errno = ENAMETOOLONG;
    return true;
}

/* Saves a new printer, or deletes it and returns NULL with errno. Its
 * jobs get other numbers than those whose files are there. */
static pappl_printer_t *keep(pappl_system_t *system, pappl_printer_t *printer)
{
    papplPrinterSetNextJobID(printer,
                             spool_highest(papplPrinterGetID(printer)) + 1);
    if (state_save(system))
        return printer;
    const int error = errno;

    papplPrinterDelete(printer);
    snprintf(refusal, sizeof refusal, "The printer cannot be kept: %s.",
             strerror(error));
    errno = error;
    return NULL;
}

/* Numbers printers itself. A printer that PAPPL numbers has "printer-id" 0
 * until the server is restarted; until then, commands cannot delete it, and if
 * a command added it, DNS-SD does not know it. */
pappl_printer_t *papplPrinterCreate(pappl_system_t *system, int id,
                                    const char *name, const char *driver,
                                    const char *device_id, const char *uri)
{
    const bool is_new = id == 0;

    if (name != NULL && deletion_waits(name)) {
        errno = EEXIST; /* its pages would go with those of the old one */
        return NULL;
    }
    if (is_new) {
        pthread_mutex_lock(&lock);
        papplSystemIteratePrinters(system, note, NULL);
        id = ++highest;
        pthread_mutex_unlock(&lock);
    }
    adds = driver != NULL && strcmp(driver, "auto") == 0;
    refusal[0] = '\0';
    pappl_printer_t *printer =
        is_new && name != NULL &&
                (!is_good(system, name) ||
                 is_too_long(name, driver, device_id, uri))
            ? NULL
            : REAL(papplPrinterCreate)(system, id, name, driver, device_id,
                                       uri);
    adds = false;
    if (printer != NULL && is_new)
        printer = keep(system, printer);
    const int error = errno; /* which the web page says */

    if (printer != NULL) {
        refusal[0] = '\0'; /* a device may complain and open all the same */
        announce(printer);
    } else if (refusal[0] != '\0')
        papplLog(system, PAPPL_LOGLEVEL_ERROR, "%s", refusal);
    errno = error;
    return printer;
}
