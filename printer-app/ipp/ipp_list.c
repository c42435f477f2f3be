/*
 * ipp_list.c - the IPP printers of the network that take our dots: libcups
 * finds them by DNS-SD, and each is asked what it takes, as its record there
 * does not say which types of raster.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <stdio.h>
#include <string.h>

#include "printer-app/ipp/ipp_about.h"
#include "printer-app/ipp/ipp_list.h"
#include "printer-app/ipp/ipp_state.h"

#define LOOK 3000 /* ms, for all printers, and for an address of each */
#define MOST 256  /* printers that are looked at */

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

/* Finds the address of a printer whose name DNS-SD has told, with libcups: it
 * leaves it in the destination's options. */
static bool find_address(cups_dest_t *dest, struct ipp_address *address)
{
    char none[IPP_WHY], resource[512];
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
        !ipp_address_read(address, uri, none))
        return false;
    return true;
}

/* Tells of a printer if it takes dots; true if the search is to end. */
static bool tell(cups_dest_t *dest, pappl_device_cb_t found, void *data)
{
    struct ipp_address address;
    char id[1024], info[512], none[IPP_WHY];

    if (!find_address(dest, &address))
        return false;
    ipp_t *about = ipp_about(&address, none);
    if (about == NULL)
        return false;

    bool ends = false;
    if (ipp_takes_dots(about, none)) {
        const char *name =
            cupsGetOption("printer-info", dest->num_options, dest->options);
        snprintf(info, sizeof info, "%.200s (IPP)",
                 name != NULL ? name : dest->name);
        ends =
            found(info, address.uri, ipp_state_id(about, id, sizeof id), data);
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
