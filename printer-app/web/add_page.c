/*
 * add_page.c - the web page "Add Printer". PAPPL 1.3
 * (_papplSystemWebAddPrinter(), system-webif.c:344-545) says only the last of
 * several errors, and not which field has it; its field for an address can be
 * used only where scripts run, and not any more after an error; it has no
 * printers by IPP.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pappl-fixes/pappl-fixes.h"
#include "printer-app/app.h"
#include "printer-app/web/page_form.h"
#include "printer-app/web/pages.h"

#define MAX_NAME 127 /* bytes, of IPP's names that PAPPL keeps */
#define MAX_URI 1024

enum { NAME, DEVICE, ADDRESS, DRIVER, FIELDS };
static const char *const names[FIELDS] = {"printer_name", "device_uri",
                                          "hostname", "driver_name"};

struct add_visit {
    pappl_client_t *client;
    pappl_system_t *system;
    const char *values[FIELDS]; /* of the form; "" = nothing */
    const char *errors[FIELDS]; /* NULL: none */
    const char *says;           /* an error of no field; NULL: none */
};

/* ---- The form ------------------------------------------------------------
 */

/* Takes "HOST", "HOST:PORT", "ADDRESS" or "[ADDRESS]:PORT" apart. False if the
 * port is none; it is 0 if there is none. */
static bool read_address(const char *text, char host[256], int *port)
{
    const char *colon = strrchr(text, ':');
    size_t size = strlen(text);
    char *end;

    *port = 0;
    if (colon != NULL &&
        (strchr(text, ':') == colon || (colon > text && colon[-1] == ']'))) {
        *port = (int)strtol(colon + 1, &end, 10);
        if (*end != '\0' || *port <= 0 || *port > 65535)
            return false;
        size = (size_t)(colon - text);
    }
    if (size >= 2 && text[0] == '[' && text[size - 1] == ']')
        text++, size -= 2;
    snprintf(host, 256, "%.*s", (int)(size < 256 ? size : 255), text);
    return true;
}

/* Makes the URI of a printer in the network. */
static void read_network(struct add_visit *visit, const char *scheme,
                         char uri[MAX_URI])
{
    const char *text = visit->values[ADDRESS];
    char host[256];
    int port;

    uri[0] = '\0';
    if (text[strspn(text, " ")] == '\0') {
        visit->errors[ADDRESS] =
            "Please enter a hostname or IP address for the printer.";
        return;
    }
    if (!read_address(text, host, &port)) {
        visit->errors[ADDRESS] = "Bad port number.";
        return;
    }

    http_addrlist_t *found = httpAddrGetList(host, AF_UNSPEC, "9100");

    if (found == NULL)
        visit->errors[ADDRESS] = "Unable to lookup address.";
    else
        httpAssembleURI(HTTP_URI_CODING_ALL, uri, MAX_URI, scheme, NULL, host,
                        port, strcmp(scheme, "ipp") == 0 ? "/ipp/print" : "/");
    httpAddrFreeList(found);
}

/* Finds out the printer's URI, and its IEEE 1284 identification or NULL. */
static const char *read_device(struct add_visit *visit, char uri[MAX_URI])
{
    const char *device = visit->values[DEVICE];
    char *id;

    snprintf(uri, MAX_URI, "%s", device);
    if (device[0] == '\0')
        visit->errors[DEVICE] = "Please select a device.";
    else if (strcmp(device, "socket") == 0 || strcmp(device, "ipp") == 0)
        read_network(visit, device, uri);
    else if ((id = strchr(uri, '|')) != NULL) {
        *id = '\0';
        return id + 1;
    }
    return NULL;
}

static void read_name(struct add_visit *visit)
{
    if (visit->values[NAME][0] == '\0')
        visit->errors[NAME] = "Please enter a printer name.";
    else if (strlen(visit->values[NAME]) > MAX_NAME)
        visit->errors[NAME] = "This name is too long.";
}

static bool has_error(const struct add_visit *visit)
{
    for (int i = 0; i < FIELDS; i++)
        if (visit->errors[i] != NULL)
            return true;
    return visit->says != NULL;
}

/* Says why PAPPL has made no printer. */
static void refuse(struct add_visit *visit, int error)
{
    const char *why = papplfixes_printer_refusal();

    if (error == EEXIST)
        visit->errors[NAME] = "A printer with that name already exists.";
    else if (error == EINVAL)
        visit->errors[NAME] =
            "Printer names must start with a letter or underscore and cannot "
            "contain special characters.";
    else if (why[0] != '\0')
        visit->errors[DRIVER] = why;
    else if (error == EIO)
        visit->errors[DRIVER] = "Unable to use that driver.";
    else
        visit->says = strerror(error);
}

/* Adds the printer, and leads the browser to its page; false if there is none.
 */
