/*
 * devices.c - looks for printers by DNS-SD only where there is a DNS-SD:
 * without D-Bus, PAPPL 1.3 aborts, since pappl_dnssd_list()
 * (device-network.c:459) hands libavahi the client that it does not have; and
 * without a running Avahi, it fails and keeps a lock (:461-463), for which the
 * next one waits for ever. The web page "Add Printer" looks for them, so a
 * visit to it ended the server.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#define _GNU_SOURCE /* RTLD_DEFAULT */

#include "config.h"

#include "pappl-fixes/replaced.h"

#include <dlfcn.h>
#include <string.h>

#define AVAHI_FAILURE 100 /* AVAHI_CLIENT_FAILURE: no server, from here on */

/* Asks libavahi, which PAPPL has, for the state of the client that PAPPL
 * starts. */
static bool has_dnssd(void)
{
    void *client = _papplDNSSDInit(NULL);
    void *symbol = dlsym(RTLD_DEFAULT, "avahi_client_get_state");
    int (*state)(void *client);

    memcpy(&state, &symbol, sizeof symbol);
    return client != NULL && state != NULL && state(client) < AVAHI_FAILURE;
}

bool papplDeviceList(pappl_devtype_t types, pappl_device_cb_t take, void *data,
                     pappl_deverror_cb_t fail, void *fail_data)
{
    if ((types & PAPPL_DEVTYPE_DNS_SD) != 0 && !has_dnssd()) {
        types &= ~(pappl_devtype_t)PAPPL_DEVTYPE_DNS_SD;
        if (fail != NULL)
            fail("Printers that DNS-SD would find are missing: avahi-daemon "
                 "does not run.",
                 fail_data);
    }
    return REAL(papplDeviceList)(types, take, data, fail, fail_data);
}
