/*
 * ipp_list.c - the IPP printers of the network that take our dots: libcups
 * finds them by DNS-SD, and each is asked what it takes, as its record there
 * does not say which types of raster.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <dirent.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include "printer-app/ipp/ipp_list.h"
#include "printer-app/ipp/ipp_state.h"
#include "printer-app/ipp/ipp_takes.h"

#define LOOK 3000  /* ms, for all printers, and for an address of each */
#define PATIENCE 3 /* seconds for what a printer takes: users wait for it */
#define MOST 256   /* printers that are looked at */

struct found {
    int count;
    cups_dest_t *dests;
};

static int keep(void *context, unsigned flags, cups_dest_t *dest)
{
    struct found *found = context;

    if ((flags & (CUPS_DEST_FLAGS_REMOVED | CUPS_DEST_FLAGS_ERROR)) == 0)
        found->count = cupsCopyDest(dest, found->count, &found->dests);
    return found->count < MOST;
}

/* The port at which a socket listens, or 0. */
static int listens_at(int fd)
{
    struct sockaddr_storage address = {0};
    socklen_t size = sizeof address;
    int listens = 0;
    socklen_t flag = sizeof listens;

    if (getsockopt(fd, SOL_SOCKET, SO_ACCEPTCONN, &listens, &flag) != 0 ||
        !listens || getsockname(fd, (struct sockaddr *)&address, &size) != 0)
        return 0;
    if (address.ss_family == AF_INET)
        return ntohs(((struct sockaddr_in *)&address)->sin_port);
    if (address.ss_family == AF_INET6)
        return ntohs(((struct sockaddr_in6 *)&address)->sin6_port);
    return 0;
}

static bool this_process_listens(int port)
{
    DIR *folder = opendir("/proc/self/fd");
    bool listens = false;

    if (folder == NULL)
        return false;
    for (const struct dirent *entry; (entry = readdir(folder)) != NULL;)
        if (entry->d_name[0] != '.' &&
            listens_at((int)strtol(entry->d_name, NULL, 10)) == port)
            listens = true;
    closedir(folder);
    return listens;
}

/* Whether a connection goes to this machine: both its ends have one address. */
static bool is_here(http_t *http)
{
    http_addr_t near;
    socklen_t size = sizeof near;
    char near_text[256], far_text[256];

    if (getsockname(httpGetFd(http), &near.addr, &size) != 0)
        return false;
    httpAddrString(&near, near_text, sizeof near_text);
    httpAddrString(httpGetAddress(http), far_text, sizeof far_text);
    return strcmp(near_text, far_text) == 0;
}

static bool is_ours(const struct ipp_printer *printer)
{
    struct ipp_line line = {0};
    struct ipp_trouble none;

    if (!this_process_listens(printer->port) ||
        !ipp_connect(&line, printer, &none))
        return false;
    const bool is_own = is_here(line.http);
    ipp_disconnect(&line);
    return is_own;
}

/* Finds the address of a printer whose name DNS-SD has told, with libcups: it
 * leaves it in the destination's options. */
static bool find_address(cups_dest_t *dest, struct ipp_printer *printer)
{
    struct ipp_trouble none;
    char resource[512];
    http_t *http = cupsConnectDest(
        dest, CUPS_DEST_FLAGS_DEVICE | CUPS_DEST_FLAGS_UNCONNECTED, LOOK, NULL,
        resource, sizeof resource, NULL, NULL);
    if (http != NULL)
        httpClose(http);

    const char *uri =
        cupsGetOption("resolved-device-uri", dest->num_options, dest->options);
    if (uri == NULL)
        uri = cupsGetOption("device-uri", dest->num_options, dest->options);
    if (uri == NULL || strstr(uri, "._tcp") != NULL ||
        (strncmp(uri, "ipp:", 4) != 0 && strncmp(uri, "ipps:", 5) != 0) ||
        !ipp_printer_read(printer, uri, &none))
        return false;
    printer->patience = PATIENCE;
    return true;
}

/* Tells of a printer if it takes dots; true if the search is to end. */
static bool tell(cups_dest_t *dest, pappl_device_cb_t found, void *data)
{
    struct ipp_printer printer;
    struct ipp_trouble none;
    char id[1024], info[512];

    if (!find_address(dest, &printer) || is_ours(&printer))
        return false;
    ipp_t *about = ipp_about(&printer, &none);
    if (about == NULL)
        return false;

    bool ends = false;
    if (ipp_takes_dots(about, &none)) {
        const char *name =
            cupsGetOption("printer-info", dest->num_options, dest->options);
        snprintf(info, sizeof info, "%.200s (IPP)",
                 name != NULL ? name : dest->name);
        ends =
            found(info, printer.uri, ipp_state_id(about, id, sizeof id), data);
    }
    ippDelete(about);
    return ends;
}

bool ipp_list(pappl_device_cb_t found, void *data, pappl_deverror_cb_t error,
              void *error_data)
{
    struct found all = {0, NULL};
    bool ends = false;

    /* Without an mDNS daemon there is nothing to find, which is no error. */
    (void)error;
    (void)error_data;
    cupsEnumDests(0, LOOK, NULL, CUPS_PRINTER_DISCOVERED,
                  CUPS_PRINTER_DISCOVERED, keep, &all);
    for (int i = 0; i < all.count && !ends; i++)
        ends = tell(&all.dests[i], found, data);
    cupsFreeDests(all.count, all.dests);
    return ends;
}