static bool add(struct add_visit *visit)
{
    char uri[MAX_URI], path[1024];
    const char *id = read_device(visit, uri);

    read_name(visit);
    if (visit->values[DRIVER][0] == '\0')
        visit->errors[DRIVER] = "Please select a driver.";
    if (has_error(visit))
        return false;
    errno = 0;

    pappl_printer_t *printer = papplPrinterCreate(
        visit->system, 0, visit->values[NAME], visit->values[DRIVER], id, uri);

    if (printer == NULL) {
        refuse(visit, errno);
        return false;
    }
    papplPrinterGetPath(printer, NULL, path, sizeof path);
    papplClientRespondRedirect(visit->client, HTTP_STATUS_FOUND, path);
    return true;
}

/* ---- The page ------------------------------------------------------------
 */

static struct page_field field_of(const struct add_visit *visit, int which,
                                  const char *label)
{
    return (struct page_field){.name = names[which],
                               .label = label,
                               .type = "text",
                               .value = visit->values[which],
                               .error = visit->errors[which]};
}

/* PAPPL's callback for a printer that it has found. */
static bool show_device(const char *info, const char *uri, const char *id,
                        void *data)
{
    const struct add_visit *visit = data;
    char value[2 * MAX_URI];

    snprintf(value, sizeof value, "%s|%s", uri, id != NULL ? id : "");
    page_choice(visit->client, value, info,
                strcmp(visit->values[DEVICE], value) == 0);
    return false;
}

static void show_choice(const struct add_visit *visit, int which,
                        const char *value, const char *english)
{
    page_choice(visit->client, value,
                papplClientGetLocString(visit->client, english),
                strcmp(visit->values[which], value) == 0);
}

static void show_devices(struct add_visit *visit)
{
    struct page_field list = field_of(visit, DEVICE, "Device");

    list.hint = "Printers on USB, and those that the network tells of.";
    page_list_start(visit->client, &list);
    show_choice(visit, DEVICE, "", "Select Device");
    papplDeviceList(PAPPL_DEVTYPE_ALL, show_device, visit, papplLogDevice,
                    visit->system);
    show_choice(visit, DEVICE, "socket", "Network printer at this address");
    show_choice(visit, DEVICE, "ipp", "IPP printer at this address");
    page_list_end(visit->client, &list);
}

static void show_drivers(const struct add_visit *visit)
{
    struct page_field list = field_of(visit, DRIVER, "Driver Name");
    int count;
    pappl_pr_driver_t *drivers = app_drivers(&count);

    list.hint = "Automatic takes the one that fits what the printer says of "
                "itself.";
    page_list_start(visit->client, &list);
    show_choice(visit, DRIVER, "auto", "Auto-Detect Driver");
    for (int i = 0; drivers != NULL && i < count; i++)
        show_choice(visit, DRIVER, drivers[i].name, drivers[i].description);
    page_list_end(visit->client, &list);
}

static void show_page(struct add_visit *visit)
{
    pappl_client_t *client = visit->client;
    struct page_field name = field_of(visit, NAME, "Name"),
                      address = field_of(visit, ADDRESS, "Address");

    name.more = "required maxlength=\"127\"";
    name.hint = "It begins with a letter; without spaces it is easier to type.";
    address.hint = "Of a network printer alone: its name or IP address, and a "
                   "port behind a colon if it is another than usual.";
    papplClientRespond(client, HTTP_STATUS_OK, NULL, "text/html", 0, 0);
    papplClientHTMLHeader(client, "Add Printer", 0);
    papplClientHTMLPuts(client, "<div class=\"content\">\n");
    page_text(client, "h1", "title", "Add Printer");
    page_banner(client,
                visit->says != NULL ? visit->says
                : has_error(visit)  ? "No printer was added: see below."
                                    : NULL,
                true);
    page_form_start(client, "/addprinter", NULL, false);
    page_input(client, &name);
    show_devices(visit);
    page_input(client, &address);
    show_drivers(visit);
    page_form_end(client, "Add Printer");
    papplClientHTMLPuts(client, "</div>\n");
    papplClientHTMLFooter(client);
}

void add_page(pappl_client_t *client, pappl_system_t *system)
{
    struct add_visit visit = {.client = client, .system = system};
    cups_option_t *form = NULL;
    int count = 0;
    bool added = false;

    if (!papplClientHTMLAuthorize(client))
        return;

    const bool sent = papplClientGetMethod(client) == HTTP_STATE_POST;

    if (sent)
        count = papplClientGetForm(client, &form);
    for (int i = 0; i < FIELDS; i++) {
        const char *value = cupsGetOption(names[i], count, form);

        visit.values[i] = value != NULL ? value : "";
    }
    if (sent && !papplClientIsValidForm(client, count, form))
        visit.says = "Invalid form submission.";
    else if (sent)
        added = add(&visit);
    if (!added)
        show_page(&visit);
    cupsFreeOptions(count, form);
}
