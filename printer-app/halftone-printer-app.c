/*
 * halftone-printer-app.c - the printer application: IPP printers whose dots are
 * ours, for printers that cannot speak IPP. PAPPL has its commands and server.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <signal.h>

#include "halftone/halftone.h"
#include "printer-app/app.h"
#include "printer-app/family.h"
#include "printer-app/ipp_device.h"
#include "printer-app/packing.h"

#define MOST_DRIVERS 32

int main(int argc, char *argv[])
{
    static pappl_pr_driver_t drivers[MOST_DRIVERS];
    size_t known;
    const struct family *family = families(&known);
    int count = 0;

    for (size_t i = 0; i < known && count < MOST_DRIVERS; i++)
        if (packing_is_known(&family[i])) {
            drivers[count].name = family[i].name;
            drivers[count++].description = family[i].description;
        }
    signal(SIGPIPE, SIG_IGN);
    ipp_device_add();
    const int status = papplMainloop(argc, argv, PACKAGE_VERSION, NULL, count,
                                     drivers, app_driver_of_device, app_driver,
                                     NULL, NULL, app_system, NULL, NULL);

    ht_engine_release();
    return status;
}
